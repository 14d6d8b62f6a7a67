(in-package #:jiti-kernel/tests)

(def-suite definitions
  :in kernel
  :description "What forms define, and what a revision keeps of it.")
(in-suite definitions)

(defmacro defines (expected text)
  `(with-world ()
     (run-forms ,text)
     (is (equal ,expected (defined)))))

(test every-kind-is-noticed
  (defines '("function f") "(defun f () 1)")
  (defines '("function (setf f)") "(defun (setf f) (v x) (list v x))")
  (defines '("macro m") "(defmacro m (x) x)")
  (defines '("compiler-macro f") "(define-compiler-macro f (x) x)")
  (defines '("symbol-macro s") "(define-symbol-macro s 1)")
  (defines '("variable *v*") "(defvar *v*)")
  (defines '("variable *v*") "(defparameter *v* 1)")
  (defines '("constant +c+") "(defconstant +c+ 1)")
  (defines '("generic-function g") "(defgeneric g (x) (:method ((x integer)) x))")
  (defines '("method g (t)") "(defmethod g (x) x)")
  (defines '("method g :around (integer (eql 3))")
    "(defmethod g :around ((x integer) (y (eql 3))) x)")
  (defines '("class c") "(defclass c () ((a :accessor c-a)))")
  (defines '("class c" "method print-object (c t)")
    "(defclass c () ()) (defmethod print-object ((c c) s) s)")
  (defines '("class c" "method (setf g) (t c)")
    "(defclass c () ()) (defmethod (setf g) (v (c c)) v)")
  (defines '("structure s") "(defstruct (s (:conc-name x-)) a (b 0 :read-only t))")
  (defines '("structure s") "(defstruct (s (:type list) :named) a)")
  (defines '("condition k") "(define-condition k (error) ((a :reader k-a)))")
  (defines '("type ty") "(deftype ty () 'integer)")
  (defines '("setf-expander x") "(defsetf x set-x)")
  (defines '("setf-expander x") "(define-setf-expander x (y) (get-setf-expansion y))")
  (defines '("macro incf-more") "(define-modify-macro incf-more (n) +)")
  (defines '("method-combination mc") "(define-method-combination mc :operator max)")
  (defines '("inline f") "(declaim (inline f))")
  (defines '("ftype f") "(declaim (ftype (function (t) integer) f))")
  (defines '("variable-type *v*" "variable *v*")
    "(declaim (type fixnum *v*)) (declaim (special *v*))")
  (defines '("export x" "export y") "(export '(x y))")
  (defines '("declaration note") "(declaim (declaration note))")
  (defines '("optimize debug" "optimize speed") "(declaim (optimize (speed 3) (debug 0)))")
  (defines '("use JITI in W") "(use-package '#:jiti)")
  (defines '("shadow car in W") "(shadow 'car)")
  (defines '("package OTHER") "(defpackage #:other (:use #:cl) (:export #:f) (:nicknames #:o))")
  (defines '("function a" "function b") "(let ((x 1)) (defun a () x) (defun b () x))")
  (defines '("function a" "function b")
    "(macrolet ((two (a b) `(progn (defun ,a ()) (defun ,b ())))) (two a b))"))

