(in-package #:jiti-kernel/tests)

(def-suite attempt :in kernel
  :description "Evaluation, restarts, printing and checks, as far as one process shows them.")
(in-suite attempt)

(defmacro as-candidate (&body body)
  "Run BODY as code of a candidate that holds an empty world."
  `(with-world ()
     (let ((jiti-kernel::*worker* (jiti-kernel::make-worker :role :candidate))
           (jiti-kernel::*output* (make-collector 100))
           (jiti-kernel::*warnings* '()))
       ,@body)))

(defun tried (text)
  "What EVALUATE-FORMS gives for TEXT where no pause can be opened."
  (out-of-reach
    (evaluate-forms (read-forms text) nil)))

;;; Evaluation

(test the-primary-value-of-the-last-form-counts
  (as-candidate
    (is (equal "NIL" (tried "")))
    (is (equal "3" (tried "(defun f (x) (1+ x)) (values (f 2) 4)")))
    (is (equal "\"a\"" (tried "\"a\"")))))

(test the-first-condition-ends-what-cannot-pause
  (as-candidate
    (multiple-value-bind (value failure) (tried "(defvar *a* 1) (error \"no ~A\" 2) (defvar *b* 1)")
      (declare (ignore value))
      (is (equal "no 2" (princ-to-string failure)))
      (is (equal "(1 NIL)" (tried "(list *a* (boundp '*b*))"))))))

(test nothing-leaks-out-of-an-evaluation
  (as-candidate
    (tried "(setf *print-base* 2 *read-base* 3 *read-default-float-format* 'double-float
                  *print-case* :downcase *package* (find-package :cl) *gensym-counter* 77)
            (set-macro-character #\\! (lambda (s c) s c 1)) (random 10)")
    (is (equal "(10 A 1.0 (EQL !))" (tried "(list 10 'a 1.0 '(eql !))")))
    (is (equal (tried "(loop repeat 9 collect (random 100))")
               (tried "(loop repeat 9 collect (random 100))")))))

(test leaving-past-the-kernel-is-an-error
  (as-candidate
    (tried "(defun leave () (throw :out 1))")
    (dolist (text '("(throw :out 1)" "(leave)"))
      (is (typep (nth-value 1 (catch :out (tried text))) 'jiti:evaluation-left)))))

(test warnings-are-collected-and-bounded
  (as-candidate
    (tried "(defun f (x) (g)) (defun g () 1) (warn \"mind\") (defun f () 1)")
    (is (equal '("The variable X is defined but never used." "mind") (collected-warnings)))
    (tried "(dotimes (i 1000) (warn \"w\"))")
    (is (= 50 (length (collected-warnings))))))

(test output-is-bounded-and-input-is-empty
  (as-candidate
    (tried "(format t \"ab~%\") (dotimes (i 200) (write-char #\\c *error-output*))")
    (multiple-value-bind (text dropped) (collected-text jiti-kernel::*output*)
      (is (equal (format nil "ab~%~A" (make-string 97 :initial-element #\c)) text))
      (is (= 103 dropped)))
    (dolist (stream '("*standard-input*" "*query-io*" "*terminal-io*" "*debug-io*"))
      (is (equal ":END" (tried (format nil "(read-line ~A nil :end)" stream)))))))

(test columns-of-output-are-known
  (let ((collector (make-collector 100)))
    (format collector "ab~&c~%~&d")
    (is (equal (format nil "ab~%c~%d") (collected-text collector)))))

;;; Restarts

(defun arities (text)
  "The numbers of arguments that the restarts around TEXT's error take, as (NAME LEAST MOST)."
  (let ((form (let ((*package* (find-package '#:jiti-kernel/tests)))
                (read-from-string text)))
        (*macroexpand-hook* #'jiti-kernel::expand-with-arities)
        (sb-kernel:*restart-clusters* '()))
    (block found
      (handler-bind ((error (lambda (condition)
                              (return-from found
                                (loop for restart in (compute-restarts condition)
                                      collect (list* (restart-name restart)
                                                     (multiple-value-list
                                                      (restart-arity restart))))))))
        (handler-bind ((warning #'muffle-warning))
          (eval form))))))

(test a-restart-tells-how-many-arguments-it-takes
  (is (equal '((none 0 0) (one 1 1) (two 2 2) (more 1 3) (rest 2 nil) (key 0 nil) (own 0 1))
             (arities "(restart-case (error \"e\")
                         (none () 1)
                         (one (x) x)
                         (two (x y) :report \"r\" (list x y))
                         (more (x &optional y (z 2)) (list x y z))
                         (rest (x y &rest z) (list x y z))
                         (key (&key x) x)
                         (own (&optional x) :interactive (lambda () (list 1)) :test (lambda (c) c t)
                           x))")))
  (is (equal '((bound 1 2))
             (arities "(restart-bind ((bound (lambda (a &optional b) (list a b))))
                         (error \"e\"))")))
  (is (equal '((bound 1 3))
             (arities "(progn (defgeneric answer-with (a &optional b c))
                              (defmethod answer-with (a &optional b c) (list a b c))
                              (restart-bind ((bound #'answer-with)) (error \"e\")))")))
  (is (equal '((continue 0 0) (use-value 1 1) (store-value 1 1))
             (arities "unbound-variable-of-this-test"))))

(test interactive-functions-keep-their-meaning
  (let ((*macroexpand-hook* #'jiti-kernel::expand-with-arities))
    (flet ((chosen (clause)
             (handler-bind ((error (lambda (condition)
                                     (invoke-restart-interactively
                                      (find-restart 'choose condition)))))
               (eval `(restart-case (error "e") ,clause)))))
      (is (equal '(1 2) (chosen '(choose (a b) :interactive (lambda () (list 1 2)) (list a b)))))
      (is (equal '(nil) (chosen '(choose (&optional a) (list a)))))
      (is (equal '("doc" 1) (chosen '(choose (&optional (a 1)) "doc" (list "doc" a))))))))

