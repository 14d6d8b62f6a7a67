(in-package #:jiti-kernel)

;;; Methods that no revision can keep, since they change Lisp itself, or what the kernel goes by.

(defun built-in-p (class)
  (typep class '(or built-in-class sb-pcl:system-class)))

(defun standard-generic-function-p (function)
  (let ((name (sb-mop:generic-function-name function)))
    (and name
         (symbolp (if (consp name) (second name) name))
         (standard-symbol-p (if (consp name) (second name) name)))))

(defparameter *metaobject-functions*
  '(class-name add-method remove-method method-qualifiers
    sb-mop:class-slots sb-mop:class-direct-slots sb-mop:class-direct-superclasses
    sb-mop:class-finalized-p sb-mop:class-prototype
    sb-mop:generic-function-name sb-mop:generic-function-methods
    sb-mop:method-specializers sb-mop:method-generic-function
    sb-mop:slot-definition-name sb-mop:slot-definition-allocation)
  "Generic functions by which the kernel finds what a form has defined and what an object holds.")

(defun below-metaobject-p (class)
  "True if CLASS, which may not be complete yet, is a class of metaobjects."
  (or (eq class (load-time-value (find-class 'sb-mop:metaobject)))
      (some #'below-metaobject-p (sb-mop:class-direct-superclasses class))))

(defun takes-metaobjects-p (specializer)
  "True if SPECIALIZER is met by a class, a generic function, a method or a slot's definition."
  (if (typep specializer 'sb-mop:eql-specializer)
      (typep (sb-mop:eql-specializer-object specializer) 'sb-mop:metaobject)
      (or (below-metaobject-p specializer)
          (member specializer
                  (sb-mop:class-precedence-list (find-class 'sb-mop:metaobject))))))

(defun method-refusal (function method)
  "Why METHOD of the generic FUNCTION may not be, NIL if it may."
  (let ((name (sb-mop:generic-function-name function)))
    (cond ((and (member name *metaobject-functions*)
                (takes-metaobjects-p (first (sb-mop:method-specializers method))))
           (format nil "A method of ~S would hide from the kernel what the world defines, so no ~
                        revision can keep it. Write a function of another name, and call that."
                   name))
          ;; With one of PRINT-OBJECT for integers, the kernel would write other numbers into a
          ;; revision than the world has. The standard leaves open what comes of it (CLHS
          ;; 11.1.2.1.2, item 19).
          ((and (standard-generic-function-p function)
                (every #'built-in-p (sb-mop:method-specializers method)))
           (format nil "A method of ~S for ~{~S~^, ~} would change Lisp itself, which no revision ~
                        can keep. Write one for a class of the world."
                   name (mapcar #'class-name (sb-mop:method-specializers method)))))))

(sb-ext:without-package-locks
  (defmethod add-method :before ((function standard-generic-function) (method method))
    (when (and *worker* (member (worker-role *worker*) '(:candidate :runner)))
      (let ((reason (method-refusal function method)))
        (when reason
          (error "~A" reason))))))
