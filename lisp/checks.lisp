(in-package #:jiti-kernel)

;;; Goals and invariants. One is run in a throwaway fork, and tells what was seen.

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
