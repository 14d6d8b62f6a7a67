(in-package #:jiti-kernel)

;;; How a worker process starts: as the keeper, from a core or from source.

(defun command-line-option (name)
  "What follows NAME on the command line, or NIL."
  (second (member name sb-ext:*posix-argv* :test #'string=)))

(defun main ()
  "Be the keeper: `--socket PATH` and `--nonce N` on the command line say whom to work for. It never
returns."
  (let ((path (command-line-option "--socket"))
        (nonce (command-line-option "--nonce")))
    (unless (and path nonce)
      (format *error-output* "jiti-kernel: --socket PATH and --nonce N must be given.~%")
      (finish-output *error-output*)
      (end-process 64))
    (setf *worker* (make-worker :role :keeper :socket-path path)
          *evaluating-thread* sb-thread:*current-thread*
          sb-ext:*invoke-debugger-hook* #'take-condition)
    (stop-finalizer-thread)
    (become-subreaper)
    (forbid-tracing)
    (limit-process)
    (set-child-handling :keeper)
    (sb-sys:enable-interrupt +sigxcpu+ #'take-limit-signal)
    (say-hello nonce)
    ;; Where LOAD has called this, its handlers and restarts are none of the world's.
    (out-of-reach (serve))))
