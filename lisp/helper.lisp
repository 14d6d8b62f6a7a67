(in-package #:jiti-kernel)

;;; Where the stack is exhausted, about 32 KB of it are left to the pause: too little to compile.
;;; What is evaluated there runs in a helper thread, which has a stack of its own, while this one
;;; waits.

(defconstant +stack-reserve+ (* 256 1024) "Octets of stack that an evaluation should find.")

(defun stack-low-p ()
  (> (+ (sb-kernel::control-stack-usage) +stack-reserve+)
     (sb-alien:extern-alien "thread_control_stack_size" sb-alien:unsigned)))

(defun bindings-in (thread)
  "The variables that THREAD, another one, has bound, and their values; but not those of SBCL's own
packages, which are about the thread itself."
  (let ((seen (make-hash-table :test 'eq)))
    (do-all-symbols (symbol)
      (let ((package (symbol-package symbol)))
        (unless (or (null package)
                    (gethash symbol seen)
                    (sbcls-package-p package))
          (multiple-value-bind (value boundp) (sb-thread:symbol-value-in-thread symbol thread nil)
            (when boundp
              (setf (gethash symbol seen) value))))))
    (loop for symbol being the hash-keys of seen using (hash-value value)
          collect symbol into symbols
          collect value into values
          finally (return (values symbols values)))))

(defun assign-changed (symbols before after)
  "Assign to SYMBOLS those of the values AFTER that are others than those BEFORE."
  (loop for symbol in symbols
        for old in before
        for new in after
        unless (eq old new)
          do (setf (symbol-value symbol) new)))

(defun call-in-helper (function)
  "The values of FUNCTION, called in a thread of its own, in which everything is bound that is bound
here. What it assigns is assigned here when it has returned."
  (let* ((outer sb-thread:*current-thread*)
         (changed (constantly nil))
         (helper (sb-thread:make-thread
                  (lambda ()
                    (multiple-value-bind (symbols before) (bindings-in outer)
                      (progv symbols before
                        (setf *evaluating-thread* sb-thread:*current-thread*)
                        (multiple-value-prog1 (funcall function)
                          (let ((after (mapcar #'symbol-value symbols)))
                            (setf changed (lambda () (assign-changed symbols before after))))))))
                  :name "helper")))
    (multiple-value-prog1 (sb-thread:join-thread helper)
      (setf *evaluating-thread* outer)
      (funcall changed))))

(defun call-with-stack (function)
  "The values of FUNCTION, called where there is enough stack."
  (if (stack-low-p)
      (call-in-helper function)
      (funcall function)))
