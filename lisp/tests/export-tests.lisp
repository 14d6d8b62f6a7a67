(in-package #:jiti-kernel/tests)

(def-suite export :in kernel :description "A world as two texts, and the world that comes of them.")
(in-suite export)

(test the-demo-story
  (with-world (:packages '("SALES-TAX"))
    (run-forms "(progn (defun sales-tax (price) (* price 0.05))
       (defun total-price (price) (+ price (sales-tax price))))")
    (is (eql 105.0 (evaluated "(total-price 100.00)")))
    (run-forms "(progn (defun sales-tax (price rate) (* price rate))
       (defun total-price (price item-type)
         (let ((rate (if (eq item-type :food) 0.02 0.08))) (+ price (sales-tax price rate)))))")
    (is (string= "(in-package #:sales-tax)

(defun sales-tax (price rate) (* price rate))

(defun total-price (price item-type)
  (let ((rate (if (eq item-type :food) 0.02 0.08))) (+ price (sales-tax price rate))))"
                 (definitions-text)))
    (is (eql 0 (search ";;; The definitions of this world, " (exported #'export-definitions))))
    (reopened (:packages '("SALES-TAX"))
      (is (equal '(102.0 108.0)
                 (evaluated "(list (total-price 100.00 :food) (total-price 100.00 :clothing))"))))))

(test an-empty-world
  (with-world ()
    (reopened ()
      (is (string= "" (definitions-text)))
      (is (string= "" (data-text))))))

(test indexes-bound-the-texts
  (with-world ()
    (run-forms "; about f
(defun f () 1) (defvar *v* (list 1 2)) (in-package #:w) (let () (defun g ()) (defun h ()))")
    (setf (value :x) "y")
    (let ((text (exported #'export-definitions)))
      (is (equal '((:function "f" "; about f
(defun f () 1)")
                   (:variable "*v*" "(defvar *v* (list 1 2))")
                   (:function "g" "(let () (defun g ()) (defun h ()))")
                   (:function "h" "(let () (defun g ()) (defun h ()))"))
                 (loop for (kind name start end) in (export-definitions (make-broadcast-stream))
                       collect (list kind name (subseq text start end))))))
    (let ((text (exported-data)))
      (is (equal '(("(value :x)" "(value :x) \"y\"") ("*v*" "*v* (1 2)"))
                 (loop for (name start end) in (data-index)
                       collect (list name (subseq text start end))))))))

(test comments-survive
  (with-world ()
    (run-forms ";;; Section one

;; about f
(defun f () 1) ; tail
;; below

(progn
  ;; about g
  (defun g () 2)
  ;; after g
  )

;; the end")
    (let ((text (definitions-text)))
      (dolist (comment '(";;; Section one" ";; about f" "; tail" ";; below" ";; about g"
                         ";; after g" ";; the end"))
        (is (search comment text) "~A is lost in~%~A" comment text))
      (reopened ()
        (is (string= text (definitions-text)))))))

(test several-packages
  (with-world (:packages '("W" "V"))
    (run-forms "(defpackage #:made (:use #:cl) (:export #:twice) (:shadow #:list))
(in-package #:v) (defun f () 'v-symbol)
(in-package #:made) (defmacro twice (x) `(* 2 ,x)) (defun list () :own) (defvar *state* (list))
(in-package #:w) (defun g () (made:twice 4)) (defun h () (v::f))")
    (setf (value :x) (evaluated "(list 'v::a 'made:twice 'made::list 'cl:list 'w::b :c)"))
    (is (equal '("package MADE" "function v::f" "macro made:twice" "function made::list"
                 "variable made::*state*" "function g" "function h")
               (defined)))
    (reopened (:packages '("W" "V" "MADE"))
      (is (equal (list 8 (find-symbol "V-SYMBOL" "V") :own)
                 (evaluated "(list (g) (h) made::*state*)")))
      (is (eq (find-symbol "TWICE" "MADE") (second (value :x)))))))

(test state-that-a-revision-keeps
  (with-world ()
    (run-forms "(defvar *counter* 0) (defun next () (incf *counter*))
(defstruct item name) (defvar *items* ())")
    (run-forms "(next) (next) (push (make-item :name \"a\") *items*)
(setf (jiti:value :first) (first *items*))")
    (reopened ()
      (is (eql 3 (evaluated "(next)")))
      (is (eq (value :first) (evaluated "(first *items*)")))
      (is (equal "a" (evaluated "(item-name (first *items*))"))))))

(test what-does-not-import-names-its-place
  (dolist (case '((3 "(in-package #:w)

(defvar *x* (car 1))") (2 "(in-package #:w)
(defun f (")  (1 "(in-package #:nowhere)") (2 "(in-package #:w)
(sb-impl::no-such-symbol)")))
    (destructuring-bind (line text) case
      (with-world ()
        (with-complaint (c import-failed (import-definitions text))
          (is (equal (list "world.lisp" line) (list (condition-file c) (condition-line c)))
              "~S: ~A" text (condition-line c)))))))

(test a-view-shows-how-things-are-called
  (with-world ()
    (run-forms "(defun f (x &optional (y 2)) (list x y)) (defmacro m (x &body body) (list* x body))
(defgeneric g (shape &key scale)) (defmethod g ((shape integer) &key (scale 1)) (* scale shape))
(defclass c () (a b)) (g 1) (g 2 :scale 3)")
    (is (equal '("(f x &optional (y 2))" "(m x &body body)" "(g shape &key scale)" nil "(c a b)")
               (mapcar #'fifth (getf (observe-world 100) :definitions))))))

(test a-view-does-without-the-world-s-methods-of-documentation
  (with-world ()
    (run-forms "(defun f () \"Documented.\" 1)
(defmethod documentation ((name (eql 'f)) (type (eql 'function))) (error \"No.\"))")
    (is (equal "Documented."
               (sixth (find "f" (getf (observe-world 100) :definitions)
                            :key #'second :test #'string=))))))

(test observation
  (with-world ()
    (run-forms "; about f
(defun f (x &optional (y 1)) \"Adds.\" (+ x y)) (defvar *list* (list 1 2 3)) (defvar *unbound*)
(defclass c () ()) (defmethod print-object ((c c) stream) (error \"no\"))
(defvar *c* (make-instance 'c))")
    (setf (value :circle) (let ((l (list 1))) (setf (cdr l) l))
          (value :long) (make-list 1000 :initial-element 'x))
    (let ((observed (as-in-a-worker (observe-world 40))))
      (is (equal '(:function "f" "W" "; about f
(defun f (x &optional (y 1)) \"Adds.\" (+ x y))" "(f x &optional (y 1))" "Adds.")
                 (first (getf observed :definitions))))
      (is (equal "(c)" (fifth (find :class (getf observed :definitions) :key #'first))))
      (is (search "(defun f (x" (evaluated "(jiti:source 'f)")))
      (is (equal "" (evaluated "(jiti:source 'no-such)")))
      (let ((data (getf observed :data)))
        (flet ((shown (name) (second (assoc name data :test #'string=))))
          (is (string= "(1 2 3)" (string-downcase (shown "*list*"))))
          (is (string= "unbound" (shown "*unbound*")))
          (is (search "unprintable" (shown "*c*")))
          (is (= 40 (length (shown "(value :long)"))))
          (is (<= (length (shown "(value :circle)")) 40)))))))

(defclass counting-adapter (jiti:adapter)
  ((count :initform 0 :accessor counted)
   (text :initform nil :accessor last-text)))

(defmethod jiti:observe ((adapter counting-adapter) (part (eql :data)))
  (list (cons :count (counted adapter))))

(defmethod jiti:import-world ((adapter counting-adapter) (part (eql :data)) items)
  (setf (counted adapter) (cdr (assoc :count items))))

(defmethod jiti:record-form ((adapter counting-adapter) form thunk)
  (incf (counted adapter))
  (setf (last-text adapter) (jiti:form-text form))
  (funcall thunk))

(test an-adapter-of-the-world
  (let* ((jiti-kernel::*adapters* jiti-kernel::*adapters*)
         (adapter (make-instance 'counting-adapter :name "forms")))
    (with-world ()
      (run-forms "(defvar *v* 1) (list 1) (list 2) ; two")
      (is (string= "(list 2) ; two" (last-text adapter)))
      (is (string= "*v* 1
(adapter \"forms\" :count) 3" (data-text)))
      (is (equal '("(adapter \"forms\" :count)" "3")
                 (second (getf (observe-world 100) :data))))
      (let ((data (exported-data)))
        (setf (counted adapter) 0)
        (import-data data)
        (is (eql 3 (counted adapter)))))))
