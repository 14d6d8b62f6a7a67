;;;; What must never break. world.toml says from which request on an invariant holds; one that no request names holds always.

;; tax and total come together
(lambda ()
  (eq (null (fboundp 'sales-tax))
      (null (fboundp 'total-price))))

(invariant "tax is never negative"
  (>= (sales-tax 100.00 0.05) 0))

;; A total that does not call SALES-TAX is out of the reach of the invariant above.
(invariant "food total is never below price"
  (>= (total-price 100.00 :food) 100.00))
