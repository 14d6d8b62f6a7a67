(in-package #:cl-user)

;;; The kernel without ASDF: its files are those that jiti-kernel.asd names, in that order.

(defun kernel-files ()
  "The source files of the kernel, in the order in which they are loaded."
  (with-open-file (stream (merge-pathnames "jiti-kernel.asd" *load-truename*))
    (loop for (kind name) in (getf (cddr (read stream)) :components)
          collect (merge-pathnames (make-pathname :name name :type "lisp") *load-truename*))))
