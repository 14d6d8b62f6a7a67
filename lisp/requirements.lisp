(in-package #:jiti-kernel)

;;; What a definition must be like for its text to bring it back. Each of these signals
;;; NOT-RECONSTRUCTIBLE, which names what is at fault and says what to do.

(defun refuse-definition (path control &rest arguments)
  (error 'not-reconstructible :path path :reason (apply #'format nil control arguments)))

(defun require-definition-form (definition)
  "No function of DEFINITION may have been installed by other means than a definition form."
  (dolist (thing (definition-outside definition))
    (when (eq (gethash thing *providers*) definition)
      (refuse-definition
       (format nil "#'~A" (thing-text thing))
       "No definition form that stands in the text has made the ~(~A~) ~A, so a revision cannot ~
        bring it back. Define it with ~A."
       (substitute #\Space #\- (symbol-name (first thing))) (thing-text thing)
       (ecase (first thing)
         (:function "DEFUN")
         (:macro "DEFMACRO")
         (:compiler-macro "DEFINE-COMPILER-MACRO")
         (:generic-function "DEFGENERIC")
         (:method "DEFMETHOD"))))))

(defun require-superclasses (definition)
  "The classes under a class of DEFINITION must be there."
  (multiple-value-bind (thing class) (orphan definition)
    (when thing
      (refuse-definition
       (format nil "~(~A~) ~A" (first thing) (thing-text thing))
       "~A is defined on ~A, which is no more. Define it anew without that, or remove it too."
       (thing-text thing) (world-name (class-name class))))))

(defun require-no-early-reading (definition)
  "No LOAD-TIME-VALUE of DEFINITION may read data, which an import sets after the definitions."
  (when (definition-early definition)
    (let ((name (thing-text (first (definition-headline definition)))))
      (refuse-definition
       name
       "A LOAD-TIME-VALUE in ~A reads ~A, which has another value when a revision comes back. Read ~
        it when the function is called."
       name (world-name (definition-early definition))))))

(defun require-same-reading (definition)
  "The text of DEFINITION must still read as it did when it was accepted, with *FEATURES* as it is."
  (when (definition-reading definition)
    (let ((form (read-definition definition)))
      (unless (and form (eql (definition-reading definition) (fingerprint (form-datum form))))
        (let ((name (thing-text (first (definition-headline definition)))))
          (refuse-definition
           name
           "The text of ~A reads otherwise now that *FEATURES* has changed. Define ~A anew, or ~
            leave *FEATURES* as it was."
           name name))))))

(defun require-fresh (definition)
  "DEFINITION must not be compiled with something that has changed since."
  (when (definition-stale definition)
    (let ((name (thing-text (first (definition-provides definition)))))
      (refuse-definition
       name
       "~A was compiled with an earlier ~A, and its form cannot simply be evaluated again. Define ~
        ~A anew."
       name (world-name (definition-stale definition)) name))))
