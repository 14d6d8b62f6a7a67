(in-package #:jiti-kernel/tests)

(def-suite files :in kernel :description "Files that belong to a world.")
(in-suite files)

(test a-process-may-end-while-it-is-looked-at
  (dotimes (round 20)
    (let* ((process (sb-ext:run-program "/bin/true" '() :wait nil))
           (pid (sb-ext:process-pid process)))
      (loop until (process-gone-p pid))
      (sb-ext:process-wait process)
      (is (process-gone-p pid)))))
