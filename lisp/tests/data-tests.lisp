(in-package #:jiti-kernel/tests)

(def-suite data :in kernel :description "Values as text, and back.")
(in-suite data)

(defmacro writes (expected expression)
  "The value of EXPRESSION, a text, is written as EXPECTED."
  `(with-world ()
     (setf (value :x) (evaluated ,expression))
     (is (string= (format nil "(value :x) ~A" ,expected) (data-text)))))

(test ordinary-values-look-ordinary
  (writes "3" "3")
  (writes "-12345678901234567890" "-12345678901234567890")
  (writes "1/3" "1/3")
  (writes "1.5" "1.5")
  (writes "1.5d0" "1.5d0")
  (writes "\"a \\\"b\\\\ ü
\"" "(format nil \"a ~Ab~A ü~%\" #\\\" #\\\\)")
  (writes "(:a b \"c\" . d)" "'(:a b \"c\" . d)")
  (writes "t" "t")
  (writes "foo" "'foo")
  (writes "|a b|" "'|a b|")
  (writes ":|lower|" ":|lower|")
  (writes "#\\a" "#\\a")
  (writes "#(1 (2) nil)" "(vector 1 '(2) nil)")
  (writes "#*0101" "#*0101")
  (writes "#C(1 2)" "#c(1 2)")
  (writes "#P\"/a/b.txt\"" "#p\"/a/b.txt\"")
  (writes "#'car" "#'car")
  (writes "#1=(a . #1#)" "(let ((l (list 'a))) (setf (cdr l) l))")
  (writes "(#1=(a) #1#)" "(let ((l (list 'a))) (list l l))")
  (writes "#[hash-table equal
 \"a\" 1]" "(let ((h (make-hash-table :test 'equal))) (setf (gethash \"a\" h) 1) h)"))

(test the-extreme-fixnums-are-written
  (writes "-4611686018427387904" "(- (expt 2 62))")
  (writes "4611686018427387903" "(1- (expt 2 62))"))

(test brackets-in-names
  (writes "a[b" "'a[b")
  (writes "|A]B|" "'a]b")
  (writes "(:|X]| jiti-kernel/tests::|Y]|)" "'(:x] jiti-kernel/tests::y])")
  (with-world ()
    (run-forms "(defclass c () ((a[0] :initform '[x])))")
    (setf (value (evaluated "'k]")) (evaluated "(list 'a] (make-instance 'c))"))
    (reopened ()
      (is (eq (evaluated "'[x]")
              (evaluated "(slot-value (second (jiti:value 'k])) 'a[0])")))
      (is (eq (evaluated "'a]") (first (value (evaluated "'k]"))))))))

(test arrays-of-no-type-cannot-be-written
  (with-world ()
    (setf (value :x) (list (make-array 3 :element-type nil)))
    (with-complaint (c not-reconstructible (exported-data))
      (is (search "element type NIL" (condition-reason c))))))

(test store-value-replaces-what-can-be-no-key
  (with-world ()
    (handler-bind ((type-error (lambda (condition) (store-value :good condition))))
      (setf (value '(1)) 5)
      (is (= 5 (value '(2)))))
    (is (string= "(value :good) 5" (data-text)))))

(test identity-comes-back
  (with-world ()
    (run-forms "(defvar *a* nil) (defvar *b* nil)
(let ((shared (list 1 2)) (symbol (gensym)) (string (copy-seq \"x\"))
      (vector (vector nil)) (table (make-hash-table)))
  (setf (aref vector 0) vector
        (gethash :self table) table
        (gethash vector table) string
        *a* (list shared symbol string vector table (cdr shared))
        *b* (list shared symbol string vector table (cdr shared))
        (jiti:value :c) (list *a* symbol)))")
    (reopened ()
      (let ((a (evaluated "*a*")) (b (evaluated "*b*")) (c (value :c)))
        (is (every #'eq a b))
        (is (eq a (first c)))
        (is (eq (second a) (second c)))
        (is (eq (cdr (first a)) (sixth a)))
        (is (eq (aref (fourth a) 0) (fourth a)))
        (is (eq (fifth a) (gethash :self (fifth a))))
        (is (eq (third a) (gethash (fourth a) (fifth a))))))))

(test circles
  (with-world ()
    (run-forms "(let ((list (list 1 2 3)) (car (list nil))
      (vector (make-array 2 :fill-pointer t :initial-element nil)))
  (setf (cdr (last list)) list
        (car car) car
        (aref vector 0) (list vector)
        (jiti:value 1) list (jiti:value 2) car (jiti:value 3) vector))")
    (reopened ()
      (is (eq (value 1) (cdddr (value 1))))
      (is (eq (value 2) (car (value 2))))
      (is (eq (value 3) (car (aref (value 3) 0)))))))

(test keys-that-hash-by-content
  (with-world ()
    (run-forms "(let ((table (make-hash-table :test 'equal))
      (inner (make-hash-table :test 'equalp)))
  (setf (gethash 1 inner) 2
        (gethash (list \"a\" (list 1)) table) :list)
  (let ((outer (make-hash-table :test 'equalp)))
    (setf (gethash inner outer) :inner
          (jiti:value :t) (list table outer inner))))")
    (reopened ()
      (destructuring-bind (table outer inner) (value :t)
        (is (eq :list (gethash '("a" (1)) table)))
        (is (eq :inner (gethash inner outer)))))))

(test displaced-arrays-share
  (with-world ()
    (run-forms "(let* ((base (make-array 6 :initial-contents '(0 1 2 3 4 5)))
       (window (make-array '(2 2) :displaced-to base :displaced-index-offset 1))
       (text (make-string 5 :initial-element #\\a)))
  (setf (jiti:value :x) (list base window text
                              (make-array 2 :element-type 'character :displaced-to text
                                            :displaced-index-offset 3))))")
    (reopened ()
      (destructuring-bind (base window text end) (value :x)
        (is (eql 4 (aref window 1 1)))
        (setf (aref window 0 0) :new (char end 0) #\z)
        (is (eq :new (aref base 1)))
        (is (string= "aaaza" text))))))

(test variables
  (with-world ()
    (run-forms "(defvar *bound* 1) (defvar *unbound*) (defparameter *p* (list 1))
(defconstant +c+ 5) (defvar *gone* 1) (defvar |odd name| 2)")
    (run-forms "(setf *bound* 'changed) (makunbound '*gone*)")
    (is (string= "*bound* changed
*gone* #[unbound]
*p* (1)
*unbound* #[unbound]
|odd name| 2" (data-text)))
    (reopened ()
      (is (equal '(nil nil 2)
                 (evaluated "(list (boundp '*gone*) (boundp '*unbound*) |odd name|)")))
      (is (string= "changed" (string-downcase (evaluated "*bound*")))))))

(test the-table
  (with-world ()
    (let ((key (copy-seq "text")))
      (setf (value :a) 1 (value 5) 2 (value key) 3 (value 1.5) 4 (value "with \" quote") 5)
      (setf (char key 0) #\T))
    (is (equal '(1 2 3 4 5 nil)
               (list (value :a) (value 5) (value "text") (value 1.5) (value "with \" quote")
                     (value :unset))))
    (signals type-error (setf (value '(list)) 1))
    (signals type-error (value #\a))
    (reopened ()
      (is (equal '(1 2 3 4 5)
                 (list (value :a) (value 5) (value "text") (value 1.5) (value "with \" quote")))))
    (setf (value :a) nil)
    (is (equal '("(value 5)" "(value 1.5)" "(value \"text\")" "(value \"with \\\" quote\")")
               (mapcar #'first (data-index))))))

(defmacro refuses (path text)
  `(with-world ()
     (run-forms ,text)
     (with-complaint (c not-reconstructible (data-text))
       (is (string= ,path (condition-path c))))))

(test what-cannot-be-written-is-named
  (refuses "(value :handlers) -> hash table key :x -> car"
           "(setf (jiti:value :handlers) (make-hash-table)
                  (gethash :x (jiti:value :handlers)) (list (lambda (x) x)))")
  (refuses "(value :s)" "(setf (jiti:value :s) *standard-output*)")
  (refuses "*v* -> element 2 -> element 1"
           "(defvar *v* (list 1 2 (vector 3 (make-string-input-stream \"\"))))")
  (refuses "*v* -> cdr" "(defvar *v* (cons 1 (let ((x 0)) (lambda () (incf x)))))")
  (refuses "*v* -> slot handler" "(defstruct s handler) (defvar *v* (make-s :handler (lambda ())))")
  (refuses "*v* -> hash table key"
           "(defvar *v* (make-hash-table)) (setf (gethash (lambda ()) *v*) 1)")
  (refuses "*v*" "(defvar *v* (copy-readtable nil))")
  (refuses "*v*" "(defvar *v* (class-of (make-instance (make-instance 'standard-class))))"))

(defun nested (constructor depth)
  (loop repeat depth
        for object = (funcall constructor nil) then (funcall constructor object)
        finally (return object)))

(defun nesting (object)
  (loop while object
        do (setf object (elt object 0))
        count t))

(test depth-and-length
  (with-world ()
    (setf (value :long) (loop for i below 1000000 collect i)
          (value :lists) (nested #'list 100000)
          (value :vectors) (nested #'vector 100000))
    (reopened ()
      (is (= 1000000 (length (value :long))))
      (is (= 100000 (nesting (value :lists))))
      (is (= 100000 (nesting (value :vectors))))))
  (with-world ()
    (let ((deep (lambda ())))
      (dotimes (i 10000) (setf deep (list deep)))
      (setf (value :x) deep)
      (signals not-reconstructible (data-text)))))

(test long-data-is-broken-into-lines
  (with-world ()
    (setf (value :x) (loop for i below 1000 collect i))
    (is (every (lambda (line) (<= (length line) 100))
               (uiop:split-string (data-text) :separator '(#\Newline))))))

(test what-is-no-data-does-not-load
  (dolist (text '("(value :x) (1 2" "(value :x) )" "(value :x)" "(value :x) (. 1)" "(value :x) ]"
                  "(value :x) \"abc" "(value :x) #7#" "(value :x) #[closure]"
                  "(value :x) #.(setf jiti-kernel::*depth* 1)"
                  "(value :x) cl-user::no-such-symbol" "(value :x) nowhere:x"
                  "(value :x) #S(no-such-thing :a 1)" "(value :x) #'no-such-function"
                  "(value :x) #\\nosuchchar" "(value :x) #999999999999(1)"
                  "(nonsense :x) 1" "(adapter \"other\" :x) 1"))
    (let ((line 2) (text (format nil "(value :good) 1~%~A" text)))
      (with-world ()
        (with-complaint (c import-failed (import-data text))
          (is (equal (list "data.sexp" line) (list (condition-file c) (condition-line c)))
              "~S: line ~A" text (condition-line c)))
        (is (null (find-symbol "NO-SUCH-SYMBOL" "COMMON-LISP-USER"))))))
  (is (= 200 jiti-kernel::*depth*)))

(test printing-settings-of-the-process-do-not-matter
  (with-world ()
    (setf (value :x) '(1.5 1.5d0 255 :a))
    (let ((*read-default-float-format* 'double-float) (*package* (find-package "KEYWORD"))
          (*print-base* 16) (*print-radix* t) (*print-length* 1) (*print-case* :capitalize))
      (is (string= "(value :x) (1.5 1.5d0 255 :a)" (data-text)))
      (reopened ()
        (is (equal '(1.5f0 1.5d0 255 :a) (value :x)))))))

(test property-lists
  (with-world ()
    (run-forms "(setf (get 'apple :colour) 'red)")
    (is (string= "(plist apple) (:colour red)" (data-text)))
    (reopened ()
      (is (string= "RED" (evaluated "(get 'apple :colour)"))))))

(test hash-tables-with-a-test-of-the-world
  (with-world ()
    (let ((jiti-kernel::*allow* '("sb-ext:define-hash-table-test")))
      (run-forms "(defun same-length (a b) (= (length a) (length b)))
(defun hash-length (a) (sxhash (length a)))
(sb-ext:define-hash-table-test same-length hash-length)
(setf (jiti:value :t) (make-hash-table :test 'same-length)
      (gethash \"abc\" (jiti:value :t)) 1)"))
    (reopened ()
      (is (eql 1 (evaluated "(gethash \"xyz\" (jiti:value :t))"))))))

(test a-symbol-of-no-package-that-has-more-than-a-name
  (refuses "(value :s) -> car"
           "(let ((s (make-symbol \"S\"))) (set s 5) (setf (jiti:value :s) (list s)))")
  (refuses "(value :s)" "(let ((s (gensym))) (setf (get s :a) 5) (setf (jiti:value :s) s))"))

(test keys-that-lose-their-package
  (with-world ()
    (signals type-error (setf (value (make-symbol "S")) 1))
    (run-forms "(setf (jiti:value 'gone) 1) (unintern 'gone)")
    (with-complaint (c not-reconstructible (data-text))
      (is (string= "(value #:gone)" (condition-path c))))))
