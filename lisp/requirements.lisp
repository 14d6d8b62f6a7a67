(in-package #:jiti-kernel)

;;; What a definition must be like for its text to bring it back. Each of these signals
;;; NOT-RECONSTRUCTIBLE, which names what is at fault and says what to do.

(defun require-definition-form (definition)
  "No function of DEFINITION may have been installed by other means than a definition form."
  (dolist (thing (definition-outside definition))
    (when (eq (gethash thing *providers*) definition)
      (refuse-revision
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
      (refuse-revision
       (format nil "~(~A~) ~A" (first thing) (thing-text thing))
       "~A is defined on ~A, which is no more. Define it anew without that, or remove it too."
       (thing-text thing) (world-name (class-name class))))))

(defun require-homes (definition)
  "The symbols by which DEFINITION refers to others must be in the packages that its text means."
  (loop for symbol in (definition-mentions definition)
        for home in (definition-homes definition)
        unless (eq home (symbol-package symbol))
          do (let ((name (thing-text (first (definition-headline definition)))))
               (refuse-revision
                name
                "~A refers to the symbol ~A, which is no more in the package that it was in; its ~
                 text would be read with another one. Define ~A anew, or leave the symbol there."
                name (symbol-name symbol) name))))

(defun require-constant-specializers (definition)
  "A method may be for an object itself only where an import finds that object again."
  (loop for thing in (definition-provides definition)
        when (eq (first thing) :method)
          do (loop for specializer in (third (second thing))
                   when (and (typep specializer '(cons (eql eql)))
                             (not (immutable-p (second specializer))))
                     do (refuse-revision
                         (thing-text thing)
                         "The method ~A is for one object of type ~(~A~) itself, and a revision ~
                          has only another one like it. Let it be for a symbol, a number or a ~
                          class."
                         (thing-text thing) (class-name (class-of (second specializer)))))))

(defun require-same-reading (definition)
  "The text of DEFINITION must still read as it did when it was accepted, with *FEATURES* as it is."
  (when (definition-conditional definition)
    (let ((form (read-definition definition)))
      (unless (and form (eql (definition-reading definition) (fingerprint (form-datum form))))
        (let ((name (thing-text (first (definition-headline definition)))))
          (refuse-revision
           name
           "The text of ~A reads otherwise now that *FEATURES* has changed. Define ~A anew, or ~
            leave *FEATURES* as it was."
           name name))))))

(defun require-fresh (definition)
  "DEFINITION must not be compiled with something that has changed since."
  (when (definition-stale definition)
    (let ((name (thing-text (first (definition-provides definition)))))
      (refuse-revision
       name
       "~A was compiled with an earlier ~A, and its form cannot simply be evaluated again. Define ~
        ~A anew."
       name (world-name (definition-stale definition)) name))))
