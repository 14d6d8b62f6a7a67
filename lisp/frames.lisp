(in-package #:jiti-kernel)

;;; The stack of a pause, cut to the attempt's own frames.

(defconstant +frame-count+ 60 "How many frames a pause shows.")
(defconstant +frame-search+ 400 "How many frames are looked at.")
(defconstant +argument-count+ 10 "How many arguments of a call are shown.")
(defconstant +argument-characters+ 60 "How long an argument can be.")

(defun frame-name (frame)
  "What SBCL calls FRAME's function; a string for one of the runtime."
  (sb-di:debug-fun-name (sb-di:frame-debug-fun frame)))

(defun frame-function (frame)
  "The symbol that names FRAME's function or the one it is local to; NIL for code without a name."
  (loop with name = (frame-name frame)
        while (consp name)
        do (setf name (cond ((eq (first name) 'setf) (second name))
                            ((find :in name) (second (member :in name)))
                            (t (find-if #'symbolp (rest name)))))
        finally (return (and (symbolp name) name))))

(defun world-frame-p (frame)
  "True unless FRAME is the kernel's or an internal one of SBCL, as those are that signal."
  (let* ((function (frame-function frame))
         (package (and function (symbol-package function))))
    (not (or (stringp (frame-name frame))
             (and package
                  (or (sbcls-package-p package)
                      (eq package (find-package '#:jiti-kernel))
                      (member function '(error cerror warn signal break invoke-debugger))))))))

(defun arguments-kept-p (frame)
  "True if the arguments of FRAME can be read. Where a limit has stopped the code, only code of the
world is sure to have them still: in any other, what held them may hold anything by now, and just to
look at it can damage memory."
  (or (not (typep (pause-condition *pause*) '(or time-limit heap-low)))
      (form-p (frame-form frame))))

(defun frame-text (frame)
  "The call that FRAME is."
  (multiple-value-bind (name arguments) (if (arguments-kept-p frame)
                                            (sb-debug::frame-call frame)
                                            (values (frame-function frame) '()))
    (format nil "(~A~{ ~A~})"
            (printed name +argument-characters+)
            (loop for argument in arguments
                  repeat +argument-count+
                  collect (printed argument +argument-characters+)))))

(defun frame-row (frame)
  "FRAME as (CALL PLACE LINE)."
  (let ((location (frame-location frame)))
    (list (frame-text frame) (location-place location) (location-line location))))

(defun evaluation-frames ()
  "The frames between EVALUATE-DATUM and the code that signals, outermost first; none when control
has already left that. Of a very deep stack, the innermost."
  (let ((frames ()) (walked 0))
    (sb-debug::map-backtrace
     (lambda (frame)
       (incf walked)
       (case (frame-function frame)
         (evaluate-datum (return-from evaluation-frames frames))
         ((evaluate-form evaluate-forms) (return-from evaluation-frames ()))
         (t (when (or frames (world-frame-p frame))
              (push frame frames)))))
     :count +frame-search+)
    (and (= walked +frame-search+) frames)))

(defun attempt-frames ()
  "The frames of the code that is being evaluated, innermost first."
  (let ((frames (evaluation-frames)))
    (loop while (and frames (member (frame-function (first frames))
                                    '(eval sb-int:simple-eval-in-lexenv)))
          do (pop frames))
    (reverse (last frames +frame-count+))))

;;; Locals

(defconstant +local-count+ 60 "How many variables of a frame are shown.")
(defconstant +local-characters+ 300 "How long the value of one can be.")

(defun own-name-p (symbol)
  "True of the name of a variable that somebody wrote; false of those that the compiler makes."
  (and (symbol-package symbol)
       (not (sbcls-symbol-p symbol))))

(defun frame-locals (frame)
  "The variables of FRAME that can be read where it stands, as (NAME VALUE), in order."
  (let ((location (sb-di:frame-code-location frame)) (locals '()))
    (handler-case
        (sb-di:do-debug-fun-vars (variable (sb-di:frame-debug-fun frame))
          (when (and (eq :valid (sb-di:debug-var-validity variable location))
                     (own-name-p (sb-di:debug-var-symbol variable)))
            (push (cons (sb-di:debug-var-symbol variable)
                        (sb-di:debug-var-value variable frame))
                  locals)))
      (sb-di:debug-condition ())) ; the code keeps none
    (loop for (name . value) in (reverse locals)
          repeat +local-count+
          collect (list (world-name name) (printed value +local-characters+)))))
