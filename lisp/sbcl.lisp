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

;;; Internals that show whether something was defined again: each gives another object then.

(declaim (type function *information* *definition-source* *condition-source* *policy-qualities*))
(defvar *information*
  (sbcl-function "SYMBOL-DBINFO" "SB-KERNEL" (lambda (symbol) (list symbol)))
  "Gives the object that holds what SBCL knows of a symbol. A new one each time costs time alone.")
(defvar *definition-source*
  (sbcl-function "DEFINITION-SOURCE" "SB-PCL" (constantly nil))
  "Gives an object that says where a class or a generic function was defined.")
(defvar *condition-source*
  (sbcl-function "CLASSOID-SOURCE-LOCATION" "SB-KERNEL" #'list)
  "As *DEFINITION-SOURCE*, for what SBCL knows of a class of conditions.")
(defvar *policy-qualities*
  (sbcl-function "POLICY-TO-DECL-SPEC" "SB-C" (constantly '()))
  "Gives the optimization qualities of a policy of the compiler as lists (QUALITY VALUE).")
(defvar *method-combinations*
  (let ((symbol (find-symbol "**METHOD-COMBINATIONS**" "SB-PCL")))
    (if (boundp symbol) (symbol-value symbol) (make-hash-table)))
  "SBCL's table of method combinations, which has no accessor.")

(defun combination-stamp (combination)
  "Objects of which one is another one when COMBINATION, of SBCL's table, has been defined again."
  (loop for reader in '("METHOD-COMBINATION-INFO-CONSTRUCTOR"
                        "METHOD-COMBINATION-INFO-SOURCE-LOCATION")
        collect (funcall (sbcl-function reader "SB-PCL" #'identity) combination)))

(defun source-stamp (object)
  "An object that is another one when OBJECT, a class or a generic function, has been defined
again."
  (funcall *definition-source* object))
