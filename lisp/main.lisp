(in-package #:jiti-kernel)

;;; How a worker process starts: as the keeper, from a core or from source.

(defun command-line-option (name)
  "What follows NAME on the command line, or NIL."
  (second (member name sb-ext:*posix-argv* :test #'string=)))

(defun take-termination (signal information context)
  "The handler of SIGTERM."
  (declare (ignore signal information context))
  (end-worker 0))

(defun set-signal-handling ()
  "What a terminal sends to all its processes is the controller's business alone."
  (sb-sys:enable-interrupt +sighup+ :ignore)
  (sb-sys:enable-interrupt +sigint+ :ignore)
  (sb-sys:enable-interrupt +sigterm+ #'take-termination)
  (sb-sys:enable-interrupt +sigxcpu+ #'take-limit-signal)
  (set-child-handling :keeper))

(defun main ()
  "Be the keeper: `--socket PATH` and `--nonce N` on the command line say whom to work for, `--files
PATH` where copies of the world's files belong. With `--save FOLDER` instead, make a core as
SAVE-CORE does. It never returns."
  (let ((folder (command-line-option "--save"))
        (path (command-line-option "--socket"))
        (nonce (command-line-option "--nonce"))
        (files (command-line-option "--files")))
    (setf *evaluating-thread* sb-thread:*current-thread*
          sb-ext:*invoke-debugger-hook* #'take-condition)
    (when folder
      (save-core folder))
    (unless (and path nonce files)
      (format *error-output*
              "jiti-kernel: --socket PATH, --nonce N and --files PATH must be given.~%")
      (finish-output *error-output*)
      (end-process 64))
    (setf *worker* (make-worker :role :keeper :socket-path path)
          *files-root* (native-path files))
    (stop-finalizer-thread)
    (become-subreaper)
    (forbid-tracing)
    (limit-process (command-line-option "--processes"))
    (setf *confinement* (hexadecimal-octets (or (command-line-option "--confine") "")))
    (prepare-for-worlds)
    (set-signal-handling)
    (say-hello nonce)
    ;; Where LOAD has called this, its handlers and restarts are none of the world's.
    (out-of-reach (serve))))
