;;;; What each request wants in the end. Only the goals of the current request decide.

(goal "tea costs 3.20"
  (equal (price "tea") "3.20"))

(goal "what is not on the list has no price"
  (null (price "milk")))

(goal "tea costs 3.50"
  (equal (price "tea") "3.50"))

(goal "coffee costs 4.00"
  (equal (price "coffee") "4.00"))

(goal "the page has a row for each item"
  (= (count-if (lambda (line) (search "<tr>" line)) (lines "pages/index.html"))
     (length (lines "prices.csv"))))
