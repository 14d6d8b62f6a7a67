(in-package #:jiti-kernel)

;;; The wire of docs/wire.md: a frame is six hexadecimal digits and one s-expression in UTF-8, made
;;; of lists, keywords, strings, integers, T and NIL alone. CL:READ never sees it.

(deftype octets () '(simple-array (unsigned-byte 8) (*)))

(defconstant +header-octets+ 6)
(defconstant +message-octets+ (1- (expt 16 +header-octets+)) "The longest s-expression.")
(defconstant +nesting+ 64 "How deep lists may nest.")
(defconstant +digits+ 100 "The longest integer.")

(defun wire-error (control &rest arguments)
  "Signal WIRE-ERROR, for the reason that CONTROL and ARGUMENTS are as text."
  (error 'wire-error :reason (apply #'format nil control arguments)))

;;; Writing

(defun write-wire-string (string stream)
  "Write STRING between quotes, with a backslash before each quote and backslash."
  (write-char #\" stream)
  (loop with start = 0
        for special = (position-if (lambda (character) (find character "\"\\")) string :start start)
        do (write-string string stream :start start :end special)
        while special
        do (write-char #\\ stream)
           (write-char (char string special) stream)
           (setf start (1+ special)))
  (write-char #\" stream))

(defun write-wire-datum (datum stream depth)
  "Write DATUM, which stands in so many lists as DEPTH."
  (typecase datum
    (null (write-string "nil" stream))
    ((eql t) (write-string "t" stream))
    (keyword (format stream ":~(~A~)" (symbol-name datum)))
    (string (write-wire-string datum stream))
    (integer (format stream "~D" datum))
    (cons
     (when (>= depth +nesting+)
       (wire-error "Lists nest deeper than ~D." +nesting+))
     (write-char #\( stream)
     (loop for (item . more) on datum
           do (write-wire-datum item stream (1+ depth))
              (when more (write-char #\Space stream)))
     (write-char #\) stream))
    (t (wire-error "There is no way to write a ~(~A~)." (type-of datum)))))

(defun encode-utf-8 (string start)
  "STRING in UTF-8 behind START free octets. A lone surrogate takes three octets, as any other
character of its range."
  (declare (type (simple-array character (*)) string) (type fixnum start))
  (let* ((size (utf-8-length string))
         (octets (make-array (+ start size) :element-type '(unsigned-byte 8)))
         (position start))
    (declare (type fixnum size position))
    (flet ((put (octet)
             (setf (aref octets position) octet)
             (incf position))
           (continuation (code shift)
             (logior #x80 (ldb (byte 6 shift) code))))
      (declare (inline put continuation))
      (loop for character across string
            for code of-type (unsigned-byte 21) = (char-code character)
            do (cond ((< code #x80)
                      (put code))
                     ((< code #x800)
                      (put (logior #xC0 (ash code -6)))
                      (put (continuation code 0)))
                     ((< code #x10000)
                      (put (logior #xE0 (ash code -12)))
                      (put (continuation code 6))
                      (put (continuation code 0)))
                     (t
                      (put (logior #xF0 (ash code -18)))
                      (put (continuation code 12))
                      (put (continuation code 6))
                      (put (continuation code 0))))))
    octets))

(defun encode-frame (message)
  "The octets of the frame that carries MESSAGE. Signals WIRE-ERROR where the wire cannot carry it."
  (let* ((text (with-standard-io-syntax
                 (with-output-to-string (stream)
                   (write-wire-datum message stream 0))))
         (octets (encode-utf-8 (coerce text '(simple-array character (*))) +header-octets+))
         (size (- (length octets) +header-octets+)))
    (when (> size +message-octets+)
      (wire-error "The answer takes ~:D bytes; ~:D is the most." size +message-octets+))
    (replace octets (map 'vector #'char-code (format nil "~(~6,'0X~)" size)))))

;;; Reading

(defstruct (input (:constructor make-input (octets &aux (end (length octets)))))
  "A message that is being read."
  (octets nil :type octets)
  (end 0 :type fixnum)
  (position 0 :type fixnum))

(defun peek-octet (input)
  (if (< (input-position input) (input-end input))
      (aref (input-octets input) (input-position input))
      (wire-error "The message ends too early.")))

(declaim (inline octet-of))
(defun octet-of (character)
  (char-code character))

(defun blank-octet-p (octet)
  (member octet '(32 9 10 13)))

(defun skip-wire-blanks (input)
  (loop while (and (< (input-position input) (input-end input))
                   (blank-octet-p (peek-octet input)))
        do (incf (input-position input))))

(defun decoded-length (octets start end)
  "How many characters OCTETS from START to END are."
  (declare (type octets octets) (type fixnum start end))
  (let ((length 0) (position start))
    (declare (type fixnum length position))
    (loop while (< position end)
          do (let ((octet (aref octets position)))
               (unless (= #x80 (logand #xC0 octet))
                 (incf length))
               (incf position (if (= octet (octet-of #\\)) 2 1))))
    length))

(defun decode-utf-8 (octets start end)
  "The string whose UTF-8 is OCTETS from START to END, where a backslash escapes the octet after it.
Signals WIRE-ERROR unless each character takes the least number of octets."
  (declare (type octets octets) (type fixnum start end))
  (let* ((length (decoded-length octets start end))
         (string (make-string length))
         (position start))
    (declare (type fixnum length position))
    (labels ((refuse ()
               (wire-error "The message is not UTF-8."))
             (continuation ()
               (let ((octet (if (< position end) (aref octets position) 0)))
                 (unless (= #x80 (logand #xC0 octet))
                   (refuse))
                 (incf position)
                 (logand #x3F octet)))
             (longer (octet)
               (multiple-value-bind (more least)
                   (cond ((< #xC1 octet #xE0) (values 1 #x80))
                         ((< #xDF octet #xF0) (values 2 #x800))
                         ((< #xEF octet #xF5) (values 3 #x10000))
                         (t (refuse)))
                 (let ((code (ldb (byte (- 6 more) 0) octet)))
                   (loop repeat more
                         do (setf code (logior (ash code 6) (continuation))))
                   (unless (< (1- least) code char-code-limit)
                     (refuse))
                   code))))
      (dotimes (index length)
        (let ((octet (aref octets position)))
          (when (= octet (octet-of #\\))
            (incf position)
            (setf octet (aref octets position)))
          (incf position)
          (setf (schar string index)
                (code-char (if (< octet #x80) octet (longer octet)))))))
    (unless (= position end)
      (wire-error "The message is not UTF-8."))
    string))

(defun read-wire-string (input)
  "The string whose opening quote stands next in INPUT."
  (let* ((octets (input-octets input))
         (start (1+ (input-position input)))
         (end (loop with position of-type fixnum = start
                    do (when (>= position (input-end input))
                         (wire-error "A string of the message has no end."))
                       (let ((octet (aref octets position)))
                         (cond ((= octet (octet-of #\")) (return position))
                               ((/= octet (octet-of #\\)) (incf position))
                               ((and (< (1+ position) (input-end input))
                                     (find (aref octets (1+ position))
                                           '(#.(char-code #\") #.(char-code #\\))))
                                (incf position 2))
                               (t (wire-error "A backslash escapes nothing but \" and \\.")))))))
    (setf (input-position input) (1+ end))
    (decode-utf-8 octets start end)))

(defun read-wire-atom (input)
  "The keyword, integer, T or NIL that stands next in INPUT."
  (let* ((start (input-position input))
         (end (or (position-if (lambda (octet)
                                 (or (blank-octet-p octet)
                                     (find octet '(#.(char-code #\() #.(char-code #\))
                                                   #.(char-code #\")))))
                               (input-octets input) :start start)
                  (input-end input)))
         (token (map 'string #'code-char
                     (subseq (input-octets input) start (min end (+ start 200))))))
    (setf (input-position input) end)
    (flet ((every-from (index predicate)
             (and (< index (length token)) (every predicate (subseq token index))))
           (ascii-digit-p (character)
             (char<= #\0 character #\9)))
      (cond ((string= token "nil") nil)
            ((string= token "t") t)
            ((and (every-from 1 (lambda (character)
                                  (or (char<= #\a character #\z) (ascii-digit-p character)
                                      (char= character #\-))))
                  (char= (char token 0) #\:)
                  (char<= #\a (char token 1) #\z))
             (intern (string-upcase (subseq token 1)) '#:keyword))
            ((let ((sign (if (string= token "-" :end1 (min 1 (length token))) 1 0)))
               (and (every-from sign #'ascii-digit-p)
                    (<= (- (length token) sign) +digits+)))
             (parse-integer token))
            (t (wire-error "~S is nothing that the wire has." token))))))

(defun read-wire-datum (input depth)
  "The datum that stands next in INPUT, in so many lists as DEPTH."
  (skip-wire-blanks input)
  (let ((octet (peek-octet input)))
    (cond ((= octet (octet-of #\"))
           (read-wire-string input))
          ((/= octet (octet-of #\())
           (read-wire-atom input))
          ((>= depth +nesting+)
           (wire-error "Lists nest deeper than ~D." +nesting+))
          (t
           (incf (input-position input))
           (loop do (skip-wire-blanks input)
                 until (= (peek-octet input) (octet-of #\)))
                 collect (read-wire-datum input (1+ depth))
                 finally (incf (input-position input)))))))

(defun decode-message (octets)
  "The one s-expression in OCTETS. Signals WIRE-ERROR when it is anything else."
  (let ((input (make-input octets)))
    (prog1 (read-wire-datum input 0)
      (skip-wire-blanks input)
      (unless (= (input-position input) (input-end input))
        (wire-error "There is something after the message.")))))

(defun decode-header (octets)
  "How many octets follow the header OCTETS. Signals WIRE-ERROR when they are no header."
  (if (every (lambda (octet) (find (code-char octet) "0123456789abcdef")) octets)
      (parse-integer (map 'string #'code-char octets) :radix 16)
      (wire-error "A frame starts with six hexadecimal digits.")))
