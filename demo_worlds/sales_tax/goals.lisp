;;;; What each request wants in the end. Only the goals of the current request decide.

;;; "Create a sales-tax calculator using a 5% tax rate."

(goal "the tax on 100.00 is 5.00"
  (= (sales-tax 100.00) 5.00))

(goal "100.00 costs 105.00"
  (= (total-price 100.00) 105.00))

;;; "Support different tax rates."

(goal "5%: 100.00 costs 105.00"
  (= (total-price 100.00 0.05) 105.00))

(goal "8%: 100.00 costs 108.00"
  (= (total-price 100.00 0.08) 108.00))

;;; "Use different rates for food and non-food items."

(goal "food total is 102.00"
  (= (total-price 100.00 :food) 102.00))

(goal "clothing total is 108.00"
  (= (total-price 100.00 :clothing) 108.00))
