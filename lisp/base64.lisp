(in-package #:jiti-kernel)

;;; Octets as text for the wire: base64 of RFC 4648, section 4, with padding and without line ends.

(declaim (type simple-base-string *base64-digits*))
(sb-ext:defglobal *base64-digits*
    (coerce "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/" 'simple-base-string))

(declaim (type octets *base64-values*))
(sb-ext:defglobal *base64-values*
    (let ((values (make-array 128 :element-type '(unsigned-byte 8) :initial-element 255)))
      (loop for digit across *base64-digits*
            for value from 0
            do (setf (aref values (char-code digit)) value))
      values))

(defun encode-base64 (octets end)
  "The first END of OCTETS as base64."
  (declare (type octets octets) (type (integer 0 #.(ash 1 40)) end)
           (optimize speed (sb-ext:inhibit-warnings 3)))
  (let ((text (make-string (* 4 (ceiling end 3)) :element-type 'base-char :initial-element #\=))
        (position 0))
    (declare (type (integer 0 #.(ash 1 41)) position))
    (flet ((octet (index)
             (if (< index end) (aref octets index) 0))
           (put (value)
             (setf (schar text position) (schar *base64-digits* value))
             (incf position)))
      (declare (inline octet put))
      (loop for index of-type (integer 0 #.(ash 1 40)) from 0 below end by 3
            for left = (- end index)
            for triple of-type (unsigned-byte 24)
              = (logior (ash (octet index) 16) (ash (octet (+ index 1)) 8) (octet (+ index 2)))
            do (put (ldb (byte 6 18) triple))
               (put (ldb (byte 6 12) triple))
               (when (> left 1) (put (ldb (byte 6 6) triple)))
               (when (> left 2) (put (ldb (byte 6 0) triple)))))
    text))

(defun decode-base64 (text)
  "The octets that TEXT stands for. Signals WIRE-ERROR when it is no base64."
  (let* ((text (coerce text '(simple-array character (*))))
         (end (or (position #\= text) (length text)))
         (octets (make-array (floor (* 3 end) 4) :element-type '(unsigned-byte 8)))
         (position 0) (bits 0) (count 0))
    (declare (type (integer 0 #.(ash 1 40)) end position)
             (type (unsigned-byte 24) bits) (type (integer 0 16) count)
             (optimize speed (sb-ext:inhibit-warnings 3)))
    (flet ((malformed ()
             (error 'wire-error :reason "The octets of a file are no base64.")))
      (unless (and (zerop (mod (length text) 4))
                   (<= (- (length text) end) 2)
                   (every (lambda (character) (char= character #\=)) (subseq text end)))
        (malformed))
      (dotimes (index end)
        (let* ((code (char-code (schar text index)))
               (value (if (< code 128) (aref *base64-values* code) 255)))
          (when (= value 255) (malformed))
          (setf bits (logior (ash (ldb (byte 18 0) bits) 6) value))
          (incf count 6)
          (when (>= count 8)
            (decf count 8)
            (setf (aref octets position) (ldb (byte 8 0) (ash bits (- count))))
            (incf position)))))
    octets))
