(in-package #:roman)

(define-condition no-numeral (error)
  ((text :initarg :text))
  (:report (lambda (condition stream)
             (format stream "~S is no Roman numeral." (slot-value condition 'text)))))

(defparameter *signs*
  '((1000 . "M") (500 . "D") (100 . "C") (90 . "XC") (50 . "L") (40 . "XL")
    (10 . "X") (9 . "IX") (5 . "V") (4 . "IV") (1 . "I"))
  "Values and their signs, the largest first.")

(defun to-roman (number)
  "NUMBER, from 1 to 3999, as a Roman numeral."
  (check-type number (integer 1 3999))
  (with-output-to-string (stream)
    (loop for (value . sign) in *signs*
          do (loop while (>= number value)
                   do (write-string sign stream)
                      (decf number value)))))

(defun letter-value (letter)
  "The number that LETTER stands for, or NIL."
  (car (find (string letter) *signs* :key #'cdr :test #'string-equal)))

(defun from-roman (text)
  "The number that the Roman numeral TEXT stands for. Signals NO-NUMERAL when it is none."
  (loop for letter across text
        sum (or (letter-value letter)
                (error 'no-numeral :text text))))
