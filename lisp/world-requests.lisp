(in-package #:jiti-kernel)

;;; What a world or a verifier is asked: to be filled, to be named, to be tried.

(defvar *received* (list :definitions '() :data '())
  "Texts that arrived for each part, newest first.")

(defmacro unless-failed ((condition-type) &body body)
  "The value of BODY, or the reply :FAILED when it signals CONDITION-TYPE, a kind of LOAD-FAILED."
  `(handler-case (progn ,@body)
     (,condition-type (condition)
       (list :failed :file (condition-file condition) :line (condition-line condition)
                     :reason (condition-reason condition) :type (condition-type condition)))))

(define-request :open (:world :verifier)
    ((packages strings) (output-bytes natural) (forms-bytes natural) (depth natural)
     (allow strings) (deny strings))
  (open-world :packages packages :output-bytes output-bytes :forms-bytes forms-bytes
              :depth depth :allow allow :deny deny)
  (open-base)
  (list :opened))

(define-request :load-base (:world :verifier) ((file string) (text string))
  (unless-failed (base-failed)
    (load-base file text)
    (remember-standard-functions)
    (list :loaded)))

(define-request :receive (:world :verifier) ((part part) (text string))
  (push text (getf *received* part))
  (list :received))

(defun received-text (part)
  (apply #'concatenate 'string (reverse (shiftf (getf *received* part) ()))))

(define-request :import (:world :verifier) ()
  (unless-failed (import-failed)
    (import-definitions (received-text :definitions))
    (import-data (received-text :data))
    (list :imported)))

(define-request :adopt (:world :idle :paused :ready) ((revision natural) (generation natural))
  (setf (worker-revision *worker*) revision
        (worker-generation *worker*) (max generation (generation)))
  (list :adopted :revision revision :generation (generation)))

(defvar *checkpoints* '()
  "What each adapter gave when the last attempt began: (ADAPTER . CHECKPOINT).")

(defun restore-adapters ()
  "Drop what the last attempt left. The world hears nothing of how an attempt ends; where it is
asked for the next one, the last was not accepted."
  (loop for (adapter . checkpoint) = (pop *checkpoints*)
        while adapter
        do (call-adapter 'restore adapter checkpoint)))

(defun checkpoint-adapters ()
  (dolist (adapter *adapters*)
    (push (cons adapter (call-adapter 'checkpoint adapter)) *checkpoints*)))

(defun begin-attempt (nonce)
  "Fork a candidate: the reply to send, NIL in the candidate."
  (handler-case (progn (restore-adapters)
                       (checkpoint-adapters))
    (kernel-error (condition)
      (return-from begin-attempt (list :failed :reason (condition-reason condition)))))
  (or (fork-worker :candidate nonce)
      (progn (setf *output* (make-collector *output-limit*)
                   *warnings* '()
                   *checkpoints* '())
             nil)))

(define-request :attempt (:world) ((generation natural) (number natural) (nonce string))
  (declare (ignore number))
  (unless-stale (generation)
    (begin-attempt nonce)))
