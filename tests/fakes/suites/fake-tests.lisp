(defpackage #:fake-tests
  (:use #:common-lisp #:fiveam #:fake)
  (:export #:all #:same-p #:half-is-half))

(in-package #:fake-tests)

;;; What a person may have set for the REPL.
(setf *on-error* :debug
      *on-failure* :debug
      *run-test-when-defined* nil)

(def-suite all)
(def-suite :fake/arithmetic :in all)
(def-suite :fake/odd :in all)
(def-suite :fake/empty)

(defun same-p (a b)
  (= a b))

(def-fixture with-number (number)
  (let ((n number))
    (&body)))

(in-suite :fake/arithmetic)

(test half-is-half
  (is (= 2 (half 4)))
  (is (same-p 3 (half 6))))

(test twice-is-twice
  (is (= 4 (twice 2)))
  (is (same-p 6 (twice 2)) "~D is not six" (twice 2))
  (is-true (evenp (twice 1)))
  (signals division-by-zero (half 1)))

(test (halves-again :depends-on half-is-half)
  (is (= 1 (half 2))))

(test (needs-twice :depends-on (and half-is-half twice-is-twice))
  (pass))

(def-test in-a-fixture (:fixture (with-number 8))
  (is (= 4 (half n))))

(in-suite :fake/odd)

(test breaks
  (is (= 1 (half :one))))

(test prints
  (format t "noise~%")
  (is (equal "FAKE-TESTS" (package-name *package*))))

(test checks-nothing)

(test never-ends
  (is (loop)))

(test leaves
  (is (eq :stayed (leave)))
  (is (= 1 2)))
