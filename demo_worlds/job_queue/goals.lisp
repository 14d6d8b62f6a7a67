;;;; What each request wants in the end. A goal runs in a fork without threads, so it does the jobs itself.

(goal "Ann is greeted"
  (enqueue :greet "Ann")
  (run-pending)
  (equal (result :greet "Ann") "Hello, Ann."))

(goal "Bo and Cy are greeted, or wait for it"
  (run-pending)
  (and (equal (result :greet "Bo") "Hello, Bo.")
       (equal (result :greet "Cy") "Hello, Cy.")))

(goal "two people are greeted when all is done"
  (run-pending)
  (equal (done-by-kind) '((:greet 2))))
