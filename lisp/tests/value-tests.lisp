(in-package #:jiti-kernel/tests)

(def-suite value :in kernel :description "Each kind of value comes back as it was.")
(in-suite value)

(defvar *partners* nil
  "While SAME-P runs: from each object that was seen in one graph to that of the other.")

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

(defun comes-back (expression)
  "The value of EXPRESSION, a text, is alike in the world that is imported."
  (with-world ()
    (let ((value (evaluated expression)))
      (setf (value :x) value)
      (reopened ()
        (is (same-p value (value :x)) "~A came back as ~S" expression (value :x))))))

(test numbers-come-back
  (comes-back "(list 0 -1 (expt 3 100) (- (expt 3 100)) 2/3 -2/3)")
  (comes-back "(list 1.5 -0.0 0.0 1e20 1e-20 0.1 1s0 most-positive-single-float
                     least-positive-single-float single-float-epsilon)")
  (comes-back "(list pi -1.5d0 -0d0 1d300 123456789.123d0 0.1d0 1l0 most-positive-double-float
                     least-positive-double-float least-positive-normalized-double-float
                     double-float-epsilon)")
  (comes-back "(list sb-ext:single-float-positive-infinity sb-ext:single-float-negative-infinity
                     sb-ext:double-float-positive-infinity sb-ext:double-float-negative-infinity
                     (sb-kernel:make-single-float 2143289344)
                     (sb-kernel:make-double-float 2146959360 5))")
  (comes-back "(list #c(1 2) #c(1.5 -2.5) #c(1d0 2d0) #c(1/2 3))"))

(test characters-and-strings-come-back
  (comes-back "(list #\\a #\\Space #\\Newline #\\Nul #\\\" #\\( #\\; #\\é #\\λ
                     (code-char #x1f600) (code-char #xd800) (code-char #xfffff))")
  (comes-back "(list \"\" \"x\" (coerce \"base\" 'simple-base-string)
                     (coerce (list #\\Nul #\\Return #\\Tab #\\Esc (code-char #x1f600) #\\\")
                             'string)
                     (make-string 3 :initial-element #\\a :element-type 'base-char))"))

(test symbols-come-back
  (comes-back "(list :a 'b 'cl:car '|mixed Case| '|a\\|b| '|a\\\\b| '|12| '|1.5| '|:x| '|a:b| '||
                     '|.| :|| '1+ '- '|...| '|a(b| '|é| 'é '|ß| '|ñ|)")
  (comes-back "(list '#:u '#:|U 1|)")
  (comes-back "(list 'jiti:value 'sb-ext:exit 'sb-impl::*stdin*)"))

(test lists-and-vectors-come-back
  (comes-back "'(a (b . c) (d (e)) . f)")
  (comes-back "(list (vector) (vector 1 \"a\" :b) (make-array 0)
                     (make-array 3 :element-type 'double-float :initial-element 1d0)
                     (make-array 2 :element-type '(unsigned-byte 8) :initial-contents '(1 255))
                     (make-array 2 :element-type 'fixnum :initial-contents '(-1 1))
                     (make-array 3 :element-type 'bit :initial-contents '(1 0 1))
                     (make-array 0 :element-type 'bit))"))

(test arrays-come-back
  (comes-back "(list (make-array '(2 2) :initial-contents '((1 2) (3 a)))
                     (make-array '(2 0))
                     (make-array () :initial-element 5)
                     (make-array '(2 3) :element-type 'single-float :initial-element 1.5)
                     (make-array '(2 2) :element-type 'character :initial-element #\\x)
                     (make-array '(1 2) :element-type 'bit :initial-element 1))")
  (comes-back "(let ((v (make-array 5 :fill-pointer 2 :initial-element 0)))
                 (setf (aref v 1) :b)
                 v)")
  (comes-back "(adjust-array (make-array 2 :adjustable t :initial-element 1) 4
                             :initial-element 2)")
  (comes-back "(let ((v (make-array 0 :fill-pointer 0 :adjustable t)))
                 (dotimes (i 10 v) (vector-push-extend i v)))")
  (comes-back "(make-array 4 :element-type 'character :fill-pointer 2 :adjustable t
                             :initial-element #\\y)")
  (comes-back "(let ((s (make-array 4 :element-type 'base-char :fill-pointer 0)))
                 (vector-push #\\x s)
                 s)")
  (comes-back "(make-array 4 :element-type 'bit :fill-pointer 2 :initial-element 1)"))

(test hash-tables-come-back
  (dolist (test '("eq" "eql" "equal" "equalp"))
    (comes-back (format nil "(let ((h (make-hash-table :test '~A)))
                               (setf (gethash 1 h) :one (gethash 'b h) \"two\" (gethash :h h) h)
                               h)"
                        test)))
  (comes-back "(let ((h (make-hash-table :test 'equal)))
                 (setf (gethash \"a\" h) 1 (gethash '(1 2) h) 2)
                 (remhash \"a\" h)
                 h)")
  (comes-back "(make-hash-table :test 'eq :weakness :key :synchronized t)"))

(test pathnames-and-named-things-come-back
  (comes-back "(list #p\"/a/b.c\" #p\"relative/x\" #p\"\" #p\"*.lisp\" (make-pathname :name \"a*b\")
                     (make-pathname :directory '(:relative :up \"x\"))
                     (make-pathname :name \"odd\\\"name\" :type \"t\")
                     (make-pathname :name \".\") (make-pathname :name \"x\" :version 3))")
  (comes-back "(list #'car #'cl:+ (find-package \"CL\") (find-class 'integer))"))
