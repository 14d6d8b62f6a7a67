(in-package #:jiti-kernel)

;;; Where evaluated code prints and reads: a bounded collector, and an input that has ended.

(defvar *output-limit* 65536 "How many characters of output an outcome holds.")

(defclass collector (sb-gray:fundamental-character-output-stream)
  ((text :initform (make-string-output-stream) :reader collector-text)
   (limit :initarg :limit :reader collector-limit)
   (size :initform 0 :accessor collector-size)
   (dropped :initform 0 :accessor collector-dropped)
   (column :initform 0 :accessor collector-column)
   (on-overflow :initarg :on-overflow :initform nil :reader collector-on-overflow
                :documentation "Called without arguments when a character is dropped, if not NIL."))
  (:documentation "Keeps the first LIMIT characters that are written to it and counts the others."))

(defun make-collector (limit &optional on-overflow)
  (make-instance 'collector :limit limit :on-overflow on-overflow))

(defmethod sb-gray:stream-write-string ((stream collector) string &optional (start 0) end)
  (let* ((end (or end (length string)))
         (room (- (collector-limit stream) (collector-size stream)))
         (kept (min (+ start room) end))
         (newline (position #\Newline string :start start :end end :from-end t)))
    ;; A string stream that was stopped amid a write is no string stream any more, and whoever stops
    ;; an evaluation reads what it has printed so far.
    (sb-sys:without-interrupts
      (write-string string (collector-text stream) :start start :end kept)
      (incf (collector-size stream) (- kept start))
      (incf (collector-dropped stream) (- end kept))
      (if newline
          (setf (collector-column stream) (- end newline 1))
          (incf (collector-column stream) (- end start))))
    (when (and (< kept end) (collector-on-overflow stream))
      (funcall (collector-on-overflow stream)))
    string))

(defmethod sb-gray:stream-write-char ((stream collector) character)
  (sb-gray:stream-write-string stream (string character))
  character)

(defmethod sb-gray:stream-line-column ((stream collector))
  (collector-column stream))

(defun collected-text (collector)
  "What COLLECTOR kept since the last call, and how many characters it dropped; it starts anew."
  (multiple-value-prog1
      (values (get-output-stream-string (collector-text collector)) (collector-dropped collector))
    (setf (collector-size collector) 0
          (collector-dropped collector) 0)))

(defmacro with-captured-streams ((collector) &body body)
  "Run BODY with every standard stream on COLLECTOR. Reading finds the end of the file."
  (let ((output (gensym "OUTPUT")) (input (gensym "INPUT")) (both (gensym "BOTH")))
    `(let* ((,output ,collector)
            (,input (make-concatenated-stream))
            (,both (make-two-way-stream ,input ,output))
            (*standard-output* ,output)
            (*error-output* ,output)
            (*trace-output* ,output)
            (*standard-input* ,input)
            (*query-io* ,both)
            (*debug-io* ,both)
            (*terminal-io* ,both))
       ,@body)))
