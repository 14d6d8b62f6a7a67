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
  "The places are (VALUE KEY) for the data table and the symbols of variables."
  (append (loop for key being the hash-keys of *data* using (hash-value value)
                collect (cons (list 'value key) value))
          (loop for symbol in (world-variables)
                collect (cons symbol (if (boundp symbol) (symbol-value symbol) *unbound*)))))

(defmethod export-world ((adapter image-adapter) (part (eql :definitions)))
  (dolist (definition *definitions* *definitions*)
    (dolist (thing (definition-outside definition))
      (error 'not-reconstructible
             :path (format nil "#'~A" (world-name (second thing)))
             :reason (format nil "The function ~A was not made by a definition form, so a revision ~
                                  cannot bring it back. Define it with DEFUN."
                             (world-name (second thing)))))))

(defmethod import-world ((adapter image-adapter) (part (eql :data)) items)
  (loop for (place . value) in items
        do (cond ((consp place) (setf (value (second place)) value))
                 ((eq value *unbound*) (makunbound place))
                 (t (set place value)))))

(make-instance 'image-adapter)
