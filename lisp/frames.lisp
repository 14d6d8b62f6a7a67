(in-package #:jiti-kernel)

;;; The stack of a pause, cut to the attempt's own frames.

(defconstant +frame-count+ 60 "How many frames a pause shows.")
(defconstant +frame-search+ 400 "How many frames are looked at.")
(defconstant +argument-characters+ 60 "How long an argument can be.")

(defparameter *signalling-functions*
  '(error cerror warn signal break invoke-debugger sb-kernel:internal-error
    sb-debug::run-hook sb-debug::%break)
  "Functions of SBCL that lead from the code that signals to the debugger hook.")

(defun kernel-frame-p (name)
  "True when a frame called NAME is the kernel's own."
  (loop while (consp name)
        do (setf name (if (eq (first name) 'lambda) (getf (cddr name) :in) (second name))))
  (and (symbolp name) (eq (symbol-package name) (find-package '#:jiti-kernel))))

(defun signalling-frame-p (name)
  (or (kernel-frame-p name)
      (member name *signalling-functions*)
      (stringp name)
      (and (consp name) (stringp (second name)))
      (and (symbolp name) (symbol-package name)
           (search "-ERROR-HANDLER" (symbol-name name)))))

(defun frame-place (frame)
  "The file that FRAME's function comes from, or the empty string."
  (let ((source (sb-di:code-location-debug-source (sb-di:frame-code-location frame))))
    (or (and source (sb-di:debug-source-namestring source)) "")))

(defun frame-row (frame)
  "FRAME as (CALL PLACE)."
  (multiple-value-bind (name arguments) (sb-debug::frame-call frame)
    (list (format nil "(~A~{ ~A~})"
                  (printed name +argument-characters+)
                  (loop for argument in arguments
                        for count below 10
                        collect (printed argument +argument-characters+)))
          (frame-place frame))))

(defun attempt-frames ()
  "The frames of the code that is being evaluated, innermost first, as (CALL PLACE) each."
  (let ((rows ()) (inside nil) (evaluators '(eval sb-int:simple-eval-in-lexenv)))
    (block walk
      (sb-debug::map-backtrace
       (lambda (frame)
         (let ((name (sb-debug::frame-call frame)))
           (cond ((not inside)
                  (unless (signalling-frame-p name)
                    (setf inside t)
                    (push frame rows)))
                 ((or (eq name 'evaluate-datum) (= (length rows) +frame-count+))
                  (return-from walk))
                 (t (push frame rows)))))
       :count +frame-search+))
    ;; The outermost ones are the evaluator's.
    (loop while (and rows (member (sb-debug::frame-call (first rows)) evaluators))
          do (pop rows))
    (mapcar #'frame-row (nreverse rows))))
