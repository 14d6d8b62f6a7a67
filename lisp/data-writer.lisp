(in-package #:jiti-kernel)

;;; Values as text. docs/data-format.md describes the syntax. The writer keeps what it has still
;;; to do in a list instead of calling itself, so that no depth exhausts the stack.

(defconstant +line-width+ 90 "The column from which on a new line is begun between two elements.")
(defconstant +piece+ (* 256 1024)
  "How many characters are written before they are handed on: at most 1 MiB of UTF-8.")

(defstruct (writer (:constructor make-writer (sink shared)))
  (sink nil :type function) ; takes each piece of the text
  shared ; a table of what needs a label
  (text (make-string 4096) :type (simple-array character (*))) ; what was not handed on yet
  (fill 0 :type fixnum)
  (written 0 :type fixnum) ; characters handed on
  (column 0 :type fixnum)
  (labels (make-hash-table :test 'eq)) ; the labels given
  (names (make-hash-table :test 'eq)) ; symbols as text
  (slots (make-hash-table :test 'eq)) ; from classes to the names of their slots
  (waiting '())) ; what is to be written, first things first

(defmacro with-writer ((writer sink shared) &body body)
  "Run BODY with WRITER, which hands what it writes to SINK, a function of a string, in pieces.
SHARED is what SHARED-OBJECTS returned."
  `(let ((package (reading-package)))
     (with-standard-io-syntax
       (let ((*package* package)
             (*print-readably* nil)
             (*print-case* :downcase)
             (,writer (make-writer ,sink ,shared)))
         (multiple-value-prog1 (progn ,@body)
           (hand-on ,writer))))))

(defun writer-position (writer)
  "How many characters were written."
  (+ (writer-written writer) (writer-fill writer)))

(defun hand-on (writer)
  "Give the sink what it has not got yet."
  (when (plusp (writer-fill writer))
    (funcall (writer-sink writer) (subseq (writer-text writer) 0 (writer-fill writer)))
    (incf (writer-written writer) (writer-fill writer))
    (setf (writer-fill writer) 0)))

(defun make-room (writer count)
  "See to it that COUNT more characters fit into the text; COUNT is at most +PIECE+."
  (declare (fixnum count))
  (when (> (+ (writer-fill writer) count) +piece+)
    (hand-on writer))
  (let ((text (writer-text writer)) (needed (+ (writer-fill writer) count)))
    (when (> needed (length text))
      (setf (writer-text writer)
            (replace (make-string (min +piece+ (max needed (* 2 (length text))))) text)))))

(declaim (inline emit-char))
(defun emit-char (writer char)
  "Write CHAR, which is no line end."
  (when (= (writer-fill writer) (length (writer-text writer)))
    (make-room writer 1))
  (setf (schar (writer-text writer) (writer-fill writer)) char)
  (incf (writer-fill writer))
  (incf (writer-column writer)))

(defun emit (writer text)
  "Write TEXT, which has no line end in it."
  (let ((text (if (typep text '(simple-array character (*))) text (simple-text text))))
    (declare (type (simple-array character (*)) text))
    (loop for start of-type fixnum from 0 below (length text) by +piece+
          do (let ((end (min (length text) (+ start +piece+))))
               (make-room writer (- end start))
               (replace (writer-text writer) text
                        :start1 (writer-fill writer) :start2 start :end2 end)
               (incf (writer-fill writer) (- end start))))
    (incf (writer-column writer) (length text))))

(defun emit-lines (writer text)
  "Write TEXT, whole lines."
  (emit writer text)
  (setf (writer-column writer) 0))

(defun emit-line-end (writer)
  (emit-char writer #\Newline)
  (setf (writer-column writer) 0))

(defun emit-separator (writer)
  (when (> (writer-column writer) +line-width+)
    (emit-line-end writer))
  (emit-char writer #\Space))

(defun emit-string (writer string)
  "STRING between quotes. Only the quote and the backslash are escaped."
  (declare (type (simple-array character (*)) string))
  (emit-char writer #\")
  (emit writer (if (find-if (lambda (char) (member char '(#\\ #\"))) string)
                   (with-output-to-string (out)
                     (loop for char across string
                           do (when (member char '(#\\ #\")) (write-char #\\ out))
                              (write-char char out)))
                   string))
  (let ((newline (position #\Newline string :from-end t)))
    (when newline
      (setf (writer-column writer) (- (length string) newline 1))))
  (emit-char writer #\"))

(defun emit-printed (writer object)
  (emit writer (prin1-to-string object)))

(defun emit-fixnum (writer number)
  (declare (fixnum number))
  (make-room writer 32)
  (let ((rest (abs number)) (digits 0))
    (declare (type (unsigned-byte 62) rest) (fixnum digits))
    (when (minusp number)
      (emit-char writer #\-))
    (let ((start (writer-fill writer)) (text (writer-text writer)))
      (loop do (multiple-value-bind (quotient digit) (truncate rest 10)
                 (setf (schar text (+ start digits)) (code-char (+ 48 digit))
                       rest quotient)
                 (incf digits))
            until (zerop rest))
      (loop for low of-type fixnum from start
            for high of-type fixnum downfrom (+ start digits -1)
            while (< low high)
            do (rotatef (schar text low) (schar text high)))
      (incf (writer-fill writer) digits)
      (incf (writer-column writer) digits))))

(defun symbol-text (writer symbol)
  (or (gethash symbol (writer-names writer))
      (setf (gethash symbol (writer-names writer)) (simple-text (prin1-to-string symbol)))))

(defun emit-float (writer float)
  (let ((text (special-float-text float)))
    (if text
        (emit writer text)
        (emit-printed writer float))))

(defun object-slot-names (writer object)
  (let ((class (class-of object)))
    (or (gethash class (writer-slots writer))
        (setf (gethash class (writer-slots writer)) (slot-names object)))))

;;; What is to be written is a string, or a list (OPERATION ARGUMENT ...).

(defun later (writer &rest items)
  "Write ITEMS next, in this order, before all that is waiting."
  (setf (writer-waiting writer) (append items (writer-waiting writer))))

(defun write-value (writer value)
  "Write VALUE and all that it holds."
  (later writer (list :object value))
  (loop while (writer-waiting writer)
        do (let ((item (pop (writer-waiting writer))))
             (if (stringp item)
                 (emit writer item)
                 (ecase (first item)
                   (:object (write-object writer (second item)))
                   (:tail (write-tail writer (second item)))
                   (:parts (apply #'write-parts writer (rest item))))))))

(defun emit-entry (writer place value)
  "Write an entry: the text of its PLACE and its VALUE."
  (emit writer place)
  (emit-char writer #\Space)
  (if (eq value *unbound*)
      (emit writer "#[unbound]")
      (write-value writer value)))

(defun forget-labels (writer)
  (when (plusp (hash-table-count (writer-labels writer)))
    (clrhash (writer-labels writer))))

(defun write-object (writer object)
  (let* ((shared (and (shared-p writer object) (not (atomic-p object))))
         (label (and shared (gethash object (writer-labels writer)))))
    (cond (label (emit writer (format nil "#~D#" label)))
          (shared
           (setf label (1+ (hash-table-count (writer-labels writer)))
                 (gethash object (writer-labels writer)) label)
           (emit writer (format nil "#~D=" label))
           (write-fresh writer object t))
          (t (write-fresh writer object nil)))))

(defun write-fresh (writer object labelled)
  "Write OBJECT itself. LABELLED: it may hold itself, so its size must come before its parts."
  (etypecase object
    (fixnum (emit-fixnum writer object))
    (symbol (emit writer (symbol-text writer object)))
    (float (emit-float writer object))
    (complex (write-parts-of writer "#C(" (list (realpart object) (imagpart object)) ")"))
    ((or number character) (emit-printed writer object))
    (cons
     (emit-char writer #\()
     (write-element writer (car object) (cdr object)))
    ((simple-array character (*)) (emit-string writer object))
    (simple-base-string (emit writer "#") (emit-string writer (simple-text object)))
    (simple-bit-vector (emit-printed writer object))
    (simple-vector
     (emit writer (if labelled (format nil "#~D(" (length object)) "#("))
     (later writer (list :parts object 0 1 ")")))
    (array (write-array writer object))
    (hash-table (write-hash-table writer object))
    (pathname (write-pathname writer object))
    (package (write-parts-of writer "#[package " (list (simple-text (package-name object))) "]"))
    (class (write-parts-of writer "#[class " (list (class-name object)) "]"))
    (function
     (emit writer "#'")
     (later writer (list :object (function-designation object))))
    (structure-object
     (write-slots writer object "#S(" ")" (lambda (name) (intern (symbol-name name) "KEYWORD"))))
    ((or standard-object condition)
     (write-slots writer object "#[instance " "]" #'identity))))

(defun simple-text (string)
  (coerce string '(simple-array character (*))))

(defun shared-p (writer object)
  (let ((shared (writer-shared writer)))
    (and (plusp (hash-table-count shared))
         (gethash object shared))))

(defun write-element (writer element tail)
  "ELEMENT of a list, then its TAIL. What is written at once makes no garbage."
  (loop
    (typecase element
      (fixnum (emit-fixnum writer element))
      ((or null keyword) (emit writer (symbol-text writer element)))
      (t (return (later writer (list :object element) (list :tail tail)))))
    (unless (and (consp tail) (not (shared-p writer tail)))
      (return (write-tail writer tail)))
    (emit-separator writer)
    (setf element (car tail)
          tail (cdr tail))))

(defun write-tail (writer tail)
  (cond ((null tail) (emit-char writer #\)))
        ((and (consp tail) (not (shared-p writer tail)))
         (emit-separator writer)
         (write-element writer (car tail) (cdr tail)))
        (t
         (emit writer " . ")
         (later writer (list :object tail) ")"))))

(defun write-parts (writer parts index step end)
  "Write the elements of the vector PARTS from INDEX, STEP of them at once, then END."
  (cond ((= index (length parts)) (emit writer end))
        (t
         (cond ((> step 1) (emit-line-end writer) (emit writer " "))
               ((plusp index) (emit-separator writer)))
         (later writer (list :parts parts (+ index step) step end))
         (when (> step 1)
           (later writer " " (list :object (svref parts (1+ index)))))
         (later writer (list :object (svref parts index))))))

(defun write-parts-of (writer start parts end)
  (emit writer start)
  (later writer (list :parts (coerce parts 'simple-vector) 0 1 end)))

(defun write-slots (writer object start end slot-text)
  "An object of a class: its class, then names and values of the slots that are bound."
  (write-parts-of writer start
                  (cons (class-name (class-of object))
                        (loop for name in (object-slot-names writer object)
                              when (slot-boundp object name)
                                collect (funcall slot-text name)
                                and collect (slot-value object name)))
                  end))

(defun write-hash-table (writer table)
  (let* ((parts (make-array (* 2 (hash-table-count table))))
         (index -1)
         (options (append (when (sb-ext:hash-table-weakness table)
                            (list :weakness (sb-ext:hash-table-weakness table)))
                          (when (sb-ext:hash-table-synchronized-p table)
                            (list :synchronized t))))
         (test (hash-table-test table)))
    (maphash (lambda (key value)
               (setf (svref parts (incf index)) key
                     (svref parts (incf index)) value))
             table)
    (emit writer "#[hash-table ")
    (later writer
           (list :object (if options (cons test options) test))
           (list :parts parts 0 2 "]"))))

(defun write-array (writer array)
  "An array that is not simple or not of element type T and rank 1."
  (multiple-value-bind (target offset) (array-displacement array)
    (let* ((element-type (array-element-type array))
           (options (append (when (array-has-fill-pointer-p array)
                              (list :fill-pointer (fill-pointer array)))
                            (when (adjustable-array-p array)
                              (list :adjustable t))
                            (when target
                              (list :displaced-index-offset offset)))))
      (write-parts-of writer "#[array "
                      (list* (array-dimensions array)
                             (if options (cons element-type options) element-type)
                             (cond (target (list target))
                                   ((stringp array) (list (string-contents array)))
                                   (t (loop for index below (array-total-size array)
                                            collect (row-major-aref array index)))))
                      "]"))))

(defun string-contents (string)
  "All characters of STRING but the null characters at its end, those behind the fill pointer too."
  (let* ((all (make-string (array-total-size string))))
    (dotimes (index (length all))
      (setf (char all index) (row-major-aref string index)))
    (subseq all 0 (1+ (or (position (code-char 0) all :test-not #'eql :from-end t) -1)))))

(defun write-pathname (writer pathname)
  (let ((text (ignore-errors (simple-text (namestring pathname)))))
    (if (and text (equal (ignore-errors (parse-namestring text)) pathname))
        (progn (emit writer "#P") (emit-string writer text))
        (write-parts-of writer "#[pathname "
                        (list (and (pathname-host pathname)
                                   (simple-text (host-namestring pathname)))
                              (pathname-device pathname) (pathname-directory pathname)
                              (pathname-name pathname) (pathname-type pathname)
                              (pathname-version pathname))
                        "]"))))
