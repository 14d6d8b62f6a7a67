(in-package #:jiti-kernel)

;;; The data table: what a world keeps by key. It knows which of its values cannot have changed
;;; since the last revision: those that nobody has written, and nobody was given who could change
;;; them.

(defstruct (datum (:constructor make-datum (key value)))
  "An entry of the table."
  key
  value
  (state :new :type (member :new :lent :settled :gone))
  (mark 0 :type (unsigned-byte 62)) ; fingerprint of a lent value as the last revision has it
  (loose t) ; true if its place is data.sexp
  (size -1 :type fixnum) ; characters of its entry in a block; 0 in data.sexp, -1 in no revision yet
  (flags 0 :type (unsigned-byte 8))) ; of its value in the last survey

(defstruct (table (:constructor make-table ()))
  "The data table, and what the last revision has of it. docs/data-format.md tells of blocks."
  (data (make-hash-table :test 'equal)) ; from keys to data
  (touched '()) ; the data whose state is not :SETTLED
  (blocks (vector) :type simple-vector) ; in the order of their keys
  (loose '()) ; the data whose place is data.sexp
  (filled nil) ; true once a data.sexp was imported
  (arrived '()) ; blocks that were imported: (NAME (DATUM . SIZE) ...)
  (names 0) ; what the texts of names depended on, see DEFINITIONS-MARK
  (functions 0)
  (hidden '())) ; as HIDDEN-STANDARD-NAMES returns them

(defvar *table* (make-table) "The data table of the world.")

(defun check-key (key)
  "KEY, or what the restart STORE-VALUE gives in its place. Signals TYPE-ERROR if it can be no key."
  (check-type key (or (and symbol (satisfies symbol-package)) number string)
              "a symbol of a package, a number or a string")
  key)

(defun immutable-p (object)
  "True if whoever has OBJECT can change nothing about it."
  (typecase object
    (symbol (symbol-package object))
    ((or number character package class function) t)))

(defun touch (datum state)
  "Let DATUM be in STATE, which is not :SETTLED, and be among the touched data."
  (sb-sys:without-interrupts
    (when (eq (shiftf (datum-state datum) state) :settled)
      (sb-ext:atomic-push datum (table-touched *table*)))))

(defun lend (datum)
  "Give the value of DATUM to somebody who may change what it holds."
  (when (and (eq (datum-state datum) :settled)
             (not (datum-loose datum))
             (not (immutable-p (datum-value datum))))
    (setf (datum-mark datum) (fingerprint (datum-value datum)))
    (touch datum :lent))
  (datum-value datum))

(defun value (key)
  "The value under KEY in the data table of the world, NIL if there is none.

KEY is a symbol, a number or a string. SETF of it sets the value; the table, with all that its
values hold, is a part of every revision."
  (let ((datum (gethash (check-key key) (table-data *table*))))
    (and datum (lend datum))))

(defun (setf value) (value key)
  (let ((key (check-key key)))
    ;; Where the time limit stops an evaluation, a change is either made and noted, or not made.
    (sb-sys:without-interrupts
      (let ((datum (gethash key (table-data *table*))))
        (cond ((null value)
               (when datum (remove-datum datum)))
              (datum
               (setf (datum-value datum) value)
               (touch datum :new))
              (t
               ;; The caller may change its string later; the table keeps its own.
               (add-datum (if (stringp key) (simple-text (copy-seq key)) key) value))))))
  value)

(defun add-datum (key value)
  "Put VALUE under KEY, which is not in the table. Returns the datum."
  (let ((datum (make-datum key value)))
    (setf (gethash key (table-data *table*)) datum)
    (sb-ext:atomic-push datum (table-touched *table*))
    datum))

(defun remove-datum (datum)
  (remhash (datum-key datum) (table-data *table*))
  (touch datum :gone))

;;; The order of keys: integers, other numbers, strings, symbols. It is the same in every process.

(defun key-rank (key)
  (etypecase key
    (integer 0)
    (number 1)
    (string 2)
    (symbol 3)))

(defun package-text (symbol)
  (let ((package (symbol-package symbol)))
    (if package (package-name package) "")))

(defun key-before-p (a b)
  "True if A comes before B in the order of keys."
  (if (and (typep a 'fixnum) (typep b 'fixnum))
      (< a b)
      (let ((rank-a (key-rank a)) (rank-b (key-rank b)))
        (cond ((/= rank-a rank-b) (< rank-a rank-b))
              (t (ecase rank-a
                   (0 (< a b))
                   (1 (and (string< (world-name a) (world-name b)) t))
                   (2 (and (string< a b) t))
                   (3 (if (eq (symbol-package a) (symbol-package b))
                          (and (string< a b) t)
                          (and (string< (package-text a) (package-text b)) t)))))))))

(defun datum-before-p (a b)
  (key-before-p (datum-key a) (datum-key b)))

(defun in-key-order (data)
  "The list DATA, which may be changed, in the order of its keys."
  (stable-sort data #'datum-before-p))

(defun all-data ()
  "The data of the table, in no order."
  (loop for datum being the hash-values of (table-data *table*) collect datum))

;;; Variables and property lists

(defun variable-p (symbol)
  "True if SYMBOL holds data: it is a variable, or was set without being one."
  (and (not (constantp symbol))
       (or (boundp symbol)
           (member (sb-int:info :variable :kind symbol) '(:special :global)))))

(defun world-symbols (predicate &optional (packages (managed-packages)))
  "The symbols of PACKAGES that satisfy PREDICATE, by package and name."
  (loop for package in packages
        nconc (let ((symbols '()))
                (do-present-symbols (symbol package)
                  (when (and (eq (symbol-package symbol) package)
                             (funcall predicate symbol))
                    (push symbol symbols)))
                (sort symbols #'string<))))

(defvar *unbound* '#:unbound "Stands for the value of a variable that has none.")

(defun class-data-p (symbol)
  "True if SYMBOL names a class some of whose slots belong to the class itself."
  (let ((class (find-class symbol nil)))
    (and class
         (or (typep class 'standard-class) (subtypep class 'condition))
         (eq symbol (class-name class))
         (class-slot-names class)
         (ensure-finalized class))))

(defun ensure-finalized (class)
  "Finalize CLASS, which has no shared slots before. False if a class above it is not defined yet."
  (or (sb-mop:class-finalized-p class)
      (and (loop for superclass in (sb-mop:class-direct-superclasses class)
                 always (and (not (typep superclass 'sb-mop:forward-referenced-class))
                             (ensure-finalized superclass)))
           (progn (sb-mop:finalize-inheritance class)
                  t))))

(defun class-slot-names (class)
  "The names of the slots that CLASS itself defines and that all its objects share."
  (loop for slot in (sb-mop:class-direct-slots class)
        when (eq (sb-mop:slot-definition-allocation slot) :class)
          collect (sb-mop:slot-definition-name slot)))

(defun class-data (class)
  "Names and values of those slots that are bound, as a property list."
  (let ((prototype (sb-mop:class-prototype class)))
    (loop for name in (class-slot-names class)
          when (slot-boundp prototype name)
            collect name and collect (slot-value prototype name))))

(defun (setf class-data) (properties class)
  (unless (sb-mop:class-finalized-p class)
    (sb-mop:finalize-inheritance class))
  (let ((prototype (sb-mop:class-prototype class)) (unbound '#:unbound))
    (dolist (name (class-slot-names class) properties)
      (let ((value (getf properties name unbound)))
        (if (eq value unbound)
            (slot-makunbound prototype name)
            (setf (slot-value prototype name) value))))))
