;;;; A queue and the thread that does its jobs. The thread runs in the accepted world alone, while no
;;;; attempt is under way; a proposal and a check do the jobs themselves, with RUN-PENDING.

(in-package #:job-queue)

(defvar *waiting* '() "The jobs that wait, the next one first: (KIND ARGUMENT).")
(defvar *done* '() "The jobs that are done, the last one first: (KIND ARGUMENT RESULT).")

(defgeneric perform (kind argument)
  (:documentation "Do the job of KIND, a keyword, with ARGUMENT, and return its result."))

(defclass queue (jiti:adapter)
  ((lock :initform (sb-thread:make-mutex :name "queue") :reader lock)
   (news :initform (sb-thread:make-waitqueue :name "queue") :reader news)
   (thread :initform nil :accessor thread)
   (stopping :initform nil :accessor stopping))
  (:default-initargs :name "queue")
  (:documentation "What of the queue is no data: the thread, and what it waits with."))

(defun do-next ()
  "Do the next job; true if there was one. The result of one that fails is (:FAILED KIND-OF-ERROR)."
  (let ((job (pop *waiting*)))
    (when job
      (push (append job (list (handler-case (apply #'perform job)
                                (error (condition) (list :failed (type-of condition))))))
            *done*)
      t)))

(defun work (queue)
  "What the thread of QUEUE does."
  (sb-thread:with-mutex ((lock queue))
    (loop until (stopping queue)
          unless (do-next)
            do (sb-thread:condition-wait (news queue) (lock queue)))))

(defmethod jiti:resume-activity ((queue queue))
  (unless (thread queue)
    (setf (stopping queue) nil
          (thread queue) (sb-thread:make-thread #'work :name "queue" :arguments (list queue)))))

(defmethod jiti:quiesce ((queue queue))
  (when (thread queue)
    (sb-thread:with-mutex ((lock queue))
      (setf (stopping queue) t)
      (sb-thread:condition-broadcast (news queue)))
    (sb-thread:join-thread (thread queue) :default nil)
    (setf (thread queue) nil)))

;;; No variable holds the adapter: it is no data, and could not be written down.
(let ((queue (make-instance 'queue)))
  (defun enqueue (kind argument)
    "Put a job at the end of the queue."
    (sb-thread:with-mutex ((lock queue))
      (setf *waiting* (append *waiting* (list (list kind argument))))
      (sb-thread:condition-broadcast (news queue)))
    kind)

  (defun run-pending ()
    "Do all jobs that wait, here and now; how many there were."
    (sb-thread:with-mutex ((lock queue))
      (loop while (do-next) count t))))

(defun result (kind argument)
  "What the last job of KIND with ARGUMENT gave, NIL if none is done."
  (third (find-if (lambda (job)
                    (and (eq (first job) kind) (equal (second job) argument)))
                  *done*)))
