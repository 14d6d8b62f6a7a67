(in-package #:jiti-kernel)

;;; Values as text. docs/data-format.md describes the syntax. The writer keeps what it has still
;;; to do in a list instead of calling itself, so that no depth exhausts the stack.

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
  "Write OBJECT itself. If LABELLED, it may hold itself, so that a reader must know its size before
its parts."
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
  "Write ELEMENT of a list, then its TAIL. Elements that can be written at once are, without a list
of what is to be done: that would be garbage."
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
  "Write OBJECT between START and END: its class, then the names, as SLOT-TEXT gives them, and the
values of the slots that are bound."
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
  "Write ARRAY, which is not simple, or not of element type T and rank 1."
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

(defun same-pathname-p (a b)
  "As EQUAL, which does not compare the versions."
  (and (equal a b)
       (equal (pathname-version a) (pathname-version b))))

(defun write-pathname (writer pathname)
  (let ((text (ignore-errors (simple-text (namestring pathname)))))
    (if (and text (same-pathname-p (ignore-errors (parse-namestring text)) pathname))
        (progn (emit writer "#P") (emit-string writer text))
        (write-parts-of writer "#[pathname "
                        (list (and (pathname-host pathname)
                                   (simple-text (host-namestring pathname)))
                              (pathname-device pathname) (pathname-directory pathname)
                              (pathname-name pathname) (pathname-type pathname)
                              (pathname-version pathname))
                        "]"))))
