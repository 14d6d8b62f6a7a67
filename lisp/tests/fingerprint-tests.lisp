(in-package #:jiti-kernel/tests)

(def-suite fingerprint :in kernel :description "Equal graphs have equal fingerprints, others not.")
(in-suite fingerprint)

(defparameter *different*
  '("()" "t" ":a" "'a" "(make-symbol \"A\")" "\"a\"" "(coerce \"a\" 'base-string)" "#\\a" "1"
    "1.0" "1d0" "-1" "(expt 2 64)" "(- (expt 2 64))" "(expt 2 128)" "1/2" "#c(1 2)" "#c(1 2.0)"
    "-0.0" "0.0" "'(a)"
    "'(a . b)" "'(a b)" "'((a) b)" "(list (list 1) (list 1))" "(let ((l (list 1))) (list l l))"
    "(let ((l (list 1))) (setf (cdr l) l))" "(let ((l (list 1 1))) (setf (cddr l) l))"
    "(vector 1 2)" "(vector 1 2 3)" "(make-array '(1 2) :initial-element 1)"
    "(make-array 2 :initial-element 1)" "(make-array 2 :initial-element 1 :adjustable t)"
    "(make-array 2 :initial-element 1 :fill-pointer 1)"
    "(make-array 2 :initial-element 1 :element-type 'fixnum)"
    "(make-array 2 :initial-element 1 :element-type '(unsigned-byte 8))"
    "(make-array 2 :initial-element 1d0 :element-type 'double-float)" "#*01" "#*10"
    "(make-array 1 :displaced-to (vector 1 2))"
    "(make-array 1 :displaced-to (vector 1 2) :displaced-index-offset 1)"
    "(make-hash-table)" "(make-hash-table :test 'equal)" "(make-hash-table :weakness :key)"
    "(let ((h (make-hash-table))) (setf (gethash 1 h) 2) h)"
    "(let ((h (make-hash-table))) (setf (gethash 2 h) 1) h)"
    "(let ((h (make-hash-table))) (setf (gethash 1 h) 2 (gethash 2 h) 1) h)"
    "(let ((h (make-hash-table))) (setf (gethash 2 h) 1 (gethash 1 h) 2) h)"
    "#p\"/a\"" "#p\"/b\"" "(find-package '#:cl)" "(find-class 'car-2)"
    "#'car" "#'cdr"
    "#'(setf acc)" "(make-condition 'simple-error :format-control \"a\")"
    "(make-condition 'simple-error :format-control \"b\")"
    "(make-s :a 1)" "(make-s :a 2)" "(make-s :a (make-s))" "(make-instance 'c)"
    "(make-instance 'c :x 1)"
    "(make-instance 'd)" "(let ((n 0)) (lambda () (incf n)))" "(let ((n 1)) (lambda () (incf n)))"
    "(lambda () '(1 2))" "(lambda () '(1 3))" "*standard-input*" "sb-thread:*current-thread*")
  "Expressions whose values have each another fingerprint, and the same one each time.")

(test packages-of-a-world-may-be-named-as-sbcls-own
  (with-world (:packages '("SB-W"))
    (run-forms "(defstruct s a)")
    (is (/= (fingerprint (evaluated "(make-s :a 1)")) (fingerprint (evaluated "(make-s :a 2)"))))))

(test fingerprints-tell-values-apart
  (with-world ()
    (run-forms "(defstruct s a) (defclass c () ((x :initarg :x))) (defclass d (c) ())
(defclass car-2 () ())
(defun (setf acc) (v x) (list v x))")
    (let ((seen (make-hash-table)))
      (dolist (text *different*)
        (let ((fingerprint (fingerprint (evaluated text))))
          (is (typep fingerprint '(unsigned-byte 62)))
          (is (eql fingerprint (fingerprint (evaluated text))) "~A has two fingerprints" text)
          (is (null (gethash fingerprint seen)) "~A looks like ~A" text (gethash fingerprint seen))
          (setf (gethash fingerprint seen) text))))))

(test uninterned-symbols-count-by-their-place
  (let ((a (make-symbol "A")) (b (make-symbol "A")))
    (is (eql (fingerprint (list a a)) (fingerprint (list b b))))
    (is (not (eql (fingerprint (list a a)) (fingerprint (list a b)))))
    (is (not (eql (fingerprint (list a)) (fingerprint (list (make-symbol "B"))))))))

(test fingerprints-of-what-is-deep-or-moves
  (let ((deep '()) (wide '()))
    (dotimes (count 200000)
      (setf deep (list deep))
      (push (list count) wide))
    (let ((before (list (fingerprint deep) (fingerprint wide))))
      (sb-ext:gc :full t)
      (is (equal before (list (fingerprint deep) (fingerprint wide)))))))
