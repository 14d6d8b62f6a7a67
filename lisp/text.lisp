(in-package #:jiti-kernel)

;;; What several files do with strings.

(defun starts-with-p (prefix text)
  "True if TEXT begins with PREFIX, or is the same."
  (let ((difference (mismatch prefix text)))
    (or (null difference) (= difference (length prefix)))))

(declaim (inline utf-8-length))
(defun utf-8-length (text)
  "The octets that TEXT takes. A lone surrogate counts as any character of its range."
  (loop for character across text
        for code = (char-code character)
        sum (cond ((< code #x80) 1) ((< code #x800) 2) ((< code #x10000) 3) (t 4))
          of-type fixnum))

(defun one-line (text)
  "TEXT with each newline, and the blanks around it, as one space."
  (format nil "~{~A~^ ~}"
          (loop for start = 0 then (1+ end)
                for end = (position #\Newline text :start start)
                for line = (string-trim " " (subseq text start end))
                unless (string= line "") collect line
                while end)))
