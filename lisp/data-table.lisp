(in-package #:jiti-kernel)

;;; The data table: what a world keeps by key.

(defvar *data* (make-hash-table :test 'equal) "From keys to values.")

(defun check-key (key)
  (check-type key (or symbol number string) "a symbol, a number or a string"))

(defun value (key)
  "The value under KEY in the data table of the world, NIL if there is none.

KEY is a symbol, a number or a string. SETF of it sets the value; the table, with all that its
values hold, is a part of every revision."
  (check-key key)
  (values (gethash key *data*)))

(defun (setf value) (value key)
  (check-key key)
  ;; The caller may change its string later; the table keeps its own.
  (let ((key (if (stringp key) (copy-seq key) key)))
    (if (null value)
        (remhash key *data*)
        (setf (gethash key *data*) value)))
  value)

(defun variable-p (symbol)
  "True if SYMBOL holds data: it is a variable, or was set without being one."
  (and (not (constantp symbol))
       (or (boundp symbol)
           (member (sb-int:info :variable :kind symbol) '(:special :global)))))

(defun world-symbols (predicate)
  "The symbols of the managed packages that satisfy PREDICATE, by package and name."
  (loop for package in (managed-packages)
        nconc (let ((symbols '()))
                (do-present-symbols (symbol package)
                  (when (and (eq (symbol-package symbol) package)
                             (funcall predicate symbol))
                    (push symbol symbols)))
                (sort symbols #'string<))))

(defvar *unbound* '#:unbound "Stands for the value of a variable that has none.")
