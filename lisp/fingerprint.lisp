(in-package #:jiti-kernel)

;;; A fingerprint of an object: a number that says what can be reached from it and how that hangs
;;; together, and that is the same in another process that holds an equal graph. What is met again
;;; counts as its number: two equal lists and one list twice differ.

;;; What is told by itself

(defun mix-text (walk string)
  (declare (type walk walk) (type string string))
  (mix walk (length string))
  (macrolet ((mix-characters (type)
               `(let ((string string))
                  (declare (type ,type string))
                  (loop for char across string
                        do (mix walk (char-code char))))))
    (typecase string
      ((simple-array character (*)) (mix-characters (simple-array character (*))))
      (simple-base-string (mix-characters simple-base-string))
      (t (loop for char across string
               do (mix walk (char-code char)))))))

(defun mix-integer (walk integer)
  (declare (type walk walk) (type integer integer))
  (mix-tag walk :integer)
  (loop for rest = integer then (ash rest -64)
        do (mix walk (ldb (byte 64 0) rest))
        until (<= -1 rest 0)))

(defun mix-number (walk number)
  (declare (type walk walk))
  (etypecase number
    (integer (mix-integer walk number))
    (single-float
     (mix-tag walk :single-float)
     (mix walk (ldb (byte 64 0) (sb-kernel:single-float-bits number))))
    (double-float
     (mix-tag walk :double-float)
     (mix walk (ldb (byte 64 0) (sb-kernel:double-float-bits number))))
    (ratio
     (mix-tag walk :ratio)
     (mix-integer walk (numerator number))
     (mix-integer walk (denominator number)))
    (complex
     (mix-tag walk :complex)
     (mix-number walk (realpart number))
     (mix-number walk (imagpart number)))))

(defun mix-name (walk name)
  "Take NAME, a tree of symbols and the like that names something, into the hash by what it says."
  (typecase name
    (null (mix-tag walk :nil))
    (symbol
     (mix-tag walk :symbol)
     (mix-text walk (symbol-name name))
     (let ((package (symbol-package name)))
       (when package
         (mix-text walk (package-name package)))))
    (string (mix-tag walk :string) (mix-text walk name))
    (number (mix-number walk name))
    (character (mix-tag walk :character) (mix walk (char-code name)))
    (cons
     (mix-tag walk :cons)
     (loop for rest on name
           do (mix-name walk (car rest))
           finally (mix-name walk (cdr rest))))
    (t (mix-type walk name))))

(defun mix-type (walk object)
  "Take OBJECT into the hash by its type alone."
  (mix-tag walk :object)
  (mix-name walk (class-name (class-of object))))

(defun visit (walk object)
  "Take OBJECT into the hash. What it holds comes in its turn."
  (declare (type walk walk))
  (flet ((visit-composite ()
           (let ((number (meet walk object)))
             (cond (number
                    (mix-tag walk :again)
                    (mix walk number))
                   (t (mix-tag walk :new))))))
    (declare (inline visit-composite))
    (typecase object
      (fixnum (mix-tag walk :integer) (mix walk (ldb (byte 64 0) object)))
      (cons (visit-composite))
      (symbol
       (if (or (null object) (symbol-package object))
           (mix-name walk object)
           (visit-composite)))
      (number (mix-number walk object))
      (character (mix-name walk object))
      (package
       (mix-tag walk :package)
       (mix-name walk (package-name object)))
      (class
       (mix-tag walk :class)
       (mix-name walk (class-name object)))
      (function
       (let ((name (function-designation object)))
         (cond (name
                (mix-tag walk :function)
                (mix-name walk name))
               (t (visit-composite)))))
      (t (visit-composite)))))

;;; What objects hold

(defun look-into-array (walk array)
  (declare (type walk walk))
  (mix-tag walk :array)
  (mix-name walk (array-element-type array))
  (mix-name walk (array-dimensions array))
  (mix walk (if (adjustable-array-p array) 1 0))
  (when (array-has-fill-pointer-p array)
    (mix-integer walk (fill-pointer array)))
  (multiple-value-bind (target offset) (array-displacement array)
    (if target
        (progn (mix-integer walk offset)
               (visit walk target))
        (look-into-elements walk array))))

(defun look-into-elements (walk array)
  (declare (type walk walk))
  (sb-kernel:with-array-data ((data array) (start) (end))
    (declare (ignore end))
    (let ((end (+ start (array-total-size array))))
      (declare (type fixnum end))
      (macrolet ((dispatch (&rest types)
                   `(etypecase data
                      ,@(loop for (type form) in types
                              collect `((simple-array ,type (*))
                                        (loop for index of-type fixnum from start below end
                                              do (let ((element (aref data index)))
                                                   ,form))))
                      ((simple-array * (*))
                       (loop for index of-type fixnum from start below end
                             do (visit walk (aref data index)))))))
        (dispatch (t (visit walk element))
                  (character (mix walk (char-code element)))
                  (base-char (mix walk (char-code element)))
                  (bit (mix walk element))
                  ((unsigned-byte 8) (mix walk element))
                  ((unsigned-byte 64) (mix walk element))
                  (fixnum (mix walk (ldb (byte 64 0) element)))
                  (double-float
                   (mix walk (ldb (byte 64 0) (sb-kernel:double-float-bits element)))))))))

(defun look-into-table (walk table)
  (declare (type walk walk) (type hash-table table))
  (mix-tag walk :hash-table)
  (mix-name walk (hash-table-test table))
  (mix-name walk (sb-ext:hash-table-weakness table))
  (mix walk (if (sb-ext:hash-table-synchronized-p table) 1 0))
  (mix walk (hash-table-count table))
  (loop for key being the hash-keys of table using (hash-value value)
        do (visit walk key)
           (visit walk value)))

(defun sbcls-class-p (class)
  "True if the objects of CLASS are SBCL's own affair."
  (let ((name (class-name class)))
    (or (subtypep class 'sb-mop:metaobject)
        (and (symbolp name)
             (or (sbcls-symbol-p name)
                 (and (typep class 'structure-class)
                      (eq (symbol-package name)
                          (load-time-value (find-package "COMMON-LISP")))))))))

(defun plan (walk object)
  "The names of the slots by which OBJECT is told, :OPAQUE if its type alone tells it. What an
adapter holds is its own affair: it exports what is to come back."
  (let* ((class (class-of object))
         (known (assoc class (walk-plans walk) :test #'eq)))
    (if known
        (rest known)
        (let ((plan (if (or (sbcls-class-p class)
                            (typep object '(or stream sb-thread:thread adapter)))
                        :opaque
                        (slot-names object))))
          (push (cons class plan) (walk-plans walk))
          plan))))

(defun look-into-object (walk object)
  "Take what the slots of OBJECT hold into the hash."
  (let ((plan (plan walk object)))
    (mix-type walk object)
    (unless (eq plan :opaque)
      (dolist (name plan)
        (if (slot-boundp object name)
            (visit walk (slot-value object name))
            (mix-tag walk :unbound))))))

(defun look-into-function (walk function)
  (declare (type walk walk))
  (cond ((typep function 'sb-kernel:funcallable-instance)
         (mix-type walk function))
        (t
         (mix-tag walk :closure)
         (mix-name walk (sb-kernel:%fun-name function))
         (visit walk (function-form function))
         (when (sb-kernel:closurep function)
           (dolist (value (sb-kernel:%closure-values function))
             (visit walk value)))
         (visit-literals walk function))))

(defun visit-literals (walk function)
  (dolist (literal (code-literals function))
    (visit walk literal)))

(defun look-into (walk object)
  "Take what OBJECT, which WALK has met, holds into the hash."
  (declare (type walk walk))
  (typecase object
    (cons
     (mix-tag walk :cons)
     (visit walk (car object))
     (visit walk (cdr object)))
    (string
     (cond ((typep object 'simple-string)
            (mix-name walk (type-of object))
            (mix-text walk object))
           (t (look-into-array walk object))))
    (array (look-into-array walk object))
    (symbol
     (mix-tag walk :uninterned)
     (unless (walk-loose walk)
       (mix-text walk (symbol-name object))))
    (hash-table (look-into-table walk object))
    (pathname
     (mix-tag walk :pathname)
     (mix-name walk (list (pathname-device object) (pathname-directory object)
                          (pathname-name object) (pathname-type object)
                          (pathname-version object))))
    (random-state
     (mix-tag walk :random-state)
     (look-into-elements walk (sb-kernel::random-state-state object)))
    (function (look-into-function walk object))
    ((or structure-object standard-object condition) (look-into-object walk object))
    (t
     (if (= (sb-kernel:widetag-of object) sb-vm:value-cell-widetag)
         (visit walk (sb-kernel:value-cell-ref object))
         (mix-type walk object)))))

(defun finish-walk (walk)
  "Look into all that WALK has met. Returns the fingerprint."
  (declare (type walk walk))
  (loop for index of-type fixnum from 0
        while (< index (walk-count walk))
        do (look-into walk (svref (walk-objects walk) index)))
  (ldb (byte 62 0) (walk-hash walk)))

(defun fingerprint (object)
  "A structural hash, (unsigned-byte 62), of the graph that can be reached from OBJECT.

It is the same in another process that holds an equal graph: addresses have no part in it. Symbols
count by package and name, uninterned ones by their place in the graph; arrays, hash tables and
objects with all that makes them what they are; packages, classes and functions by name, a function
that cannot be found by its name by the form that it comes from, what it closes over and the
literals in its code; streams, threads and SBCL's own objects by their type."
  (let ((walk (make-walk)))
    (visit walk object)
    (finish-walk walk)))
