(in-package #:jiti-kernel)

;;; The functions of COMMON-LISP and JITI, which no world may define anew. The lock on a package
;;; does not suffice: the condition has restarts that let the definition pass, and code of the world
;;; may invoke one. So the functions are compared, too, before a revision is written.

(defvar *standard-functions* (make-hash-table :test 'equal)
  "The functions and macros of COMMON-LISP and JITI by their names, as base code has left them.")

(defun lock-kernel ()
  "Lock the kernel's packages. SBCL has locked its own."
  (sb-ext:lock-package '#:jiti)
  (sb-ext:lock-package '#:jiti-kernel))

(defun global-function (name)
  "What NAME, a symbol or (SETF symbol), means as a function or macro; NIL if it means none."
  (cond ((not (fboundp name)) nil)
        ((and (symbolp name) (special-operator-p name)) nil)
        ((and (symbolp name) (macro-function name)))
        (t (fdefinition name))))

(defun remember-standard-functions ()
  "Take the functions of COMMON-LISP and JITI as they are now for those that no world may change."
  (dolist (package '("COMMON-LISP" "JITI"))
    (do-external-symbols (symbol package)
      (dolist (name (list symbol (list 'setf symbol)))
        (setf (gethash name *standard-functions*) (global-function name))))))

(defun require-standard-functions ()
  "Signal NOT-RECONSTRUCTIBLE if a function of COMMON-LISP or JITI is another one by now."
  (maphash (lambda (name function)
             (unless (eq function (global-function name))
               (refuse-revision (format nil "#'~A" (world-name name))
                                "The function ~A is not the world's, and a revision does not keep ~
                                 its new definition. Use another name."
                                (world-name name))))
           *standard-functions*))
