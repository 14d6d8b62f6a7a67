(defsystem "roman"
  :description "Roman numerals, written and read."
  :license "MIT"
  :pathname "src/"
  :serial t
  :components ((:file "package")
               (:file "roman"))
  :in-order-to ((test-op (test-op "roman/tests"))))

(defsystem "roman/tests"
  :depends-on ("roman" "fiveam")
  :pathname "tests/"
  :serial t
  :components ((:file "package")
               (:file "writing")
               (:file "reading"))
  :perform (test-op (operation component)
             (unless (symbol-call '#:fiveam '#:run! :roman)
               (error "Tests of roman failed."))))