(test an-argument-is-one-datum
  (with-world ()
    (is (equal '(1 "a" (progn 1 2) nil)
               (mapcar #'read-argument '("1" " \"a\" ; why" "(progn 1 2)" "()"))))
    (is (eq (read-argument "foo") (find-symbol "FOO" "W")))
    (dolist (text '("" "1 2" "(" ")" ") (" "#.(car 1)" "none-such:x" "; only this"))
      (signals restart-misused (read-argument text) "~S was read" text))))

;;; Objects as text

(defclass unprintable () ())

(defmethod print-object ((object unprintable) stream)
  (write-string "before" stream)
  (error "This object does not print."))

(define-condition unreportable (error) ()
  (:report (lambda (condition stream)
             (declare (ignore condition stream))
             (car (list 1 (error "Nor does this."))))))

(test printing-is-bounded-and-harmless
  (with-world ()
    (is (equal "#<unprintable JITI-KERNEL/TESTS::UNPRINTABLE>"
               (printed (make-instance 'unprintable) 100)))
    (is (equal "#<unprintable JITI-KERNEL/TESTS::UNREPORTABLE>"
               (report-text (make-condition 'unreportable) 100)))
    (is (equal "(1 2 3…" (printed '(1 2 3 4 5) 7)))
    (let ((ring (list 1 2)) (nest (list 1)) (shared (list 1)))
      (setf (cddr ring) ring
            (car nest) nest)
      (is (equal "#1=(1 2 . #1#)" (printed ring 100)))
      (is (equal "#1=(#1#)" (printed nest 100)))
      (is (equal "((1) (1))" (printed (list shared shared) 100)))
      (is (equal "(#(0 0 0…" (printed (list (make-array 1000 :initial-element 0) ring) 9))))
    (is (= 1000 (length (printed (make-list 100000) 1000))))))

;;; Checks

(defun checked (text)
  "What the check TEXT tells: T, or why it failed."
  (multiple-value-bind (ok detail) (out-of-reach (run-check text))
    (if ok t detail)))

(defun goal-text (text)
  (format nil "(goal \"g\" ~A)" text))

(defun verdict (text)
  "What the check (goal \"g\" TEXT) tells: T, or why it failed."
  (checked (goal-text text)))

(defmacro with-total-price (&body body)
  `(as-candidate
     (tried "(defvar *rate* 0.08)
             (defun total-price (price type) (if (eq type :food) price (+ price 8)))")
     ,@body))

(test a-check-passes-when-its-last-form-is-true
  (with-total-price
    (is (eq t (verdict "(= (total-price 100.0 :food) 100)")))
    (is (eq t (verdict "nil (list 1)")))
    (is (eq t (checked "(lambda () (total-price 1 2))")))
    (is (eq t (checked "(invariant \"i\" (plusp 1))")))
    (is (equal "It returned NIL." (verdict "t nil")))
    (is (equal "It returned NIL." (verdict "")))
    (is (equal "It returned NIL." (verdict "(let ((x 1)) (declare (ignorable x)))")))))

(test a-failed-check-shows-what-was-seen
  (with-total-price
    (loop for (text detail)
            in '(("(= (total-price 100.0 :food) 102.0)" "(total-price 100.0 :food) => 100.0")
                 ("(> 1 (total-price 1 2) (total-price 2 3))"
                  "(total-price 1 2) => 9; (total-price 2 3) => 10")
                 ("(< (abs (- (total-price 1.0 :food) 2.0)) 0.001)"
                  "(total-price 1.0 :food) => 1.0")
                 ("(not (total-price 1 2))" "(total-price 1 2) => 9")
                 ("(and (= 1 (total-price 1 :food)) (= 2 (total-price 1 :food)))"
                  "(total-price 1 :food) => 1")
                 ("(or (= 7 (total-price 1 :food)) (= *rate* 1))"
                  "(total-price 1 :food) => 1; *rate* => 0.08")
                 ("(let ((x (total-price 1 2))) (= x 10))" "x => 9")
                 ("(if (= *rate* 1) t (= 2 (total-price 1 :food)))"
                  "*rate* => 0.08; (total-price 1 :food) => 1")
                 ("(equal '(a) (mapcar #'1+ (list 1)))" "(mapcar #'1+ (list 1)) => (2)")
                 ("(equal \"a\" (string-upcase \"a\"))" "(string-upcase \"a\") => \"A\"")
                 ("(eq (null (fboundp 'total-price)) t)"
                  "(fboundp 'total-price) => #<FUNCTION TOTAL-PRICE>")
                 ("(loop for i below 3 always (= i 1))"
                  "(loop for i below 3 always (= i 1)) => NIL")
                 ("(total-price nil :food)" "(total-price nil :food) => NIL")
                 ("(handler-case (progn (total-price nil :food)) (error () nil))"
                  "(handler-case (progn (total-price nil :food)) (error () nil)) => NIL")
                 ("(= 1 (total-price   1
                                       ;; two
                                       2))"
                  "(total-price 1 2) => 9"))
          do (is (equal detail (verdict text))))))

(test a-passed-check-shows-what-was-seen
  (with-total-price
    (tried "(defvar *long* (loop for i below 1000 collect i)) (defun f (x) (1+ x))")
    (flet ((seen (text)
             (multiple-value-bind (ok detail) (out-of-reach (run-check (goal-text text)))
               (is-true ok)
               detail)))
      (loop for (text detail)
              in '(("(= (total-price 100.0 :food) 100.0)" "(total-price 100.0 :food) => 100.0")
                   ("(and (= 1 (total-price 1 :food)) (= 9 (total-price 1 2)))"
                    "(total-price 1 :food) => 1; (total-price 1 2) => 9")
                   ("(or (= *rate* 1) (plusp *rate*) (total-price 1 2))" "*rate* => 0.08")
                   ("(< (f 1) (f 2) (f 3) (f 4) (f 5) (f 6))"
                    "(f 1) => 2; (f 2) => 3; (f 3) => 4; (f 4) => 5; (f 5) => 6")
                   ("t" ""))
            do (is (equal detail (seen text))))
      (is (= (+ (length "*long* => ") jiti-kernel::+sight-characters+)
             (length (seen "*long*")))))))

(test each-form-of-a-check-is-evaluated-once-and-in-order
  (with-total-price
    (tried "(defvar *seen* '()) (defun see (x) (push x *seen*) x)")
    (verdict "(= (see 1) (see 2) (see 3))")
    (is (equal "(3 2 1)" (tried "*seen*")))))

(test plain-checks-do-without-the-compiler
  (flet ((plain (text)
           (jiti-kernel::plain-p (let ((*package* (find-package '#:jiti-kernel/tests)))
                                   (read-from-string text)))))
    (dolist (text '("t" "*x*" "(= (f 1) 2)" "(and (f *x*) (or (equal '(a . b) (g #'car)) 1))" "()"))
      (is-true (plain text) "~A needs no compiler" text))
    (dolist (text '("(f . 1)" "(loop)" "(f (let ((x 1)) x))" "((lambda () 1))" "(f (lambda () 1))"
                    "(f #'(setf g))" "(the integer 1)" "#1=(f . #1#)"))
      (is-false (plain text) "~A needs the compiler" text)))
  (with-total-price
    (tried "(defun how () (compiled-function-p (eval '(lambda () 1))))")
    (is (eq t (verdict "(how)")))
    (is (eq t (verdict "(let () (how))")))))

(test an-error-in-a-check-is-its-detail
  (with-total-price
    (is (equal "DIVISION-BY-ZERO: arithmetic error DIVISION-BY-ZERO signalled
Operation was (/ 1 0)."
               (verdict "(/ 1 (- 1 1))")))
    (is (search "UNDEFINED-FUNCTION: The function W::NOT-YET is undefined."
                (verdict "(not-yet 1)")))
    (is (search "does not exist" (verdict "(no-package:f 1)")))
    (is (search "JITI:EVALUATION-LEFT" (catch :out (verdict "(throw :out 1)"))))
    (is (eq t (verdict "(progn (signal 'error) (signal 'warning) (warn \"w\") t)")))))

(test what-is-no-check-fails
  (with-total-price
    (dolist (text '("" "1" "(goal)" "(goal name t)" "(foo \"a\" t)" "(lambda () t) (lambda () t)"))
      (is (search "A check is" (checked text)) "~S passed for a check" text))
    (is (search "text ends" (checked "(goal \"g\" (car")))))
