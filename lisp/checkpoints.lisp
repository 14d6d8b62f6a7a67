(in-package #:jiti-kernel)

;;; The world around an attempt: frozen from its checkpoint on, until the attempt is dropped or the
;;; candidate takes its place. Several candidates may be forked from one checkpoint.

(defvar *checkpoints* '()
  "While an attempt is under way, what each adapter gave for it, the last first: (ADAPTER .
CHECKPOINT).")

(defvar *candidates* '() "The processes that were forked from the checkpoint.")

(defvar *accepted* nil "True in a process that is the accepted world.")

(defun candidates-live-p ()
  "True if a candidate of the attempt under way is alive."
  (setf *candidates* (remove-if #'reap-child *candidates*))
  (and *candidates* t))

(defun restore-adapters ()
  "Undo the checkpoints, the last first. Signals ADAPTER-FAILED when all have been tried."
  (let ((failure nil))
    (loop for (adapter . checkpoint) = (pop *checkpoints*)
          while adapter
          do (handler-case (call-adapter 'restore adapter checkpoint)
               (kernel-error (condition)
                 (setf failure (or failure condition)))))
    (when failure (error failure))))

(defun checkpoint-adapters ()
  "Take the checkpoints. Signals ADAPTER-FAILED; then none is left."
  (handler-bind ((kernel-error (lambda (condition)
                                 (declare (ignore condition))
                                 (restore-adapters))))
    (dolist (adapter *adapters*)
      (push (cons adapter (call-adapter 'checkpoint adapter)) *checkpoints*))))

(defun freeze-world ()
  "Stop and checkpoint the world for an attempt. Signals ADAPTER-FAILED."
  (unless (candidates-live-p)
    (empty-scratch)
    (restore-adapters))
  (quiesce-adapters)
  (unless *checkpoints*
    (checkpoint-adapters)))

(defun resume-world ()
  "Let the threads of the world run where it is accepted and no attempt is under way."
  (when (and *accepted* (null *checkpoints*))
    (resume-adapters)))

(defun begin-attempt (nonce)
  "Fork a candidate: the reply to send, NIL in the candidate."
  (handler-case (freeze-world)
    (kernel-error (condition)
      (resume-world)
      (return-from begin-attempt (list :failed :reason (condition-reason condition)))))
  (let ((reply (fork-worker :candidate nonce)))
    (cond ((null reply)
           (setf *output* (make-collector *output-limit*)
                 *warnings* '()
                 *repairs* 0
                 *checkpoints* '()
                 *candidates* '()
                 *accepted* nil))
          ((eq (first reply) :forked)
           (push (getf (rest reply) :pid) *candidates*))
          ((not (candidates-live-p))
           (restore-world)))
    reply))

(defun restore-world ()
  "Undo the checkpoints of the attempt, which was dropped, and let the world go on. Signals
ADAPTER-FAILED."
  (setf *candidates* '())
  (empty-scratch)
  (unwind-protect (restore-adapters)
    (resume-world)))

(define-request :attempt (:world) ((generation natural) (number natural) (nonce string))
  (declare (ignore number))
  (unless-stale (generation)
    (begin-attempt nonce)))

(define-request :restore (:world) ()
  (setf *accepted* t)
  (handler-case (progn (restore-world)
                       (list :restored))
    (kernel-error (condition)
      (list :failed :reason (condition-reason condition)))))

(defun promote-candidate ()
  "Make this candidate the world. Signals ADAPTER-FAILED before anything else is done."
  (dolist (adapter *adapters*)
    (call-adapter 'promote adapter))
  (empty-scratch)
  (setf (worker-role *worker*) :world
        (worker-ready *worker*) nil
        *accepted* t)
  (resume-world))
