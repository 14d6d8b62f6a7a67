(defpackage #:roman/tests
  (:use #:common-lisp #:fiveam #:roman))

(in-package #:roman/tests)

(def-suite :roman
  :description "What the library promises.")

(def-suite :roman/writing :in :roman)

(def-suite :roman/reading :in :roman)
