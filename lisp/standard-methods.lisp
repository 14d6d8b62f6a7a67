(in-package #:jiti-kernel)

;;; A method of a standard generic function for the built-in classes alone changes Lisp itself: with
;;; one of PRINT-OBJECT for integers, the kernel would write other numbers into a revision than the
;;; world has. The standard leaves open what comes of it (CLHS 11.1.2.1.2, item 19).

(defun built-in-p (class)
  (typep class '(or built-in-class sb-pcl:system-class)))

(defun standard-generic-function-p (function)
  (let ((name (sb-mop:generic-function-name function)))
    (and name
         (symbolp (if (consp name) (second name) name))
         (standard-symbol-p (if (consp name) (second name) name)))))

(defun changes-lisp-p (function method)
  "True if METHOD of the generic FUNCTION would apply where no object of the world takes part."
  (and (standard-generic-function-p function)
       (every #'built-in-p (sb-mop:method-specializers method))))

(sb-ext:without-package-locks
  (defmethod add-method :before ((function standard-generic-function) (method method))
    (when (and *worker*
               (member (worker-role *worker*) '(:candidate :runner))
               (changes-lisp-p function method))
      (error "A method of ~S for ~{~S~^, ~} would change Lisp itself, which no revision can keep. ~
              Write one for a class of the world."
             (sb-mop:generic-function-name function)
             (mapcar #'class-name (sb-mop:method-specializers method))))))
