(in-package #:cl-user)

;;; A process as big as a world's that does nothing but fork. Run in the folder of the kernel's files:
;;;   sbcl ... --load .../bench/fork.lisp --eval "(fork-for-ever)"

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

;;; Huge pages and the nursery are a world's.
(jiti-kernel::advise-huge-pages sb-vm:dynamic-space-start (sb-ext:dynamic-space-size))
(setf (sb-ext:bytes-consed-between-gcs) jiti-kernel::+nursery-octets+)
(sb-ext:gc)

(defun fork-for-ever ()
  "Fork once for each line on standard input, and answer with a line."
  (sb-impl::finalizer-thread-stop)
  (loop while (read-line *standard-input* nil)
        do (fork-and-wait)
           (write-line "done")
           (finish-output))
  (sb-ext:exit :abort t))
