(in-package #:jiti-kernel/tests)

(def-suite renewal
  :in kernel
  :description "The live world behaves as the one that is imported, whatever was redefined.")
(in-suite renewal)

(test what-is-compiled-with-a-definition-follows-it
  (dolist (case '(("(defmacro m (x) `(list 1 ,x))" "(m :x)" "(defmacro m (x) `(list 2 ,x))"
                   (1 :x) (2 :x))
                  ("(defconstant +c+ 1)" "+c+" "(defconstant +c+ 2)" 1 2)
                  ("(define-symbol-macro s 1)" "s" "(define-symbol-macro s 2)" 1 2)
                  ("(deftype ty () 'integer)" "(typep 1 'ty)" "(deftype ty () 'string)" t nil)
                  ("(declaim (inline i)) (defun i () 1)" "(i)" "(defun i () 2)" 1 2)
                  ("(defstruct (p (:constructor p (&optional (x 1)))) x)" "(p-x (p))"
                   "(defstruct (p (:constructor p (&optional (y 3) (x 2)))) y x)" 1 2)))
    (destructuring-bind (definition use change before after) case
      (with-world ()
        (run-forms definition)
        (run-forms (format nil "(defvar *calls* 0)
(defun f () ~A) (defmacro around () '(list (f) ~:*~A))
(defgeneric g (x)) (defmethod g (x) (incf *calls*) (around))" use))
        (is (equal (list before before) (evaluated "(g 1)")))
        (continuing (run-forms change))
        (is (equal (list after after) (evaluated "(g 1)")))
        (let ((defined (defined)))
          (reopened ()
            (is (equal defined (defined)))
            (is (equal (list after after) (evaluated "(g 1)")))
            (is (eql 3 (evaluated "*calls*")))))))))

(test what-is-declared-concerns-the-definition-itself
  (with-world ()
    (run-forms "(defun f (x) x) (defun g (x) (the integer x))")
    (run-forms "(declaim (ftype (function (integer) t) f))")
    (flet ((checks ()
             (evaluated "(list (ignore-errors (f \"\")) (ignore-errors (g \"\")))")))
      (is (equal '(nil nil) (checks)))
      (run-forms "(declaim (ftype (function (t) t) f)) (declaim (optimize (safety 0)))")
      (is (equal '("" "") (checks)))
      (reopened ()
        (is (equal '("" "") (checks)))))))

(test dependents-in-other-forms-follow-and-effects-do-not-recur
  (with-world ()
    (run-forms "(defmacro m () 1) (defvar *effects* 0)
(defmacro define (name) `(defun ,name () (m))) (define f)
(let ((x 1)) (declare (ignorable x)) (defun g () (m)))
(let () (incf *effects*) (defun h () 1))")
    (run-forms "(defmacro m () 2)")
    (is (equal '(2 2 1) (evaluated "(list (f) (g) *effects*)")))))

(test a-definition-above-one-that-it-needs
  (with-world ()
    (run-forms "(defvar *table* nil) (defun entry () :entry)")
    (run-forms "(defparameter *table* (list (entry)))")
    (is (equal '("variable *table*" "function entry") (defined)))
    (reopened ()
      (is (equal '("variable *table*" "function entry") (defined)))
      (is (equal '(:entry) (evaluated "*table*"))))))

(test closed-over-state
  (with-world ()
    (run-forms "(let ((n 0) (seen (make-hash-table)) (log *standard-output*))
  (declare (ignorable log))
  (defun next () (setf (gethash n seen) t log *standard-output*) (incf n)) (defun peek-at () n))")
    (let ((before (state-rows)))
      (is (equal '("what next closes over" "what peek-at closes over"
                   "what the texts in the package W are read as")
                 (mapcar #'first before)))
      (run-forms "(peek-at)")
      (is (equal before (state-rows)))
      (run-forms "(next)")
      (is (= 2 (length (set-difference (state-rows) before :test #'equal))))
      (run-forms "(defvar *n* 1) (defun next () (incf *n*)) (defun peek-at () *n*)")
      (is (equal '("what the texts in the package W are read as") (mapcar #'first (state-rows)))))))

(test what-cannot-be-renewed-is-named
  (with-world ()
    (run-forms "(defmacro m () 1) (defvar *effects* 0) (let () (incf *effects*) (defun h () (m)))")
    (run-forms "(defmacro m () 2)")
    (with-complaint (c not-reconstructible (definitions-text))
      (is (string= "h" (condition-path c)))
      (is (search "an earlier m" (condition-reason c))))
    (run-forms "(defun h () (m))")
    (is (eql 2 (evaluated "(h)")))
    (finishes (definitions-text))))

(test a-function-that-moves-up-sees-what-stands-below
  (with-world ()
    (run-forms "(defun f () 1) (defmacro m () 2) (defvar *dynamic* 1) (defun g () *dynamic*)")
    (run-forms "(defun f () (let ((*dynamic* (m))) (g)))")
    (is (equal '("function f" "macro m" "variable *dynamic*" "function g") (defined)))
    (is (eql 2 (evaluated "(f)")))
    (reopened ()
      (is (eql 2 (evaluated "(f)"))))))
