(in-package #:roman/tests)

(in-suite :roman/reading)

(test reads-sums
  (is (= 3 (from-roman "III")))
  (is (= 1661 (from-roman "mdclxi"))))

(test reads-differences
  (is (= 4 (from-roman "IV")))
  (is (= 1994 (from-roman "MCMXCIV"))))

(test (reads-what-it-writes :depends-on (and writes-hundreds reads-differences))
  (loop for number from 1 to 3999
        do (unless (= number (from-roman (to-roman number)))
             (fail "~D is written ~A and read ~D" number (to-roman number)
                   (from-roman (to-roman number))))
        finally (pass)))

(test refuses-what-is-no-numeral
  (signals no-numeral (from-roman "MCMXCIV!"))
  (signals no-numeral (from-roman "IIII"))
  (signals no-numeral (from-roman "")))
