(in-package #:cl-user)

;;; Starts a worker process from source, where no core can be used:
;;;   sbcl ... --load lisp/start.lisp --end-toplevel-options --socket PATH --nonce N --files PATH

(load (merge-pathnames "files.lisp" *load-truename*))

(handler-bind ((warning #'muffle-warning))
  (mapc #'load (kernel-files)))

(jiti-kernel:main)
