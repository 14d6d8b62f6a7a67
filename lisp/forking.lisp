(in-package #:jiti-kernel)

;;; How a worker forks. A fork copies one thread, so the process must have no other at that moment.

(defvar *finalizer-thread-runs* t
  "True while SBCL's own second thread runs, which would keep the process from forking.")

(defun stop-finalizer-thread ()
  (when (shiftf *finalizer-thread-runs* nil)
    (sb-impl::finalizer-thread-stop)))

(defun watch-heap ()
  "See to it that CHECK-HEAP is called after each collection, from here to the next fork."
  (heed-stop-signal)
  (when (and *hooks-need-thread* (not *finalizer-thread-runs*))
    (setf *finalizer-thread-runs* t)
    (sb-impl::finalizer-thread-start)))

(defun renew-thread-identity ()
  "Newer runtimes remember the system's number of the thread, which is another one in a fork."
  (let ((address (sb-sys:find-foreign-symbol-address "sb_posix_after_fork")))
    (when address
      (sb-alien:alien-funcall
       (sb-alien:sap-alien (sb-sys:int-sap address) (function sb-alien:void))))))

(defun join-ended-threads ()
  "An ended thread waits to be joined by the next that is made: a fork would wait for ever."
  (sb-thread::%dispose-thread-structs))

(defun other-threads ()
  "The threads of this process but for the one that runs."
  (remove sb-thread:*current-thread* (sb-thread:list-all-threads)))

(defun require-single-thread ()
  "Signal KERNEL-ERROR if this process has another thread: a fork would copy only this one."
  (let ((threads (other-threads)))
    (when threads
      (error 'kernel-error
             :reason (format nil "The world runs a thread, ~A, that no adapter stops, so it cannot ~
                                  be forked."
                             (sb-thread:thread-name (first threads)))))))

(defun fork-process ()
  "As fork(2). Signals KERNEL-ERROR when a thread of the world is running or the system refuses."
  (setf (worker-children *worker*) (remove-if #'reap-child (worker-children *worker*)))
  (quiesce-adapters)
  (stop-finalizer-thread)
  (require-single-thread)
  (join-ended-threads)
  (guard-fork)
  (let ((pid (checked-posix-call "fork" sb-alien:int)))
    (when (zerop pid)
      (renew-thread-identity))
    pid))

(defun set-child-handling (role)
  "The keeper lets the system reap its children; others need SBCL's handler, or RUN-PROGRAM hangs."
  (sb-sys:enable-interrupt +sigchld+ (if (eq role :keeper) :ignore #'sb-unix::sigchld-handler)))

(defun fork-worker (role nonce)
  "Fork. The parent gets the reply to send; the child, which now has ROLE and a connection of its
own, gets NIL and goes on serving where it is."
  (let ((pid (handler-case (fork-process)
               (kernel-error (condition)
                 (resume-world)
                 (return-from fork-worker
                   (list :failed :reason (condition-reason condition)))))))
    (cond ((plusp pid)
           (resume-world)
           (push pid (worker-children *worker*))
           (list :forked :pid pid))
          (t
           (close-descriptor (worker-descriptor *worker*))
           (when (eq (worker-role *worker*) :keeper)
             (setf *worldless* (list +init+ (parent-process-id)))
             (confine-process))
           (setf (worker-role *worker*) role
                 (worker-ready *worker*) nil
                 (worker-children *worker*) '()
                 (worker-troubles *worker*) '())
           (set-child-handling role)
           (say-hello nonce)
           (begin-fork-of-adapters role)
           nil))))

(defun forkable-roles ()
  "The roles that a fork of this process may take."
  (ecase (worker-role *worker*)
    (:keeper '(:world :verifier))
    (:verifier '(:verifier :runner))
    (:world '(:runner))
    (:candidate (if *pause* '(:candidate :runner) '(:runner)))
    (:runner '())))

(define-request :fork (:any) ((role keyword) (nonce string))
  (cond ((member role (forkable-roles))
         (case (worker-role *worker*)
           (:keeper (empty-unused-scratch))
           (:verifier (when (eq role :verifier) (empty-scratch))))
         (fork-worker role nonce))
        (t (refused "This process forks no ~(~A~)." role))))
