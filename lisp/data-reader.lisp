(in-package #:jiti-kernel)

;;; Text as values. docs/data-format.md describes the syntax. A value that is not complete yet is a
;;; frame on a list, so that no depth exhausts the stack. An object exists from the moment at which
;;; its size is known, so that what it holds can refer to it.

(defstruct partial
  "A value under way."
  kind
  end ; the character that closes it; NIL: the next value does
  label
  object ; NIL while it cannot be made
  (items '()) ; values that came and are not in OBJECT, newest first
  (index 0) ; values in OBJECT
  tail) ; of a list: its last cons; :DOT behind the dot

(defstruct (loader (:constructor make-loader (cursor)))
  cursor
  (partials '()) ; innermost first
  (label nil) ; for the next value
  (labelled (make-hash-table))
  (tables '()) ; (TABLE VALUE KEY ...), to be filled when all objects are complete
  (result nil)
  (complete nil))

(defun read-value (loader)
  "Read one value. Its hash tables stay empty until FILL-TABLES."
  (setf (loader-complete loader) nil)
  (loop until (loader-complete loader)
        do (skip-blanks (loader-cursor loader))
           (read-token loader))
  (loader-result loader))

(defun fill-tables (loader)
  "Fill the hash tables that were read, inner ones first: a key hashes by what it holds."
  (loop for (table . items) in (nreverse (shiftf (loader-tables loader) '()))
        do (loop for (key value) on (reverse items) by #'cddr
                 do (setf (gethash key table) value))))

(defun read-token (loader)
  "Take what stands next: a complete value, or the beginning or the end of a longer one."
  (let* ((cursor (loader-cursor loader))
         (char (peek cursor)))
    (case char
      (#\( (take cursor) (open-list loader))
      ((#\) #\]) (take cursor) (close-partial loader char))
      (#\" (take cursor) (deliver loader (take-string cursor)))
      (#\# (take cursor) (read-dispatched loader))
      (t (if (dot-p cursor)
             (note-dot loader)
             (deliver loader (take-atom cursor)))))))

(defun dot-p (cursor)
  (let ((text (cursor-text cursor)) (next (1+ (cursor-position cursor))))
    (and (eql (peek cursor) #\.)
         (or (= next (length text)) (token-end-p (schar text next))))))

(defun take-digits (cursor)
  "The number that stands next in decimal digits, NIL if there is none."
  (let* ((text (cursor-text cursor))
         (start (cursor-position cursor))
         (end (or (position-if-not #'digit-char-p text :start start) (length text))))
    (when (< start end)
      (setf (cursor-position cursor) end)
      (parse-integer text :start start :end end))))

(defun read-dispatched (loader)
  "Read what follows a number sign."
  (let* ((cursor (loader-cursor loader))
         (number (take-digits cursor))
         (char (take cursor)))
    (case char
      (#\= (setf (loader-label loader) number))
      (#\# (multiple-value-bind (object present) (gethash number (loader-labelled loader))
             (unless present
               (data-error cursor "The label #~D# is not defined before this place." number))
             (deliver loader object)))
      (#\( (open-vector loader number))
      (#\[ (open-partial loader (bracket-kind cursor) #\]))
      (#\" (deliver loader (coerce (take-string cursor) 'simple-base-string)))
      (#\\ (deliver loader (take-character cursor)))
      (#\' (open-partial loader :function nil))
      (#\: (deliver loader (make-symbol (take-token cursor))))
      (#\* (deliver loader (take-bits cursor)))
      ((#\S #\C)
       (unless (eql (take cursor) #\()
         (data-error cursor "An opening parenthesis is expected behind #~C." char))
       (open-partial loader (if (char= char #\S) :structure :complex) #\)))
      (#\P
       (unless (eql (take cursor) #\")
         (data-error cursor "A string is expected behind #P."))
       (deliver loader (parse-namestring (take-string cursor))))
      (t (data-error cursor "#~C is no syntax of data." char)))))

(defun bracket-kind (cursor)
  "The kind of value whose `#[` has been taken, by the word that follows."
  (let ((word (take-token cursor)))
    (or (find word '(:hash-table :array :instance :package :class :pathname :unbound
                     :single-float :double-float)
              :test #'string=)
        (data-error cursor "#[~(~A~) is no syntax of data." word))))

(defun take-bits (cursor)
  (let ((bits (loop while (member (peek cursor) '(#\0 #\1))
                    collect (if (char= (take cursor) #\1) 1 0))))
    (make-array (length bits) :element-type 'bit :initial-contents bits)))

(defun open-partial (loader kind end &optional object)
  "Begin a value of KIND that the character END closes. OBJECT is what it becomes, if that is
known."
  (when (member kind '(:function :structure :instance :package :class))
    (require-no-definition (loader-cursor loader)))
  (let ((partial (make-partial :kind kind :end end :label (shiftf (loader-label loader) nil))))
    (push partial (loader-partials loader))
    (when object
      (begin-object loader partial object))))

(defun open-list (loader)
  (let ((cursor (loader-cursor loader)))
    (skip-blanks cursor)
    (cond ((eql (peek cursor) #\))
           (take cursor)
           (deliver loader nil))
          (t
           (let ((head (list nil)))
             (open-partial loader :list #\) head)
             (setf (partial-tail (first (loader-partials loader))) head))))))

(defun open-vector (loader length)
  "Begin a vector, of LENGTH where that is not NIL: it is given where the vector may hold itself."
  (when (and length (> length (length (cursor-text (loader-cursor loader)))))
    (data-error (loader-cursor loader) "A vector of ~D elements is longer than the data." length))
  (open-partial loader :vector #\) (and length (make-array length :initial-element nil))))

(defun begin-object (loader partial object)
  "Let OBJECT, which may be empty still, be what PARTIAL becomes. Its label can be used from here
on."
  (setf (partial-object partial) object)
  (when (partial-label partial)
    (setf (gethash (partial-label partial) (loader-labelled loader)) object)))

(defun deliver (loader value)
  "Take VALUE, which is complete, as the next part of the innermost value under way, or as the
result where none is."
  (when (loader-label loader)
    (setf (gethash (shiftf (loader-label loader) nil) (loader-labelled loader)) value))
  (let ((partial (first (loader-partials loader))))
    (cond ((null partial)
           (setf (loader-result loader) value
                 (loader-complete loader) t))
          (t
           (add-part loader partial value)
           (unless (partial-end partial)
             (finish-partial loader))))))

(defun note-dot (loader)
  "Take the dot of a dotted list."
  (let ((cursor (loader-cursor loader)) (partial (first (loader-partials loader))))
    (take cursor)
    (unless (and partial (eq (partial-kind partial) :list) (plusp (partial-index partial)))
      (data-error cursor "A dot stands outside a list."))
    (setf (partial-kind partial) :dotted-list)))

(defun close-partial (loader char)
  (let ((partial (first (loader-partials loader))))
    (unless (and partial (eql (partial-end partial) char))
      (data-error (loader-cursor loader) "A closing ~C has no opening one." char))
    (finish-partial loader)))

(defun finish-partial (loader)
  "Deliver the innermost value under way, all parts of which have come."
  (let* ((partial (pop (loader-partials loader)))
         (object (or (partial-object partial) (built-object loader partial))))
    (when (eq (partial-kind partial) :hash-table)
      (push (cons object (partial-items partial)) (loader-tables loader)))
    (deliver loader object)))

(defun add-part (loader partial value)
  "Put VALUE, the next part of PARTIAL, where it belongs."
  (let ((object (partial-object partial)))
    (ecase (partial-kind partial)
      (:list
       (if (zerop (partial-index partial))
           (setf (car object) value)
           (setf (partial-tail partial)
                 (setf (cdr (partial-tail partial)) (list value))))
       (incf (partial-index partial)))
      (:dotted-list
       (setf (cdr (partial-tail partial)) value))
      (:vector
       (if object
           (setf (svref object (1- (incf (partial-index partial)))) value)
           (push value (partial-items partial))))
      ((:structure :instance)
       (cond ((null object)
              (begin-object loader partial (allocate-instance (find-class value))))
             ((partial-items partial)
              (setf (slot-value object (slot-named (pop (partial-items partial)) object)) value))
             (t (push value (partial-items partial)))))
      (:hash-table
       (if object
           (push value (partial-items partial))
           (begin-object loader partial (read-table loader value))))
      (:array (add-to-array loader partial value))
      ((:function :complex :package :class :pathname :unbound :single-float :double-float)
       (push value (partial-items partial))))))

(defun read-table (loader value)
  "An empty hash table whose test VALUE is, or a list of that and options."
  (destructuring-bind (test &rest options) (if (consp value) value (list value))
    (unless (member test '(eq eql equal equalp))
      (require-no-definition (loader-cursor loader)))
    (apply #'make-hash-table :test test options)))

(defun slot-named (name object)
  "The name of the slot of OBJECT that NAME, the symbol itself or a keyword, stands for."
  (let ((names (slot-names object)))
    (or (find name names)
        (find name names :test #'string=)
        (error "The type ~A has no slot ~A." (class-name (class-of object)) name))))

(defun add-to-array (loader partial value)
  "VALUE is the dimensions of the array, then its element type and options, then a part."
  (let ((object (partial-object partial)))
    (cond ((stringp object)
           (if (characterp value)
               (setf (row-major-aref object (1- (incf (partial-index partial)))) value)
               (loop for index from 0
                     for char across value
                     do (setf (row-major-aref object index) char))))
          (object
           (setf (row-major-aref object (1- (incf (partial-index partial)))) value))
          ((null (partial-tail partial))
           (setf (partial-tail partial) (list value)))
          (t
           (destructuring-bind (dimensions &optional specification) (partial-tail partial)
             (cond (specification
                    (begin-object loader partial
                                  (apply #'make-array dimensions
                                         :displaced-to value specification)))
                   (t
                    (setf specification (array-specification value)
                          (partial-tail partial) (list dimensions specification))
                    (unless (getf specification :displaced-index-offset)
                      (begin-object loader partial
                                    (apply #'make-array dimensions specification))))))))))

(defun array-specification (value)
  "The arguments of MAKE-ARRAY that VALUE, an element type or a list of it and options, stands for."
  (if (and (consp value) (keywordp (second value)))
      (list* :element-type (first value) (rest value))
      (list :element-type value)))

(defun built-object (loader partial)
  "The object of a value whose parts must all be known to make it."
  (let ((items (reverse (partial-items partial))))
    (flet ((named (object name)
             (or object
                 (data-error (loader-cursor loader) "There is no ~(~A~) ~A."
                             (partial-kind partial) name))))
      (ecase (partial-kind partial)
        (:vector (coerce items 'simple-vector))
        (:complex (complex (first items) (second items)))
        (:function (fdefinition (first items)))
        (:package (named (find-package (first items)) (first items)))
        (:class (find-class (first items)))
        (:unbound *unbound*)
        ((:single-float :double-float)
         (special-float (partial-kind partial) (first items)))
        (:pathname
         (destructuring-bind (host device directory name type version) items
           (make-pathname :host host :device device :directory directory
                          :name name :type type :version version)))))))
