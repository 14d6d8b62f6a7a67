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
  "True when a frame called NAME is no code of the world: it signals for it, or is the kernel's."
  (or (kernel-frame-p name)
      (member name *signalling-functions*)
      (stringp name)
      (and (consp name) (stringp (second name)))
      (and (symbolp name) (symbol-package name)
           (search "-ERROR-HANDLER" (symbol-name name)))))

(defun frame-place (frame)
  "The file that FRAME's function comes from, or the empty string."
  (let ((source (and (not (stringp (sb-debug::frame-call frame))) ; as those of C functions are
                     (sb-di:code-location-debug-source (sb-di:frame-code-location frame)))))
    (or (and source (sb-di:debug-source-namestring source)) "")))

(defun frame-row (frame)
  "FRAME as (CALL PLACE)."
  (multiple-value-bind (name arguments) (sb-debug::frame-call frame)
    (list (format nil "(~A~{ ~A~})"
                  (if (stringp name) name (printed name +argument-characters+))
                  (loop for argument in arguments
                        for count below 10
                        collect (printed argument +argument-characters+)))
          (frame-place frame))))

(defun evaluation-frames ()
  "The frames between EVALUATE-DATUM and the code that signals, outermost first; none when control
has already left that. Of a very deep stack, the innermost."
  (let ((frames ()) (walked 0))
    (sb-debug::map-backtrace
     (lambda (frame)
       (let ((name (sb-debug::frame-call frame)))
         (incf walked)
         (cond ((eq name 'evaluate-datum)
                (return-from evaluation-frames frames))
               ((or frames (not (signalling-frame-p name)))
                (push frame frames)))))
     :count +frame-search+)
    (and (= walked +frame-search+) frames)))

(defun attempt-frames ()
  "The frames of the code that is being evaluated, innermost first, as (CALL PLACE) each."
  (let ((frames (evaluation-frames)))
    (loop while (and frames (member (sb-debug::frame-call (first frames))
                                    '(eval sb-int:simple-eval-in-lexenv)))
          do (pop frames))
    (mapcar #'frame-row (reverse (last frames +frame-count+)))))
