(defsystem "jiti-kernel"
  :description "The Lisp side of JITI: worlds that are forked, tried, checked and accepted or dropped."
  :license "MIT"
  :serial t
  :components ((:file "package")
               (:file "conditions")
               (:file "wire")
               (:file "posix")
               (:file "limits")
               (:file "source")
               (:file "policy")
               (:file "definitions")
               (:file "data-writer")
               (:file "data-reader")
               (:file "adapter")
               (:file "image-adapter")
               (:file "export")
               (:file "output")
               (:file "condition-loop")
               (:file "attempt")
               (:file "checks")
               (:file "inspect")
               (:file "worker")
               (:file "main"))
  :in-order-to ((test-op (test-op "jiti-kernel/tests"))))

(defsystem "jiti-kernel/tests"
  :depends-on ("jiti-kernel" "fiveam")
  :pathname "tests/"
  :components ((:file "suite")
               (:file "wire-tests")
               (:file "source-tests")
               (:file "definitions-tests")
               (:file "data-tests")
               (:file "export-tests")
               (:file "attempt-tests"))
  :perform (test-op (operation component)
             (unless (symbol-call '#:fiveam '#:run! (find-symbol* '#:kernel '#:jiti-kernel/tests))
               (error "Kernel tests failed."))))
