(in-package #:jiti-kernel)

;;; The text of data on its way out: letters, strings, numbers and names, handed on in pieces.

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
    (declare (type (unsigned-byte 63) rest) (fixnum digits))
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
      (setf (gethash symbol (writer-names writer)) (simple-text (name-text symbol)))))

(defun emit-float (writer float)
  (let ((text (special-float-text float)))
    (if text
        (emit writer text)
        (emit-printed writer float))))

(defun object-slot-names (writer object)
  (let ((class (class-of object)))
    (or (gethash class (writer-slots writer))
        (setf (gethash class (writer-slots writer)) (slot-names object)))))
