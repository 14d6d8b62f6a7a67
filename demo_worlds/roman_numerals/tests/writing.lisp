(in-package #:roman/tests)

(in-suite :roman/writing)

(test writes-small-numbers
  (is (string= "III" (to-roman 3)))
  (is (string= "IV" (to-roman 4)))
  (is (string= "XXXIX" (to-roman 39))))

(test writes-hundreds
  (is (string= "CD" (to-roman 400)))
  (is (string= "CM" (to-roman 900)))
  (is (string= "MCMXCIV" (to-roman 1994))))

(test writes-no-zero
  (signals type-error (to-roman 0)))
