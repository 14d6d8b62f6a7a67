(in-package #:jiti-kernel)

;;; What an evaluation and the compiler warn of, for the outcome to tell.

(defconstant +warning-count+ 50 "How many warnings an outcome holds.")
(defconstant +warning-characters+ 1000 "How long a warning can be.")

(defvar *warnings* '() "The texts of the warnings since the last outcome, newest first.")

(defun muffle (warning)
  "As MUFFLE-WARNING, also where WARNING was signalled without that restart."
  (let ((restart (find-restart 'muffle-warning warning)))
    (when restart (invoke-restart restart))))

(defun collect-warning (warning)
  (unless (or (typep warning 'sb-kernel:redefinition-warning)
              (>= (length *warnings*) +warning-count+))
    (push (report-text warning +warning-characters+) *warnings*))
  (muffle warning))

(defmacro with-collected-warnings (&body body)
  "Run BODY; what it and the compiler warn of goes to *WARNINGS*."
  `(handler-bind ((warning #'collect-warning))
     (with-compilation-unit () ,@body)))

(defun collected-warnings ()
  "The texts of the warnings since the last call."
  (prog1 (reverse *warnings*)
    (setf *warnings* '())))
