(defpackage #:fake
  (:use #:common-lisp)
  (:export #:twice #:half #:leave))

(in-package #:fake)

(defun twice (x)
  (* 3 x))

(defun half (x)
  (/ x 2))

(defun leave ()
  :stayed)
