(in-package #:jiti-kernel)

;;; The surroundings in which the code of a world runs: what happens when it signals, takes too long
;;; or leaves, and what it finds bound.

(defvar *on-condition* nil
  "While code of the world runs, the function that takes a condition nobody handled, or TIME-LIMIT.
It transfers control, or returns to let the code go on. NIL while the kernel itself runs.")

(defvar *leaving* nil
  "True while control leaves the innermost evaluation as the kernel wants it to.")

(defvar *evaluating-thread* sb-thread:*current-thread*
  "The only thread whose conditions count and which a limit stops.")

(defun interrupt-evaluation (condition)
  (let ((handler *on-condition*)
        (*on-condition* nil)
        (sb-ext:*invoke-debugger-hook* #'take-condition)
        ;; What the kernel itself signals is no business of the code.
        (*break-on-signals* nil)
        ;; SBCL counts errors inside errors and gives up at ten; each pause starts its own count.
        (sb-kernel::*current-error-depth* 0))
    (funcall handler condition)))

(defun take-condition (condition hook)
  "The debugger hook: hand CONDITION to whoever runs the code. What the kernel itself signals ends
the process; a thread of the world ends alone, and the controller is told."
  (declare (ignore hook))
  (unless (eq sb-thread:*current-thread* *evaluating-thread*)
    (note-trouble "The thread ~A ended: ~A"
                  (sb-thread:thread-name sb-thread:*current-thread*) (condition-text condition))
    (sb-thread:abort-thread))
  (unless *on-condition*
    (format sb-sys:*stderr* "~&jiti-kernel: ~A: ~A~%" (type-of condition) condition)
    (finish-output sb-sys:*stderr*)
    (end-process 70))
  (interrupt-evaluation condition))

(defvar *time-limit* nil
  "The milliseconds that the controller gives to what is evaluated; NIL where it does not say.")
(defvar *started* 0 "The internal real time at which that began.")

(defconstant +clock-difference+ 100
  "Milliseconds by which the controller's clock may be ahead: it runs from the request on.")

(defun start-clock (milliseconds)
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

(defvar *memory-damaged* nil "True once a memory fault has happened in this process.")

;; The code can handle the condition that SBCL makes of it, and return as if nothing had happened.
(sb-int:encapsulate 'sb-sys:memory-fault-error 'jiti-kernel
                    (lambda (function &rest arguments)
                      (setf *memory-damaged* t)
                      (apply function arguments)))

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

(defun call-without-escape (function)
  "The values of FUNCTION. When control leaves it otherwise, and not *LEAVING*, an error is
signalled in its place: EXIT, or a THROW past a pause, would end what only the controller may end."
  (tagbody
     (let ((*leaving* nil) (returned nil))
       (unwind-protect
            (return-from call-without-escape
              (multiple-value-prog1 (funcall function)
                (setf returned t)))
         (unless (or returned *leaving*)
           (setf sb-sys:*exit-in-progress* nil)
           (go escaped))))
   escaped)
  (call-without-escape (lambda () (error 'evaluation-left))))

(defmacro with-evaluation ((on-condition) &body body)
  "Run BODY, which runs code of the world, with ON-CONDITION as *ON-CONDITION*. To leave BODY,
ON-CONDITION transfers control within LEAVING."
  `(let ((*on-condition* ,on-condition)
         (sb-ext:*invoke-debugger-hook* #'take-condition)
         (*debugger-hook* nil))
     (call-without-escape (lambda () ,@body))))

(defmacro leaving (&body transfer)
  "Do TRANSFER, which leaves the innermost evaluation."
  `(progn (setf *leaving* t) ,@transfer))

(defmacro out-of-reach (&body body)
  "Run BODY out of reach of the handlers and restarts around it."
  `(let ((sb-kernel:*handler-clusters* sb-kernel::**initial-handler-clusters**)
         (sb-kernel:*restart-clusters* '()))
     ,@body))

(defun call-until-condition (function on-failure &key (heap-limited t))
  "The values of FUNCTION, which runs code of the world, out of reach of all that handles conditions
around the kernel. The first condition that nothing inside handles, or a limit, ends it: then the
values of ON-FAILURE, which gets that. Unless HEAP-LIMITED, it is the kernel that fills the heap."
  (let ((failure nil))
    (block evaluation
      (return-from call-until-condition
        (with-evaluation ((lambda (condition)
                            (when (or heap-limited (not (typep condition 'heap-low)))
                              (setf failure condition)
                              (leaving (return-from evaluation)))))
          (let ((sb-kernel:*handler-clusters* sb-kernel::**initial-handler-clusters**))
            (handler-bind ((warning #'muffle-warning))
              (funcall function))))))
    (funcall on-failure failure)))

(defmacro with-standard-text (&body body)
  "Run BODY with the standard syntax and the reading package, if there is one yet."
  `(with-standard-io-syntax
     (let ((*package* (or (find-package (first *opened-packages*))
                          (find-package "COMMON-LISP-USER")))
           (*print-readably* nil)
           (*read-eval* nil))
       ,@body)))

(defmacro with-world-syntax (&body body)
  "Run BODY, which runs code of the world, with the standard syntax, the reading package, and a
readtable, random state, gensym counter and the like of its own, so that no change to them outlives
BODY."
  `(with-standard-text
     (watch-heap)
     (let ((*readtable* (copy-readtable nil))
           (*random-state* (make-random-state nil))
           (*gensym-counter* 0)
           (*macroexpand-hook* #'expand-macro)
           (*default-pathname-defaults* *default-pathname-defaults*)
           (sb-ext:*evaluator-mode* :compile)
           (*break-on-signals* nil))
       ,@body)))

;;; Warnings

(defconstant +warning-count+ 50 "How many warnings an outcome holds.")
(defconstant +warning-characters+ 1000 "How long a warning can be.")

(defvar *warnings* '() "The texts of the warnings since the last outcome, newest first.")

(defun muffle (warning)
  "As MUFFLE-WARNING, also where WARNING was signalled without that restart."
  (let ((restart (find-restart 'muffle-warning warning)))
    (when restart (invoke-restart restart))))

(defun collect-warning (warning)
  (unless (or (typep warning 'sb-kernel:redefinition-warning)
              (>= (length *warnings*) +warning-count+))
    (push (report-text warning +warning-characters+) *warnings*))
  (muffle warning))

(defmacro with-collected-warnings (&body body)
  "Run BODY; what it and the compiler warn of goes to *WARNINGS*."
  `(handler-bind ((warning #'collect-warning))
     (with-compilation-unit () ,@body)))

(defun collected-warnings ()
  "The texts of the warnings since the last call."
  (prog1 (reverse *warnings*)
    (setf *warnings* '())))
