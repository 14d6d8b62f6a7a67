(in-package #:jiti-kernel)

;;; Goals and invariants. One is run in a throwaway fork, and tells what was seen.

;;; The form that decides is rewritten so that the values in it are noted as they come:
;;; - calls of functions of COMMON-LISP are looked into, as are AND, OR, IF, PROGN, LET and LET*;
;;; - any other call, and any variable, is noted with its value;
;;; - a call of COMMON-LISP in which nothing is noted is noted itself, unless it is a constant or
;;;   puts constants together;
;;; - where an AND fails, only what the last part that was tried noted counts.
;;; Each form is evaluated once, in the order in which it stands.

(defconstant +sight-count+ 5 "How many values a check shows.")
(defconstant +sight-characters+ 200 "How long each form and each value can be.")

(defvar *sights* '() "What was noted, newest first: (FORM . VALUE).")
(defvar *settled* '() "The tail of *SIGHTS* from before the part of an AND that was tried last.")

(defun note (form value)
  (push (cons form value) *sights*)
  value)

(defun noting (form)
  `(note ',form ,form))

(defun standard-function-p (name)
  (and (symbolp name)
       (eq (symbol-package name) (find-package '#:common-lisp))
       (fboundp name)
       (not (macro-function name))
       (not (special-operator-p name))))

(defun rewrite-last (forms)
  (append (butlast forms) (mapcar #'rewrite (last forms))))

(defun rewrite-call (form)
  "FORM, a call of a function of COMMON-LISP, with notes."
  (let ((arguments (mapcar #'rewrite (rest form))))
    (cond ((notevery #'eq arguments (rest form)) (cons (first form) arguments))
          ((and (member (first form) '(list list* cons vector)) (every #'constantp arguments)) form)
          (t (noting form)))))

(defun rewrite (form)
  "FORM with notes of what is seen in it; FORM itself where there is nothing to see."
  (if (constantp form)
      form
      (destructuring-bind (&optional operator &rest rest)
          (and (consp form) (ignore-errors (list-length form)) form)
        (case operator
          ((function lambda declare) form)
          (and `(and ,@(loop for part in rest
                             collect `(progn (setq *settled* *sights*) ,(rewrite part)))))
          ((or if) `(,operator ,@(mapcar #'rewrite rest)))
          (progn `(progn ,@(rewrite-last rest)))
          ((let let*) `(,operator ,(first rest) ,@(rewrite-last (rest rest))))
          (t (if (standard-function-p operator)
                 (rewrite-call form)
                 (noting form)))))))

(defvar *written* '()
  "The text of the check that runs, and where the lists in it stand: (TEXT . PLACES).")

(defun written-text (form)
  "FORM as it stands in the text of the check, NIL where it does not or has a comment in it."
  (destructuring-bind (&optional text . places) *written*
    (let ((place (and places (gethash form places))))
      (when place
        (let ((written (subseq text (car place) (cdr place))))
          (cond ((find #\; written) nil)
                ((<= (length written) +sight-characters+) written)
                (t (concatenate 'string (subseq written 0 (1- +sight-characters+)) "…"))))))))

(defun form-line-text (form)
  "FORM on one line: as it was written, else as a person writes it, lower case, 'X for (QUOTE X)."
  (one-line (or (written-text form)
                (bounded-text (lambda (stream)
                                (let ((*print-case* :downcase)
                                      (*print-pretty* t)
                                      (*print-right-margin* 10000))
                                  (prin1 form stream)))
                              +sight-characters+)
                (unprintable form))))

(defun seen-text (sight)
  (destructuring-bind (form . value) sight
    (format nil "~A => ~A" (form-line-text form) (printed value +sight-characters+))))

(defun sights-text (sights)
  "SIGHTS, newest first, as text: the oldest of them, in order."
  (let ((texts (loop for sight in (reverse sights)
                     repeat +sight-count+ collect (seen-text sight))))
    (format nil "~{~A~^; ~}" (remove-duplicates texts :test #'string= :from-end t))))

(defun failure-text ()
  "What was seen by a check that returned false."
  (let ((sights (ldiff *sights* *settled*)))
    (if sights (sights-text sights) "It returned NIL.")))

(defun named-p (name symbol)
  (and (symbolp symbol) (string= name (symbol-name symbol))))

(defun check-function (datum)
  "DATUM, a goal, an invariant or a bare lambda expression, as a lambda expression that notes what
is seen; NIL when it is neither."
  (when (and (consp datum) (consp (rest datum)) (ignore-errors (list-length datum)))
    (destructuring-bind (operator second &rest forms) datum
      (cond ((named-p "LAMBDA" operator)
             `(lambda ,second ,@(rewrite-last forms)))
            ((and (stringp second) (or (named-p "GOAL" operator) (named-p "INVARIANT" operator)))
             `(lambda () ,@(rewrite-last forms)))))))

(defun plain-p (form)
  "True if FORM is made of nothing but calls of functions, constants, variables and conditionals, so
that it comes to the same whether it is compiled or not."
  (cond ((atom form) t)
        ((not (ignore-errors (list-length form))) nil)
        (t
         (destructuring-bind (operator . rest) form
           (case operator
             (quote t)
             (function (symbolp (first rest)))
             ((and or if progn setq) (every #'plain-p rest))
             (t (and (symbolp operator)
                     (not (macro-function operator))
                     (not (special-operator-p operator))
                     (every #'plain-p rest))))))))

(defun make-predicate (lambda-expression)
  "The function that LAMBDA-EXPRESSION is. In a fresh fork the compiler takes longer than most
checks, so what is plain does without it."
  (destructuring-bind (parameters . forms) (rest lambda-expression)
    (if (and (null parameters) (every #'plain-p forms))
        (let ((sb-ext:*evaluator-mode* :interpret))
          (eval lambda-expression))
        (compile nil lambda-expression))))

(defun predicate-check (datum)
  "The function that runs DATUM, a predicate, and returns whether it passes, and what it saw; NIL
when it is none."
  (let ((function (check-function datum)))
    (when function
      (lambda ()
        (if (funcall (make-predicate function))
            (values t (sights-text *sights*))
            (values nil (failure-text)))))))

(defun read-check (text)
  "The function that runs the check in TEXT: whether it passes, and what is told. Signals
UNREADABLE."
  (let* ((forms (read-forms text))
         (datum (and forms (null (rest forms)) (form-datum (first forms)))))
    (or (predicate-check datum)
        (suite-check datum)
        (error 'unreadable :reason (format nil "A check is (goal \"NAME\" FORM...), ~
                                                (invariant \"NAME\" FORM...) or ~
                                                (lambda () FORM...).")))))

(defun run-check (text)
  "Whether the check in TEXT passes, and what it saw or why it fails."
  (flet ((fail (detail)
           (return-from run-check (values nil detail))))
    (let* ((places (make-hash-table :test 'eq))
           (function (handler-case (let ((*places* places))
                                     (read-check text))
                       (unreadable (condition)
                         (fail (condition-reason condition)))))
           (*written* (cons text places))
           (*sights* '())
           (*settled* '()))
      (with-world-syntax
        (with-captured-streams ((make-collector 0))
          (with-evaluation ((lambda (condition)
                              (leaving (fail (condition-text condition)))))
            (handler-bind ((warning #'muffle))
              (funcall function))))))))

(define-request :check (:runner)
    ((kind keyword) (name string) (file string) (line natural) (text string)
     (milliseconds natural))
  (declare (ignore kind name file line))
  (start-clock milliseconds)
  (multiple-value-bind (ok detail) (call-with-stack (lambda () (run-check text)))
    (list :checked :ok ok :detail detail)))

(define-request :index-checks (:runner) ((kind keyword) (file string) (text string))
  (handler-case (list :indexed :checks (index-checks kind text))
    (unreadable (condition)
      (list :unreadable :file file :line (condition-line condition)
                        :reason (condition-reason condition)))))
