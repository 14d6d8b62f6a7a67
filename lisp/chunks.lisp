(in-package #:jiti-kernel)

;;; An export on its way to the controller, in chunks: it may be longer than a message.

(defconstant +chunk-characters+ (* 256 1024)
  "The longest text of one message of an export: at most 1 MiB of UTF-8.")

(defclass chunk-stream (sb-gray:fundamental-character-output-stream)
  ((part :initarg :part :reader chunk-part)
   (text :initform (make-string-output-stream) :reader chunk-text)
   (size :initform 0 :accessor chunk-size))
  (:documentation "Sends what is written to it to the controller, as text of PART."))

(defun make-chunk-stream (part)
  (make-instance 'chunk-stream :part part))

(defun send-chunk (stream)
  (setf (chunk-size stream) 0)
  (send (list :chunk :part (chunk-part stream)
                     :text (get-output-stream-string (chunk-text stream)))))

(defmethod sb-gray:stream-write-string ((stream chunk-stream) string &optional (start 0) end)
  (loop with end = (or end (length string))
        for from = start then to
        for to = (min end (+ from (- +chunk-characters+ (chunk-size stream))))
        do (write-string string (chunk-text stream) :start from :end to)
           (incf (chunk-size stream) (- to from))
           (when (= (chunk-size stream) +chunk-characters+)
             (send-chunk stream))
        until (= to end))
  string)

(defmethod sb-gray:stream-write-char ((stream chunk-stream) character)
  (write-char character (chunk-text stream))
  (when (= (incf (chunk-size stream)) +chunk-characters+)
    (send-chunk stream))
  character)

(defmethod sb-gray:stream-line-column ((stream chunk-stream))
  nil)

(defun send-part (part exporter)
  "Send what EXPORTER writes as PART; its value is the index of that text."
  (let ((stream (make-chunk-stream part)))
    (prog1 (funcall exporter stream)
      (when (plusp (chunk-size stream))
        (send-chunk stream)))))

(defun send-data-piece (name text)
  "Send a piece of the text of the block NAME, or of data.sexp where that is NIL."
  (send (if name
            (list :chunk :part :block :name name :text text)
            (list :chunk :part :data :text text))))

(define-request :export (:runner :world :verifier :ready) ()
  (handler-case
      (let* ((definitions (send-part :definitions #'export-definitions))
             (data (export-data #'send-data-piece)))
        (multiple-value-bind (files same) (send-files)
          (list :exported :definitions definitions
                          :data (data-export-index data)
                          :blocks (data-export-blocks data)
                          :before (data-export-before data)
                          :after (data-export-after data)
                          :rest (data-export-rest data)
                          :state (state-rows)
                          :files files :same same)))
    (not-reconstructible (condition)
      (list :failed :reason (condition-reason condition) :path (condition-path condition)))
    (kernel-error (condition)
      (list :failed :reason (condition-reason condition)))))
