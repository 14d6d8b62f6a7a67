(in-package #:jiti-kernel)

;;; What the kernel signals. The first group ends as a reply to the controller, the second as a
;;; pause, the third ends the process.

(define-condition kernel-error (error)
  ((reason :initarg :reason :reader condition-reason
           :documentation "One or a few sentences for the person at the screen."))
  (:report (lambda (condition stream)
             (write-string (condition-reason condition) stream)))
  (:documentation "The kernel cannot do what it was asked to do. The world is as it was."))

(define-condition invalid-text (kernel-error)
  ((line :initarg :line :initform nil :reader condition-line
         :documentation "From 1, in the text that is at fault; NIL where it is not known.")
   (column :initarg :column :initform nil :reader condition-column
           :documentation "From 0."))
  (:documentation "What the controller passed on is at fault. Nothing of it was evaluated."))

(define-condition unreadable (invalid-text) ()
  (:documentation "The text is not a sequence of Lisp forms, or exceeds its bounds."))

(define-condition refused-form (invalid-text) ()
  (:documentation "The form policy does not allow what stands at that place."))

(define-condition restart-misused (invalid-text) ()
  (:documentation "There is no such restart in the live menu, or its arguments do not fit."))

(define-condition load-failed (kernel-error)
  ((file :initarg :file :reader condition-file)
   (line :initarg :line :initform nil :reader condition-line)
   (type :initarg :type :initform "" :reader condition-type
         :documentation "The name of the type of the condition that stopped it, printed."))
  (:documentation "Code or data of the world stopped while it was loaded."))

(define-condition base-failed (load-failed) ()
  (:documentation "A base file or a system of the world did not load."))

(define-condition import-failed (load-failed) ()
  (:documentation "What a revision holds did not load."))

(define-condition not-reconstructible (kernel-error)
  ((path :initarg :path :initform "" :reader condition-path
         :documentation "Where the culprit is, as an expression that a reader can follow."))
  (:documentation "Something live cannot be written down as text that brings it back."))

(defun refuse-revision (path control &rest arguments)
  "Signal NOT-RECONSTRUCTIBLE at PATH, for the reason that CONTROL and ARGUMENTS are as text."
  (error 'not-reconstructible :path path :reason (apply #'format nil control arguments)))

(define-condition path-refused (kernel-error) ()
  (:documentation "A path does not name a file of the world."))

(define-condition time-limit (serious-condition)
  ((seconds :initarg :seconds :initform nil :reader time-limit-seconds
            :documentation "The limit as text; NIL where it is not known or not over.")
   (stopped :initarg :stopped :initform nil :reader time-limit-stopped
            :documentation "True where it is not over: the operator has stopped the evaluation."))
  (:report (lambda (condition stream)
             (let ((seconds (time-limit-seconds condition)))
               (cond (seconds
                      (format stream "The evaluation has taken more than ~A second~:[s~;~]."
                              seconds (string= seconds "1")))
                     ((time-limit-stopped condition)
                      (write-string "The operator has stopped the evaluation." stream))
                     (t (write-string "The time for the evaluation is over." stream))))))
  (:documentation "The controller has stopped the evaluation where it was."))

(define-condition heap-low (storage-condition) ()
  (:report "The heap is nearly full.")
  (:documentation "The evaluation has left too little of the heap to go on safely."))

(define-condition activity-left (error)
  ((names :initarg :names :reader activity-left-names
          :documentation "What was left running, as texts such as \"the thread idler\"."))
  (:report (lambda (condition stream)
             (format stream "The evaluation has left ~
                             ~{~#[~;~A~;~A and ~A~:;~@{~A~#[~;, and ~:;, ~]~}~]~} running, which ~
                             no adapter manages. What runs beside the evaluation keeps the world ~
                             from being forked, so it was ended."
                     (activity-left-names condition))))
  (:documentation "Evaluated code has returned, but something that it started has not."))

(define-condition memory-damaged (error)
  ()
  (:report "Memory may be damaged: the evaluation has read or written where nothing is.")
  (:documentation "There was a memory fault, even if the code has handled it."))

(define-condition evaluation-left (error)
  ()
  (:report "The evaluation tried to leave the world, as EXIT does.")
  (:documentation "Evaluated code transferred control past the kernel."))

(define-condition wire-error (kernel-error) ()
  (:documentation "What came from the controller is not a message of the wire."))

(define-condition controller-lost (kernel-error) ()
  (:default-initargs :reason "The controller's connection has ended.")
  (:documentation "There is nobody left to work for: the process ends."))
