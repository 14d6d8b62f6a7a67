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

(defvar *partners* nil "While SAME-P runs: from each object seen in one graph to that of the other.")

(defun same-p (a b)
  "True if the graphs at A and B are alike: in types, content, and in what is the same object."
  (let ((*partners* (or *partners* (make-hash-table :test 'eq))))
    (cond ((or (numberp a) (characterp a)) (same-number-p a b))
          ((and (symbolp a) (symbol-package a)) (same-symbol-p a b))
          ((gethash a *partners*) (eq (gethash a *partners*) b))
          ((not (equal (type-of a) (type-of b)))
           ;; The packages of the world that was exported have other names by now.
           (and (typep a 'structure-object) (string= (type-of a) (type-of b)) (same-slots-p a b)))
          (t (setf (gethash a *partners*) b)
             (same-content-p a b)))))

(defun same-number-p (a b)
  (if (floatp a)
      (and (typep b (type-of a)) (eql (jiti-kernel::float-bits a) (jiti-kernel::float-bits b)))
      (eql a b)))

(defun same-symbol-p (a b)
  (and (symbolp b) (string= a b)
       (or (eq (symbol-package a) (symbol-package b))
           (string= "W" (package-name (symbol-package b))))))

(defun same-slots-p (a b)
  (setf (gethash a *partners*) b)
  (loop for name-a in (jiti-kernel::slot-names a)
        for name-b in (jiti-kernel::slot-names b)
        always (same-p (slot-value a name-a) (slot-value b name-b))))

(defun same-content-p (a b)
  (typecase a
    (cons (and (same-p (car a) (car b)) (same-p (cdr a) (cdr b))))
    (symbol (string= a b))
    (array (and (eq (array-has-fill-pointer-p a) (array-has-fill-pointer-p b))
                (or (not (array-has-fill-pointer-p a)) (= (fill-pointer a) (fill-pointer b)))
                (loop for index below (array-total-size a)
                      always (same-p (row-major-aref a index) (row-major-aref b index)))))
    (hash-table (and (eq (hash-table-test a) (hash-table-test b))
                     (eq (sb-ext:hash-table-weakness a) (sb-ext:hash-table-weakness b))
                     (eq (sb-ext:hash-table-synchronized-p a) (sb-ext:hash-table-synchronized-p b))
                     (= (hash-table-count a) (hash-table-count b))
                     (loop for ka being the hash-keys of a using (hash-value va)
                           for kb being the hash-keys of b using (hash-value vb)
                           always (and (same-p ka kb) (same-p va vb)))))
    (t (equal a b))))

(defmacro comes-back (expression)
  "The value of EXPRESSION, a text, is alike in the world that is imported."
  `(with-world ()
     (let ((value (evaluated ,expression)))
       (setf (value :x) value)
       (reopened ()
         (is (same-p value (value :x)) "~A came back as ~S" ,expression (value :x))))))

(test values-come-back
  (dolist (expression
           '("(list 0 -1 (expt 3 100) (- (expt 3 100)) 2/3 -2/3)"
             "(list 1.5 -0.0 0.0 1e20 1e-20 pi -1.5d0 -0d0 1d300 123456789.123d0 0.1 0.1d0 1s0 1l0)"
             "(list most-positive-single-float least-positive-single-float most-positive-double-float
                    least-positive-double-float least-positive-normalized-double-float
                    single-float-epsilon double-float-epsilon)"
             "(list sb-ext:single-float-positive-infinity sb-ext:single-float-negative-infinity
                    sb-ext:double-float-positive-infinity sb-ext:double-float-negative-infinity
                    (sb-kernel:make-single-float 2143289344) (sb-kernel:make-double-float 2146959360 5))"
             "(list #c(1 2) #c(1.5 -2.5) #c(1d0 2d0) #c(1/2 3))"
             "(list #\\a #\\Space #\\Newline #\\Nul #\\\" #\\( #\\; #\\é #\\λ (code-char #x1f600) (code-char #xd800) (code-char #xfffff))"
             "(list \"\" \"x\" (coerce (list #\\Nul #\\Return #\\Tab #\\Esc (code-char #x1f600) #\\\") 'string)
                    (coerce \"base\" 'simple-base-string) (make-string 3 :initial-element #\\a :element-type 'base-char))"
             "(list :a 'b 'cl:car '|mixed Case| '|a\\|b| '|a\\\\b| '|12| '|1.5| '|:x| '|a:b| '|| '|.| :|| '1+ '- '|...| '|a(b| '|é| 'é '|ß| '|ñ|)"
             "(list '#:u '#:|U 1|)"
             "(list 'jiti:value 'sb-ext:exit 'sb-impl::*stdin*)"
             "'(a (b . c) (d (e)) . f)"
             "(list (vector) (vector 1 \"a\" :b) (make-array 3 :element-type 'double-float :initial-contents '(1d0 2d0 3d0))
                    (make-array 2 :element-type '(unsigned-byte 8) :initial-contents '(1 255))
                    (make-array 2 :element-type 'fixnum :initial-contents '(-1 1))
                    (make-array 3 :element-type 'bit :initial-contents '(1 0 1))
                    (make-array 0 :element-type 'bit) (make-array 0))"
             "(list (make-array '(2 2) :initial-contents '((1 2) (3 a))) (make-array '(2 0)) (make-array () :initial-element 5)
                    (make-array '(2 3) :element-type 'single-float :initial-element 1.5)
                    (make-array '(2 2) :element-type 'character :initial-element #\\x)
                    (make-array '(1 2) :element-type 'bit :initial-element 1))"
             "(let ((v (make-array 5 :fill-pointer 2 :initial-element 0))) (setf (aref v 1) :b) v)"
             "(let ((v (make-array 2 :adjustable t :initial-element 1))) (adjust-array v 4 :initial-element 2) v)"
             "(let ((v (make-array 0 :fill-pointer 0 :adjustable t))) (dotimes (i 10) (vector-push-extend i v)) v)"
             "(let ((s (make-array 4 :element-type 'character :fill-pointer 2 :adjustable t :initial-element #\\y))) s)"
             "(let ((s (make-array 4 :element-type 'base-char :fill-pointer 0))) (vector-push #\\x s) s)"
             "(make-array 4 :element-type 'bit :fill-pointer 2 :initial-element 1)"
             "(let ((h (make-hash-table :test 'eql))) (setf (gethash 1 h) :one (gethash 'b h) \"two\") h)"
             "(let ((h (make-hash-table :test 'eq))) (setf (gethash :k h) (list h)) (remhash :k h) h)"
             "(let ((h (make-hash-table :test 'equal))) (setf (gethash \"a\" h) 1 (gethash '(1 2) h) 2) h)"
             "(let ((h (make-hash-table :test 'equalp))) (setf (gethash \"Ab\" h) 1 (gethash (vector 1) h) 2) h)"
             "(make-hash-table :test 'eq :weakness :key :synchronized t)"
             "(list #p\"/a/b.c\" #p\"relative/x\" #p\"\" #p\"*.lisp\" (make-pathname :name \"a*b\") (make-pathname :directory '(:relative :up \"x\"))
                    (make-pathname :name \"odd\\\"name\" :type \"t\") (make-pathname :name \".\") (make-pathname :name \"x\" :version 3))"
             "(list #'car #'cl:+ (find-package \"CL\") (find-class 'integer))"))
    (comes-back expression)))

(test identity-comes-back
  (with-world ()
    (run-forms "(defvar *a* nil) (defvar *b* nil)
(let ((shared (list 1 2)) (symbol (gensym)) (string (copy-seq \"x\")) (vector (vector nil)) (table (make-hash-table)))
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
    (run-forms "(let ((list (list 1 2 3)) (car (list nil)) (vector (make-array 2 :fill-pointer t :initial-element nil)))
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
    (run-forms "(let ((table (make-hash-table :test 'equal)) (inner (make-hash-table :test 'equalp)))
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
  (setf (jiti:value :x) (list base window text (make-array 2 :element-type 'character :displaced-to text :displaced-index-offset 3))))")
    (reopened ()
      (destructuring-bind (base window text end) (value :x)
        (is (eql 4 (aref window 1 1)))
        (setf (aref window 0 0) :new (char end 0) #\z)
        (is (eq :new (aref base 1)))
        (is (string= "aaaza" text))))))

(test objects
  (with-world ()
    (run-forms "(defstruct (boa (:constructor boa (x))) (x 0 :read-only t) (d 1d0 :type double-float) (self nil))
(defstruct (kid (:include boa)) more)
(defclass account () ((owner :initarg :owner) (balance :initform 0 :accessor balance) (shared :allocation :class :initform nil)))
(define-condition trouble (error) ((what :initarg :what :reader what)))
(let ((boa (boa 5)) (account (make-instance 'account)))
  (setf (boa-self boa) boa (boa-d boa) 2.5d0
        (balance account) (list account)
        (slot-value account 'shared) :class-wide
        (jiti:value :x) (list boa account (make-kid :x 1 :more '(2)) (make-condition 'trouble :what 3)
                              #'balance #'(setf balance) #'boa-p (find-class 'account) (find-package '#:w)
                              (make-random-state t))))")
    (let ((random (random 1000000 (make-random-state (tenth (value :x))))))
      (reopened ()
        (destructuring-bind (boa account kid trouble &rest named) (value :x)
          (is (equal '(5 2.5d0) (list (slot-value boa (find-symbol "X" "W")) (evaluated "(boa-d (first (jiti:value :x)))"))))
          (is (eq boa (evaluated "(boa-self (first (jiti:value :x)))")))
          (is (not (slot-boundp account (find-symbol "OWNER" "W"))))
          (is (eq account (first (slot-value account (find-symbol "BALANCE" "W")))))
          (is (eq :class-wide (evaluated "(slot-value (make-instance 'account) 'shared)")))
          (is (equal '(2) (slot-value kid (find-symbol "MORE" "W"))))
          (is (eql 3 (slot-value trouble (find-symbol "WHAT" "W"))))
          (is (equal (evaluated "(list #'balance #'(setf balance) #'boa-p (find-class 'account) (find-package '#:w))")
                     (butlast named)))
          (is (eql random (random 1000000 (car (last named))))))))))

(test variables
  (with-world ()
    (run-forms "(defvar *bound* 1) (defvar *unbound*) (defparameter *p* (list 1)) (defconstant +c+ 5) (defvar *gone* 1) (defvar |odd name| 2)")
    (run-forms "(setf *bound* 'changed) (makunbound '*gone*)")
    (is (string= "*bound* changed
*gone* #[unbound]
*p* (1)
*unbound* #[unbound]
|odd name| 2" (data-text)))
    (reopened ()
      (is (equal '(nil nil 2) (list (evaluated "(boundp '*gone*)") (evaluated "(boundp '*unbound*)") (evaluated "|odd name|"))))
      (is (string= "changed" (string-downcase (evaluated "*bound*")))))))

(test the-table
  (with-world ()
    (let ((key (copy-seq "text")))
      (setf (value :a) 1 (value 5) 2 (value key) 3 (value 1.5) 4 (value "with \" quote") 5)
      (setf (char key 0) #\T))
    (is (equal '(1 2 3 4 5 nil)
               (list (value :a) (value 5) (value "text") (value 1.5) (value "with \" quote") (value :unset))))
    (signals type-error (setf (value '(list)) 1))
    (signals type-error (value #\a))
    (reopened ()
      (is (equal '(1 2 3 4 5) (list (value :a) (value 5) (value "text") (value 1.5) (value "with \" quote")))))
    (setf (value :a) nil)
    (is (equal '("(value 5)" "(value \"text\")" "(value 1.5)" "(value \"with \\\" quote\")")
               (mapcar #'first (export-data (make-broadcast-stream)))))))

(defmacro refuses (path text)
  `(with-world ()
     (run-forms ,text)
     (with-complaint (c not-reconstructible (data-text))
       (is (string= ,path (condition-path c))))))

(test what-cannot-be-written-is-named
  (refuses "(value :handlers) -> hash table key :x -> car"
           "(setf (jiti:value :handlers) (make-hash-table) (gethash :x (jiti:value :handlers)) (list (lambda (x) x)))")
  (refuses "(value :s)" "(setf (jiti:value :s) *standard-output*)")
  (refuses "*v* -> element 2 -> element 1"
           "(defvar *v* (list 1 2 (vector 3 (make-string-input-stream \"\"))))")
  (refuses "*v* -> cdr" "(defvar *v* (cons 1 (let ((x 0)) (lambda () (incf x)))))")
  (refuses "*v* -> slot handler" "(defstruct s handler) (defvar *v* (make-s :handler (lambda ())))")
  (refuses "*v* -> hash table key" "(defvar *v* (make-hash-table)) (setf (gethash (lambda ()) *v*) 1)")
  (refuses "*v*" "(defvar *v* (copy-readtable nil))")
  (refuses "*v*" "(defvar *v* (class-of (make-instance (make-instance 'standard-class))))"))

(test depth-and-length
  (with-world ()
    (setf (value :long) (loop for i below 1000000 collect i)
          (value :deep) (let ((deep '())) (dotimes (i 100000 deep) (setf deep (list deep))))
          (value :deep-vectors) (let ((deep '())) (dotimes (i 100000 deep) (setf deep (vector deep)))))
    (reopened ()
      (is (= 1000000 (length (value :long))))
      (is (= 100000 (loop for deep = (value :deep) then (car deep) while deep count t)))
      (is (= 100000 (loop for deep = (value :deep-vectors) then (aref deep 0) while deep count t)))))
  (with-world ()
    (let ((deep (lambda ())))
      (dotimes (i 10000) (setf deep (list deep)))
      (setf (value :x) deep)
      (signals not-reconstructible (data-text)))))

(test long-data-is-broken-into-lines
  (with-world ()
    (setf (value :x) (loop for i below 1000 collect i))
    (is (every (lambda (line) (<= (length line) 100)) (uiop:split-string (data-text) :separator '(#\Newline))))))

(test what-is-no-data-does-not-load
  (dolist (case '((1 "(value :x) (1 2") (2 "(value :x) 1
(value :y) )") (1 "(value :x) #.(setf jiti-kernel::*depth* 1)") (1 "(value :x) cl-user::no-such-symbol")
                  (1 "(value :x) nowhere:x") (1 "(value :x) #S(no-such-thing :a 1)") (1 "(value :x) #7#")
                  (1 "(value :x) #[closure]") (1 "(value :x) (. 1)") (1 "(value :x) [") (1 "(value :x) \"abc")
                  (1 "(value :x) #'no-such-function") (1 "(value :x) #\\nosuchchar") (1 "(nonsense :x) 1")
                  (1 "(adapter \"other\" :x) 1") (1 "(value :x)") (1 "(value :x) #999999999999(1)")))
    (destructuring-bind (line text) case
      (with-world ()
        (with-complaint (c import-failed (import-data text))
          (is (equal (list "data.sexp" line) (list (condition-file c) (condition-line c)))
              "~S: line ~A" text (condition-line c)))
        (is (null (find-symbol "NO-SUCH-SYMBOL" "COMMON-LISP-USER"))))))
  (is (= 200 jiti-kernel::*depth*)))

(test printing-settings-of-the-process-do-not-matter
  (with-world ()
    (setf (value :x) '(1.5 1.5d0 255 :a))
    (let ((*read-default-float-format* 'double-float) (*print-base* 16) (*print-radix* t) (*print-length* 1)
          (*print-case* :capitalize) (*package* (find-package "KEYWORD")))
      (is (string= "(value :x) (1.5 1.5d0 255 :a)" (data-text)))
      (reopened ()
        (is (equal '(1.5f0 1.5d0 255 :a) (value :x)))))))

(test property-lists
  (with-world ()
    (run-forms "(setf (get 'apple :colour) 'red)")
    (is (string= "(plist apple) (:colour red)" (data-text)))
    (reopened ()
      (is (string= "RED" (evaluated "(get 'apple :colour)"))))))

(test an-object-of-an-old-structure
  (with-world ()
    (run-forms "(defstruct s a b) (defvar *old* (list (make-s)))")
    (continuing (run-forms "(defstruct s a c d)"))
    (with-complaint (c not-reconstructible (data-text))
      (is (string= "*old* -> car" (condition-path c))))
    (run-forms "(setf *old* (list (make-s :d 1)))")
    (finishes (data-text))))
