(in-package #:jiti-kernel)

;;; What the kernel has to know of SBCL as such: which packages are its own, and internals that not
;;; every version has by the same name. Such an internal is looked up once, when the kernel is
;;; loaded.

(defun sbcl-function (name package default)
  "SBCL's internal function NAME of PACKAGE, or DEFAULT in a version that has none by that name."
  (let ((symbol (find-symbol name package)))
    (if (and symbol (fboundp symbol))
        (fdefinition symbol)
        default)))

(defun sbcls-package-p (package)
  "True if PACKAGE is one of SBCL's own, a contributed module's included. The world may well have a
package whose name begins as theirs do."
  (and (starts-with-p "SB-" (package-name package))
       (not (managed-package-p package))))

(defun sbcls-symbol-p (symbol)
  "True if the home of SYMBOL is one of SBCL's own packages."
  (let ((home (symbol-package symbol)))
    (and home (sbcls-package-p home))))

(defun standard-symbol-p (symbol)
  "True if the home of SYMBOL is COMMON-LISP."
  (eq (symbol-package symbol) (load-time-value (find-package "COMMON-LISP"))))

(defun function-lambda-list (function)
  "The lambda list with which FUNCTION was defined."
  (if (typep function 'generic-function)
      ;; That of the function which dispatches says nothing about the arguments.
      (sb-mop:generic-function-lambda-list function)
      (sb-kernel:%fun-lambda-list function)))
