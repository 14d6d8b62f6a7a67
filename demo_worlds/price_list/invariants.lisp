;;;; What must never break.

(invariant "every line of the list is an item and its price"
  (every (lambda (line)
           (let ((fields (fields line)))
             (and (= (length fields) 2)
                  (plusp (length (first fields)))
                  (every (lambda (character) (find character "0123456789.")) (second fields))
                  (plusp (length (second fields))))))
         (lines "prices.csv")))

(invariant "the list is not empty"
  (lines "prices.csv"))
