(defsystem "fake"
  :depends-on ("fiveam")
  :serial t
  :components ((:file "fake")
               (:file "fake-tests")))
