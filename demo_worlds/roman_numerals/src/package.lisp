(defpackage #:roman
  (:use #:common-lisp)
  (:export #:to-roman #:from-roman #:no-numeral))