(test what-sbcl-makes-for-itself-is-not-of-the-world
  (defines '("class c" "function own")
    "(defclass c () ((x :initarg :x))) (defun own (c) (slot-boundp c 'x))
(own (make-instance 'c))"))

(test removing-a-part-of-a-definition
  (with-world ()
    (run-forms "(let () (defun a () 1) (defun b () 1))
(defpackage #:p (:use #:cl) (:export #:x #:y))")
    (run-forms "(fmakunbound 'a) (unexport 'p:x '#:p)")
    (is (equal '("function b" "package P" "removed function a" "removed export p::x") (defined)))
    (run-forms "(defun keep () 1)")
    (reopened (:packages '("W" "P"))
      (is (equal '("function b" "package P" "removed function a" "removed export p::x"
                   "function keep")
                 (defined)))
      (is (equal '(nil 1) (list (fboundp (find-symbol "A" "W")) (evaluated "(b)"))))
      (is (eq :internal (nth-value 1 (find-symbol "X" "P"))))
      (run-forms "(defun b () 2)")
      (is (equal '("function b" "package P" "removed export p::x" "function keep") (defined))))))

(test a-definition-comes-behind-a-text-that-would-undo-it
  (with-world ()
    (run-forms "(defun c () 1) (let () (defun a () 1) (defun b () 1))
(let () (defun a () 2) (defun c () 2))")
    (is (equal 2 (evaluated "(a)")))
    (reopened ()
      (is (equal '(2 1 2) (evaluated "(list (a) (b) (c))"))))))

(test a-package-defined-anew
  (with-world (:packages '("W"))
    (run-forms "(defpackage #:p (:use #:cl) (:export #:x #:y) (:nicknames #:pp))
(in-package #:p) (defun x () 1) (defun z () 2) (in-package #:w) (export 'p::z '#:p)")
    (run-forms "(defpackage #:p (:use #:cl) (:export #:y))")
    (is (equal '("package P" "function p::x" "function p:z" "export p:z") (defined)))
    (flet ((look ()
             (list (loop for name in '("X" "Y" "Z")
                         collect (nth-value 1 (find-symbol name "P")))
                   (find-package "PP")
                   (evaluated "(p::x)"))))
      (is (equal '((:internal :external :external) nil 1) (look)))
      (reopened (:packages '("W" "P"))
        (is (equal '((:internal :external :external) nil 1) (look)))))))

(test symbols-of-other-packages
  (with-world (:packages '("W" "V"))
    (run-forms "(import 'v::helper)")
    (run-forms "(defun helper () :v)")
    (reopened (:packages '("W" "V"))
      (is (eq (find-symbol "HELPER" "W") (find-symbol "HELPER" "V")))
      (is (eq :v (evaluated "(v::helper)"))))))

(test methods-go-with-their-class
  (with-world ()
    (run-forms "(defclass c () ()) (defclass d (unknown) ()) (defmethod m ((c c)) 1)
(defmethod m ((u unknown)) 2) (defmethod print-object ((c c) stream) (princ 1 stream))
(defun f ())")
    (run-forms "(setf (find-class 'c) nil)")
    (is (equal '("class d" "method m (unknown)" "function f") (defined)))
    (run-forms "(setf (find-class 'd) nil)")
    (is (equal '("function f") (defined)))
    (is (not (fboundp (find-symbol "M" "W"))))))

(test the-compiler-policy
  (with-world ()
    (run-forms "(declaim (optimize (speed 3)))")
    (run-forms "(declaim (optimize (debug 0)))")
    (is (equal '("optimize speed" "optimize debug") (defined)))
    (run-forms "(declaim (optimize (debug 3) (speed 0)))")
    (is (equal '("optimize debug" "optimize speed") (defined)))))

(test what-defines-nothing-is-no-definition
  (defines '()
    "(setf (jiti:value :x) 1) (list 1 2) (flet ((f () 1)) (f)) (in-package #:w) (declaim)"))

(test a-definition-replaces-the-earlier-one-in-place
  (with-world ()
    (run-forms "; one
(defun a () 1)
(defvar *v* 1)
(defmacro m () 2)")
    (run-forms "; two
(defun a () 2)")
    (run-forms "(defparameter *v* 2) (defmacro m () 3)")
    (is (string= "(in-package #:w)

; two
(defun a () 2)

(defparameter *v* 2)

(defmacro m () 3)" (definitions-text)))))

(test the-same-variable-again
  (with-world ()
    (run-forms "(defvar *v* 1) (defun f ())")
    (run-forms "(defvar *v* 2) ; has a value already")
    (is (equal '("variable *v*" "function f") (defined)))
    (is (search "has a value already" (definitions-text)))
    (is (eql 1 (evaluated "*v*")))))

(test a-definition-goes-when-all-of-it-was-replaced
  (with-world ()
    (run-forms "(let ((x 1)) (defun a () x) (defun b () x))")
    (run-forms "(defun b () 2)")
    (is (equal '("function a" "function b") (defined)))
    (is (search "let" (definitions-text)))
    (run-forms "(defun a () 2)")
    (is (equal '("function a" "function b") (defined)))
    (is (not (search "let" (definitions-text))))))

(test structures-and-classes-again
  (with-world ()
    (run-forms "(defstruct point x y) (defclass c () ((a :accessor c-a) (b :accessor c-b)))
(defmethod c-a :before ((c c)) c)")
    (run-forms "(defclass c () ((a :accessor c-a) (d :accessor c-d)))")
    (is (equal '("structure point" "class c" "method c-a :before (c)") (defined)))
    (is (fboundp (find-symbol "C-A" "W")))
    (is (fboundp (find-symbol "C-D" "W")))
    (is (not (fboundp (find-symbol "C-B" "W"))) "a reader goes with its slot")
    (run-forms "(defstruct point x y)")
    (is (equal '("structure point" "class c" "method c-a :before (c)") (defined)))
    (continuing (run-forms "(defstruct point x z)"))
    (is (equal '("structure point" "class c" "method c-a :before (c)") (defined)))
    (is (not (fboundp (find-symbol "POINT-Y" "W"))))
    (is (eql 3 (evaluated "(point-z (make-point :z 3))")))
    (reopened ()
      (is (eql 3 (evaluated "(point-z (make-point :z 3))")))
      (is (eql 4 (evaluated "(c-d (let ((c (make-instance 'c))) (setf (c-d c) 4) c))"))))))

(test a-replaced-part-of-a-structure-stays-replaced
  (with-world ()
    (run-forms "(defstruct point x y) (defun point-x (p) (list p))")
    (is (equal '("structure point" "function point-x") (defined)))
    (reopened ()
      (is (equal '(1) (evaluated "(point-x 1)"))))))

(test methods
  (with-world ()
    (run-forms "(defgeneric area (s) (:method ((s list)) 0)) (defmethod area ((s integer)) s)")
    (run-forms "(defmethod area ((s integer)) (* s s))
(defmethod area :around ((s integer)) (1+ (call-next-method)))")
    (is (equal '("generic-function area" "method area (integer)" "method area :around (integer)")
               (defined)))
    (is (eql 10 (evaluated "(area 3)")))
    (run-forms "(defgeneric area (s) (:documentation \"none of its own\"))")
    (is (equal '("generic-function area" "method area (integer)" "method area :around (integer)")
               (defined)))
    (signals error (evaluated "(area ())"))
    (run-forms "(remove-method #'area
               (find-method #'area '(:around) (list (find-class 'integer))))")
    (is (equal '("generic-function area" "method area (integer)") (defined)))
    (run-forms "(defun area (s) (list s))")
    (is (equal '("function area") (defined)))))

(test an-undeclared-generic-function-goes-with-its-last-method
  (with-world ()
    (run-forms "(defmethod g ((x integer)) x)")
    (run-forms "(remove-method #'g (find-method #'g () (list (find-class 'integer))))")
    (is (equal '() (defined)))
    (is (not (fboundp (find-symbol "G" "W"))))))

(test deletions
  (with-world ()
    (run-forms "(defun f ()) (defmacro m ()) (defclass c () ()) (defun keep ()) (defvar *v* 1)")
    (run-forms "(fmakunbound 'f) (fmakunbound 'm) (setf (find-class 'c) nil) (makunbound '*v*)")
    (is (equal '("function keep" "variable *v*") (defined)))
    (run-forms "(unintern 'keep)")
    (is (equal '("variable *v*") (defined)))
    (run-forms "(defpackage #:p (:use #:cl)) (in-package #:p) (defun f ())")
    (is (equal '("variable *v*" "package P" "function p::f") (defined)))
    (run-forms "(delete-package '#:p)")
    (is (equal '("variable *v*") (defined)))))

(test base-code-is-not-exported-but-can-be-replaced
  (with-world ()
    (load-base "base.lisp" "(defpackage #:w (:use #:cl) (:export #:f)) (in-package #:w)
(defun f () 1) (defun g () (f)) (defvar *base* 5) (defclass k () ((a :accessor k-a)))")
    (is (equal '() (defined)))
    (run-forms "(defun f () 2)")
    (is (equal '("function f") (defined)))
    (is (eql 2 (evaluated "(g)")))
    (run-forms "(fmakunbound 'g)")
    (is (equal '("function f" "removed function g") (defined)))
    (run-forms "(defun g () 3)")
    (is (equal '("function f" "function g") (defined)))))

(test base-failures-name-their-place
  (with-world ()
    (with-complaint (c base-failed (load-base "b.lisp" "(defvar cl-user::*x* 1)

(error \"broken\")"))
      (is (equal '("b.lisp" 3 "broken" "SIMPLE-ERROR")
                 (list (condition-file c) (condition-line c)
                       (condition-reason c) (condition-type c)))))
    (with-complaint (c base-failed (load-base "b.lisp" "(list 1)
(list"))
      (is (equal '(2 "The file ends inside the form that begins here.")
                 (list (condition-line c) (condition-reason c)))))))

(test a-repair-inside-a-form
  (with-world ()
    (let ((forms (read-forms "(let () (defun before () 1) (missing) (defun after () 1))")))
      (call-recording-form
       (first forms)
       (lambda ()
         (let ((*package* (reading-package)))
           (handler-bind ((undefined-function
                            (lambda (condition)
                              (run-forms "(defun missing () 1)")
                              (continue condition))))
             (eval (form-datum (first forms))))))))
    (is (equal '("function missing" "function after" "function before") (defined)))))

(test a-form-that-is-left-is-recorded
  (with-world ()
    (catch :out
      (run-forms "(let () (defun half () 1) (throw :out nil))"))
    (is (equal '("function half") (defined)))))

(test installed-from-outside
  (dolist (text '("(setf (fdefinition 'f) (lambda () 1))" "(setf (symbol-function 'f) #'car)"))
    (with-world ()
      (run-forms text)
      (with-complaint (c not-reconstructible (definitions-text))
        (is (equal "#'f" (condition-path c))))
      (run-forms "(defun f () 1)")
      (finishes (definitions-text)))))
