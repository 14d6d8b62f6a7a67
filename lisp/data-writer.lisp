(in-package #:jiti-kernel)

;;; Values as text. docs/data-format.md describes the syntax. The writer keeps what it has still
;;; to do in a list instead of calling itself, so that no depth exhausts the stack.

(defconstant +line-width+ 90 "The column from which on a new line is begun between two elements.")

(defstruct (writer (:constructor make-writer (stream shared)))
  stream
  shared ; a table of what needs a label
  (position 0) ; characters written
  (column 0)
  (labels (make-hash-table :test 'eq)) ; the labels given
  (names (make-hash-table :test 'eq)) ; symbols as text
  (waiting '())) ; what is to be written, first things first

(defmacro with-writer ((writer stream shared) &body body)
  "Run BODY with WRITER, which writes to STREAM. SHARED is what SHARED-OBJECTS returned."
  `(let ((package (reading-package)))
     (with-standard-io-syntax
       (let ((*package* package)
             (*print-readably* nil)
             (*print-case* :downcase)
             (,writer (make-writer ,stream ,shared)))
         ,@body))))

(defun emit (writer text)
  "Write TEXT, which has no line end in it."
  (declare (string text))
  (write-string text (writer-stream writer))
  (incf (writer-position writer) (length text))
  (incf (writer-column writer) (length text)))

(defun emit-line-end (writer)
  (write-char #\Newline (writer-stream writer))
  (incf (writer-position writer))
  (setf (writer-column writer) 0))

(defun emit-separator (writer)
  (when (> (writer-column writer) +line-width+)
    (emit-line-end writer))
  (emit writer " "))

(defun emit-string (writer string)
  "STRING between quotes. Only the quote and the backslash are escaped."
  (declare (type (simple-array character (*)) string))
  (emit writer "\"")
  (emit writer (if (find-if (lambda (char) (member char '(#\\ #\"))) string)
                   (with-output-to-string (out)
                     (loop for char across string
                           do (when (member char '(#\\ #\")) (write-char #\\ out))
                              (write-char char out)))
                   string))
  (let ((newline (position #\Newline string :from-end t)))
    (when newline
      (setf (writer-column writer) (- (length string) newline 1))))
  (emit writer "\""))

(defun emit-printed (writer object)
  (emit writer (prin1-to-string object)))

(defun fixnum-text (number)
  (if (<= 0 number 9)
      (svref #("0" "1" "2" "3" "4" "5" "6" "7" "8" "9") number)
      (prin1-to-string number)))

(defun symbol-text (writer symbol)
  (or (gethash symbol (writer-names writer))
      (setf (gethash symbol (writer-names writer)) (prin1-to-string symbol))))

(defun emit-float (writer float)
  (let ((text (special-float-text float)))
    (if text
        (emit writer text)
        (emit-printed writer float))))

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

(defun write-object (writer object)
  (let ((label (and (not (atomic-p object))
                    (gethash object (writer-labels writer)))))
    (cond (label (emit writer (format nil "#~D#" label)))
          ((and (not (atomic-p object))
                (gethash object (writer-shared writer)))
           (setf label (1+ (hash-table-count (writer-labels writer)))
                 (gethash object (writer-labels writer)) label)
           (emit writer (format nil "#~D=" label))
           (write-fresh writer object t))
          (t (write-fresh writer object nil)))))

(defun write-fresh (writer object labelled)
  "Write OBJECT itself. LABELLED: it may hold itself, so its size must come before its parts."
  (etypecase object
    (fixnum (emit writer (fixnum-text object)))
    (symbol (emit writer (symbol-text writer object)))
    (float (emit-float writer object))
    (complex (write-parts-of writer "#C(" (list (realpart object) (imagpart object)) ")"))
    ((or number character) (emit-printed writer object))
    (cons
     (emit writer "(")
     (later writer (list :object (car object)) (list :tail (cdr object))))
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

(defun write-tail (writer tail)
  (cond ((null tail) (emit writer ")"))
        ((and (consp tail)
              (not (gethash tail (writer-shared writer))))
         (emit-separator writer)
         (later writer (list :object (car tail)) (list :tail (cdr tail))))
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
                        (loop for name in (slot-names object)
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
