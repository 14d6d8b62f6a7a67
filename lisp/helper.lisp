(in-package #:jiti-kernel)

;;; Where the stack is exhausted, about 32 KB of it are left to the pause: too little to compile.
;;; What is evaluated there runs in a helper thread, which has a stack of its own, while this one
;;; waits.

(defconstant +stack-reserve+ (* 256 1024) "Octets of stack that an evaluation should find.")

(defun stack-low-p ()
  (> (+ (sb-kernel::control-stack-usage) +stack-reserve+)
     (sb-alien:extern-alien "thread_control_stack_size" sb-alien:unsigned)))

(defparameter *bindings-for-helper* '(*pause* *recording* *on-condition*)
  "Variables of the kernel whose bindings here the helper must have too.")

(defun call-in-helper (function)
  "The values of FUNCTION, called in a thread of its own. What code of the world has bound around
this call is not bound there."
  (let* ((outer *evaluating-thread*)
         (values (mapcar #'symbol-value *bindings-for-helper*))
         (helper (sb-thread:make-thread
                  (lambda ()
                    (progv *bindings-for-helper* values
                      (setf *evaluating-thread* sb-thread:*current-thread*)
                      (funcall function)))
                  :name "helper")))
    (multiple-value-prog1 (sb-thread:join-thread helper)
      (setf *evaluating-thread* outer))))

(defun call-with-stack (function)
  "The values of FUNCTION, called where there is enough stack."
  (if (stack-low-p)
      (call-in-helper function)
      (funcall function)))
