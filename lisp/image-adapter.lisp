(in-package #:jiti-kernel)

;;; The Lisp image: definitions, the data table and the variables of the managed packages. Its
;;; checkpoint is the fork itself.

(defclass image-adapter (adapter) ()
  (:default-initargs :name "image"))

(defmethod record-form ((adapter image-adapter) form thunk)
  (call-recording-definitions form thunk))

(defmethod observe ((adapter image-adapter) (part (eql :definitions)))
  *definitions*)

(defmethod observe ((adapter image-adapter) (part (eql :data)))
  "The places are symbols of variables, (PLIST SYMBOL) and (CLASS NAME); those that are not the
world's own are among them once they have changed. The data table is apart."
  (append (loop for symbol in (world-symbols #'variable-p)
                collect (cons symbol (if (boundp symbol) (symbol-value symbol) *unbound*)))
          (loop for symbol in (world-symbols #'symbol-plist)
                collect (cons (list 'plist symbol) (symbol-plist symbol)))
          (loop for symbol in (world-symbols #'class-data-p)
                collect (cons (list 'class symbol) (class-data (find-class symbol))))
          (changed-data)))

(defmethod export-world ((adapter image-adapter) (part (eql :definitions)))
  (dolist (definition *definitions* *definitions*)
    (require-definition-form definition)
    (require-superclasses definition)
    (require-homes definition)
    (require-constant-specializers definition)
    (require-same-reading definition)
    (require-fresh definition)))

(defmethod import-world ((adapter image-adapter) (part (eql :data)) items)
  (loop for (place . value) in items
        do (note-outer-place place)
           (cond ((symbolp place)
                  (if (eq value *unbound*)
                      (makunbound place)
                      (set place value)))
                 ((eq (first place) 'plist)
                  (setf (symbol-plist (second place)) value))
                 ((eq (first place) 'class)
                  (setf (class-data (find-class (second place))) value))
                 (t
                  (setf (value (second place)) value)))))

(make-instance 'image-adapter)
