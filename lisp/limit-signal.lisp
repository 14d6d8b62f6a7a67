(in-package #:jiti-kernel)

;;; SIGXCPU, the signal that stops an evaluation: its time is over, or the heap is nearly full. SBCL
;;; defers this one where nothing may interrupt it, as in the collector; SIGUSR1 and SIGUSR2 it does
;;; not defer.

(defvar *time-limit* nil
  "The milliseconds that the controller gives to what is evaluated; NIL where it does not say.")
(defvar *started* 0 "The internal real time at which that began.")

(defconstant +clock-difference+ 100
  "Milliseconds by which the controller's clock may be ahead: it runs from the request on.")

(defun start-clock (milliseconds)
  "Let the time of an evaluation, MILLISECONDS, begin now."
  (setf *time-limit* milliseconds
        *started* (get-internal-real-time)))

(defun milliseconds-since-start ()
  (floor (* 1000 (- (get-internal-real-time) *started*)) internal-time-units-per-second))

(defun seconds-text (milliseconds)
  "MILLISECONDS as seconds, with no more digits than it takes."
  (multiple-value-bind (seconds rest) (floor milliseconds 1000)
    (if (zerop rest)
        (format nil "~D" seconds)
        (string-right-trim "0" (format nil "~D.~3,'0D" seconds rest)))))

(defun make-limit (type)
  "A condition of TYPE, TIME-LIMIT or HEAP-LOW, for what happens now."
  (cond ((or (not (eq type 'time-limit)) (null *time-limit*))
         (make-condition type))
        ((>= (+ (milliseconds-since-start) +clock-difference+) *time-limit*)
         (make-condition type :seconds (seconds-text *time-limit*)))
        (t (make-condition type :stopped t))))

(defvar *heap-low* nil "True from the collection that found the heap low until its signal arrives.")

#+x86-64
(defconstant +stack-pointer+ 4 "The number of the register RSP.")

(defun take-limit (limit)
  "Hand a condition of type LIMIT to whoever runs the code, directly: if it were signalled, the code
could swallow it."
  (when *on-condition*
    (sb-sys:with-interrupts
      (sb-unix::unblock-deferrable-signals)
      (with-simple-restart (continue "Let the evaluation go on.")
        (interrupt-evaluation (make-limit limit))))))

(defun leaving-block-p (context)
  "True if the signal with CONTEXT has stopped control in the moment of leaving a block. The stack
of the block is given up then, but the lists of handlers and restarts still lead to what lies there,
and a handler of the signal would overwrite that."
  #+x86-64
  (let ((end (sb-vm:context-register (sb-alien:sap-alien context (* sb-sys:os-context-t))
                                     +stack-pointer+))
        (start (sb-sys:sap-int (sb-vm::current-sp))))
    (flet ((given-up-p (clusters)
             (< start (sb-kernel:get-lisp-obj-address clusters) end)))
      (or (given-up-p sb-kernel:*handler-clusters*)
          (given-up-p sb-kernel:*restart-clusters*))))
  #-x86-64
  (progn context nil))

(defun take-limit-signal (signal information context)
  "The handler of SIGXCPU, which says that the time is over or the heap low. It comes again soon."
  (declare (ignore signal information))
  (unless (leaving-block-p context)
    (let ((limit (if (shiftf *heap-low* nil) 'heap-low 'time-limit)))
      (if (eq sb-thread:*current-thread* *evaluating-thread*)
          (take-limit limit)
          (sb-thread:interrupt-thread *evaluating-thread* (lambda () (take-limit limit)))))))

;;; Where small objects fill the heap, SBCL can only end the process. So the evaluation pauses while
;;; the collector can still copy what is live.

(defconstant +heap-share+ 45/100 "The share of the heap that may be live after a collection.")

(defun check-heap ()
  "The hook after each collection. SBCL runs it where nothing may pause, hence the signal."
  (when (> (sb-kernel:dynamic-usage) (* +heap-share+ (sb-ext:dynamic-space-size)))
    (setf *heap-low* t)
    (signal-process (process-id) +sigxcpu+)))
