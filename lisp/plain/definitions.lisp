(in-package #:jiti-kernel)

;;; The definitions of an exported world, evaluated as a world that is opened has them evaluated.
;;; One may stand above another that it needs, since it took the place of an earlier one.

(defparameter *renewable-operators*
  '(defun defmacro defmethod defgeneric define-compiler-macro deftype define-symbol-macro defsetf
    define-setf-expander define-modify-macro)
  "Operators of forms that can be evaluated again without touching data.")

(defun evaluate-definition (definition)
  "Evaluate DEFINITION, (PACKAGE . FORM). Returns the error that stopped it, or NIL."
  (let ((*package* (first definition)))
    (handler-case (handler-bind ((warning #'muffle-warning))
                    (eval (rest definition))
                    nil)
      (error (condition) condition))))

(defun evaluate-file (file)
  "Evaluate the forms of FILE in turn. Returns them all, and those that failed, both as lists
of (PACKAGE . FORM)."
  (let ((all '()) (failed '()))
    (with-open-file (stream file :external-format :utf-8)
      (with-standard-io-syntax
        (let ((*package* (reading-package)) (*read-eval* nil) (*print-readably* nil))
          (loop
            (let ((form (read stream nil stream)))
              (when (eq form stream) (return))
              (if (typep form '(cons (eql in-package)))
                  (eval form)
                  (let ((definition (cons *package* form)))
                    (push definition all)
                    (when (evaluate-definition definition)
                      (push definition failed)))))))))
    (values (nreverse all) (nreverse failed))))

(defun load-definitions (file)
  "Evaluate the definitions in FILE. What fails is evaluated again when the rest is there, and so is
what may have been compiled before a macro that it uses was defined."
  (multiple-value-bind (all failed) (evaluate-file file)
    (loop while failed
          do (let ((again (remove-if-not #'evaluate-definition failed)))
               (when (= (length again) (length failed))
                 (error (evaluate-definition (first again))))
               (setf failed again)))
    (dolist (definition all)
      (when (member (first (rest definition)) *renewable-operators*)
        (evaluate-definition definition)))))
