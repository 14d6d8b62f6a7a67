(in-package #:jiti-kernel)

;;; The world that this process holds: the packages it manages and the bounds it was opened with.
;;; How a definition or a datum gets in and out of it is in the files that follow.

(defvar *opened-packages* '("COMMON-LISP-USER")
  "Names of the managed packages of world.toml. The world is read and printed in the first.")

(defvar *made-packages* '()
  "Names of the packages that forms of the world have made, in order. They are managed too.")

(defvar *base-packages* '()
  "Names of the packages that base code has brought along and that are not managed.")

(defvar *forms-bytes* 65536 "Bound on the UTF-8 bytes of the forms of one proposal.")
(defvar *depth* 200 "Bound on the nesting of the forms of one proposal.")
(defvar *allow* '() "Packages and symbols, as strings, that the form policy admits as well.")
(defvar *deny* '() "Packages and symbols, as strings, that it refuses, whatever *ALLOW* says.")

(defun open-world (&key packages output-bytes forms-bytes depth files-bytes allow deny)
  "Make this process hold an empty world.

PACKAGES are the names of its managed packages; the first is the one in which it is read and
printed. They are made when they are first needed, since base code may define them. A bound that
is NIL keeps its default."
  (setf *opened-packages* (mapcar #'string packages)
        *output-limit* (or output-bytes *output-limit*)
        *forms-bytes* (or forms-bytes *forms-bytes*)
        *depth* (or depth *depth*)
        *files-bytes* (or files-bytes *files-bytes*)
        *allow* allow
        *deny* deny)
  (settle-base)
  (values))

(defun ensure-packages ()
  "Make the managed packages that base code has not defined. They use COMMON-LISP alone."
  (dolist (name *opened-packages*)
    (unless (find-package name)
      (make-package name :use '("COMMON-LISP")))))

(defun reading-package ()
  "The package in which the world is read and printed. It exists from the first call on."
  (ensure-packages)
  (find-package (first *opened-packages*)))

(defun managed-packages ()
  "The managed packages that exist, in order."
  (loop for name in (append *opened-packages* *made-packages*)
        for package = (find-package name)
        when package collect package))

(defun managed-package-p (package)
  "True if PACKAGE is one of the world's own."
  (and package
       (let ((name (package-name package)))
         (or (member name *opened-packages* :test #'equal)
             (member name *made-packages* :test #'equal)))
       t))

(defun managed-symbol-p (symbol)
  (managed-package-p (symbol-package symbol)))

(defun base-package-p (package)
  (and (member (package-name package) *base-packages* :test #'string=)
       t))

(defun base-packages ()
  "The packages of base code that exist."
  (remove nil (mapcar #'find-package *base-packages*)))

(defun definable-package-p (package)
  "True if PACKAGE is one of the world's own or of base code: forms may define its symbols."
  (or (managed-package-p package)
      (base-package-p package)))

(defun definable-symbol-p (symbol)
  "True if forms of the world may define SYMBOL."
  (let ((package (symbol-package symbol)))
    (and package (definable-package-p package))))

(defmacro do-present-symbols ((symbol package &optional (status (gensym "STATUS"))) &body body)
  "Run BODY for each symbol that is present in PACKAGE. STATUS is :INTERNAL or :EXTERNAL."
  (let ((next (gensym "NEXT")) (more (gensym "MORE")))
    `(with-package-iterator (,next ,package :internal :external)
       (loop
         (multiple-value-bind (,more ,symbol ,status) (,next)
           (declare (ignorable ,status))
           (unless ,more (return))
           ,@body)))))

(defun name-text (symbol)
  "SYMBOL under PRIN1, with bars around a name that has a closing bracket: else, in data, it would
end there."
  (let* ((text (prin1-to-string symbol)) (end (length text)))
    (if (and (find #\] text) (char/= #\| (char text (1- end))))
        (format nil "~A|~A|" (subseq text 0 (- end (length (symbol-name symbol))))
                (symbol-name symbol))
        text)))

(defun world-name (object)
  "OBJECT printed as a name of the world: standard syntax, in the reading package, lower case."
  (let ((package (reading-package)))
    (with-standard-io-syntax
      (let ((*package* package) (*print-readably* nil) (*print-case* :downcase))
        (if (symbolp object)
            (name-text object)
            (prin1-to-string object))))))
