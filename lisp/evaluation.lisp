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
  "Hand CONDITION to *ON-CONDITION*, which runs as the kernel's own code."
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

(defvar *memory-damaged* nil "True once a memory fault has happened in this process.")

;; The code can handle the condition that SBCL makes of it, and return as if nothing had happened.
(sb-int:encapsulate 'sb-sys:memory-fault-error 'jiti-kernel
                    (lambda (function &rest arguments)
                      (setf *memory-damaged* t)
                      (apply function arguments)))

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
