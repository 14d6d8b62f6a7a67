(in-package #:jiti-kernel)

;;; What a thing looks like. Where a form decides by data what it defines, as `(if *fast* (defun f
;;; ...) (defun f ...))` does, its text does not say what there is, and an import has only the first
;;; value of a variable. The shapes of what such forms define are compared instead.

(defun thing-token (thing)
  "What was seen last of THING, NIL if it is not there."
  (if (eq (first thing) :method)
      (rest (gethash (second thing) *methods*))
      (let ((entry (gethash (thing-symbol thing) *entries*)))
        (rest (or (and entry (assoc thing (entry-things entry) :test #'equal))
                  (assoc thing *global-things* :test #'equal))))))

(defun function-shape (function)
  "The form that FUNCTION was compiled in, and the number that SBCL gives to its own form in that."
  (list (function-form function)
        (handler-case
            (sb-di:code-location-form-number
             (sb-di:debug-fun-start-location
              (sb-di:fun-debug-fun (sb-kernel:%fun-fun function))))
          ((or error sb-di:debug-condition) () nil))))

(defun slot-shape (slot)
  (list (sb-mop:slot-definition-name slot)
        (sb-mop:slot-definition-initform slot)
        (sb-mop:slot-definition-initargs slot)
        (sb-mop:slot-definition-type slot)
        (sb-mop:slot-definition-allocation slot)))

(defun class-shape (class)
  (list (mapcar #'class-name (sb-mop:class-direct-superclasses class))
        (mapcar #'slot-shape (sb-mop:class-direct-slots class))
        (loop for (name form) in (sb-mop:class-direct-default-initargs class)
              collect (list name form))))

(defun generic-function-shape (generic-function)
  (let ((combination (sb-mop:generic-function-method-combination generic-function)))
    (list (sb-mop:generic-function-lambda-list generic-function)
          (sb-mop:generic-function-argument-precedence-order generic-function)
          (sb-pcl::method-combination-type-name combination)
          (sb-pcl::method-combination-options combination))))

(defun thing-shape (thing)
  "An object by which THING can be told from another one of its name."
  (destructuring-bind (kind name) thing
    (let ((object (first (thing-token thing))))
      (case kind
        ((:function :macro :compiler-macro :method :type :setf-expander)
         (mapcar #'function-shape (thing-functions thing object)))
        ((:class :condition) (class-shape object))
        (:structure (and (find-class name nil) (class-shape (find-class name))))
        (:generic-function (generic-function-shape object))
        (:symbol-macro (macroexpand-1 name))))))

(defun shape-fingerprint (thing)
  (let ((walk (make-walk :loose t)))
    (visit walk (thing-shape thing))
    (finish-walk walk)))
