;;;; What must never break.

(invariant "every job that waits has a kind and an argument"
  (every (lambda (job) (and (keywordp (first job)) (= (length job) 2))) *waiting*))

(invariant "no job has failed"
  (run-pending)
  (notany (lambda (job) (consp (third job))) *done*))
