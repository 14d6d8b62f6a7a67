(in-package #:cl-user)

;;; A process as big as a world's that does nothing but fork: for each line on standard input it forks a child that exits at
;;; once, waits for it and answers with a line. Run in the folder of the kernel's files:
;;;   sbcl ... --load .../bench/fork.lisp

(load "files.lisp")

(handler-bind ((warning #'muffle-warning))
  (let ((*load-truename* (truename "files.lisp"))
        (*error-output* (make-broadcast-stream)))
    (mapc #'load (kernel-files))))

(sb-alien:define-alien-routine "fork" sb-alien:int)
(sb-alien:define-alien-routine ("_exit" exit-at-once) sb-alien:void (code sb-alien:int))
(sb-alien:define-alien-routine "waitpid" sb-alien:int
  (pid sb-alien:int) (status sb-sys:system-area-pointer) (options sb-alien:int))

(defun fork-and-wait ()
  "Fork a child that exits at once, and wait for its end."
  (let ((pid (fork)))
    (if (zerop pid)
        (exit-at-once 0)
        (waitpid pid (sb-sys:int-sap 0) 0))))

(setf (sb-ext:bytes-consed-between-gcs) (* 8 1024 1024))
(sb-ext:gc)
(sb-impl::finalizer-thread-stop)
(loop while (read-line *standard-input* nil)
      do (fork-and-wait)
         (write-line "done")
         (finish-output))
(sb-ext:exit :abort t)
