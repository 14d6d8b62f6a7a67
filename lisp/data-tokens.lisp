(in-package #:jiti-kernel)

;;; The tokens of data: numbers, symbols, strings, characters. Nothing is evaluated, and a symbol is
;;; made only in a managed package.

(defstruct (cursor (:constructor make-cursor (text package file)))
  "A text of data under way."
  (text "" :type (simple-array character (*)))
  (position 0 :type fixnum)
  package ; in which names without a prefix are read
  file ; what messages call the text
  (symbols (make-hash-table :test 'equal)))

(defun data-error (cursor control &rest arguments)
  (error 'import-failed :file (cursor-file cursor)
                        :line (place-in (cursor-text cursor) (cursor-position cursor))
                        :reason (apply #'format nil control arguments)
                        :type "JITI-KERNEL:UNREADABLE"))

(defun peek (cursor)
  "The next character, NIL at the end."
  (let ((position (cursor-position cursor)) (text (cursor-text cursor)))
    (and (< position (length text))
         (schar text position))))

(defun take (cursor)
  (let ((char (peek cursor)))
    (unless char
      (data-error cursor "The data ends inside a value."))
    (incf (cursor-position cursor))
    char))

(defun skip-blanks (cursor)
  "Skip blanks and comments."
  (loop while (member (peek cursor) '(#\Space #\Newline))
        do (incf (cursor-position cursor)))
  (when (member (peek cursor) '(#\; #\# #\Tab #\Return #\Page))
    (setf (cursor-position cursor)
          (nth-value 1 (scan-gap (cursor-text cursor) (cursor-position cursor))))))

(defun take-string (cursor)
  "The string whose opening quote has been taken."
  (let* ((text (cursor-text cursor))
         (start (cursor-position cursor))
         (end (loop for position from start below (length text)
                    when (member (schar text position) '(#\\ #\"))
                      return position)))
    (cond ((and end (char= (schar text end) #\"))
           (setf (cursor-position cursor) (1+ end))
           (subseq text start end))
          (t
           (simple-text
            (with-output-to-string (out)
              (loop for char = (take cursor)
                    until (char= char #\")
                    do (write-char (if (char= char #\\) (take cursor) char) out))))))))

(declaim (inline token-end-p))
(defun token-end-p (char)
  (case char
    ((nil #\Space #\Newline #\Tab #\Return #\Page #\( #\) #\] #\" #\' #\` #\, #\;) t)))

(defun take-token (cursor)
  "The characters of a token, escapes resolved and unescaped letters in upper case, and the position
of the package marker in them or NIL."
  (let ((out (make-string-output-stream)) (count 0) (marker nil) (escaped nil))
    (flet ((put (char) (write-char char out) (incf count)))
      (loop
        (let ((char (peek cursor)))
          (cond ((token-end-p char) (return))
                ((char= char #\\) (take cursor) (put (take cursor)) (setf escaped t))
                ((char= char #\|)
                 (take cursor)
                 (setf escaped t)
                 (loop for inner = (take cursor)
                       until (char= inner #\|)
                       do (put (if (char= inner #\\) (take cursor) inner))))
                ((char= char #\:)
                 (take cursor)
                 (setf marker count))
                (t (take cursor) (put (char-upcase char)))))))
    (when (and (zerop count) (not escaped))
      (data-error cursor "Here stands ~:[nothing~;the character ~:*~C~], where a value is expected."
                  (peek cursor)))
    (values (simple-text (get-output-stream-string out)) marker)))

(defun digits-p (text start end)
  (and (< start end)
       (loop for index from start below end always (char<= #\0 (schar text index) #\9))))

(defun number-p (text)
  "True if TEXT, in upper case, is written like an integer, a ratio or a float."
  (let* ((length (length text))
         (start (if (and (plusp length) (find (schar text 0) "+-")) 1 0))
         (slash (position #\/ text))
         (exponent (position-if (lambda (char) (find char "ESFDL")) text :start start))
         (end (or exponent length))
         (dot (position #\. text :end end)))
    (cond (slash (and (digits-p text start slash) (digits-p text (1+ slash) length)))
          ((and exponent
                (not (digits-p text
                               (if (and (< (1+ exponent) length)
                                        (find (schar text (1+ exponent)) "+-"))
                                   (+ exponent 2)
                                   (1+ exponent))
                               length)))
           nil)
          (dot (and (digits-p text (1+ dot) end)
                    (or (= dot start) (digits-p text start dot))))
          (t (digits-p text start end)))))

(defun find-world-symbol (cursor name package)
  "The symbol NAME of PACKAGE, made only in a package of the world or its base."
  (multiple-value-bind (symbol status) (find-symbol name package)
    (cond (status symbol)
          ((definable-package-p package) (intern name package))
          (t (data-error cursor "There is no symbol ~A in the package ~A." name
                         (package-name package))))))

(defun plain-token-end (cursor)
  "Where the token ends that begins here, if there is no escape in it, else NIL."
  (let ((text (cursor-text cursor)))
    (loop for position from (cursor-position cursor) below (length text)
          for char = (schar text position)
          do (cond ((token-end-p char) (return position))
                   ((member char '(#\\ #\|)) (return nil)))
          finally (return (length text)))))

(defun take-atom (cursor)
  "The number or symbol that stands next."
  (let* ((text (cursor-text cursor))
         (start (cursor-position cursor))
         (end (plain-token-end cursor))
         (digits (and end (if (eql (peek cursor) #\-) (1+ start) start))))
    (cond ((and end (digits-p text digits end))
           (setf (cursor-position cursor) end)
           (parse-integer text :start start :end end))
          (end
           (let ((token (subseq text start end)))
             (multiple-value-bind (atom known) (gethash token (cursor-symbols cursor))
               (cond (known (setf (cursor-position cursor) end)
                            atom)
                     ((number-p (string-upcase token))
                      (setf (cursor-position cursor) end)
                      (values (read-from-string token)))
                     (t (setf (gethash token (cursor-symbols cursor))
                              (take-symbol cursor)))))))
          (t (take-symbol cursor)))))

(defvar *names* nil
  "While data are read before the definitions of their world: a table of what names mean so far,
from (PREFIX . NAME) to symbols. A symbol must exist then. NIL otherwise.")

(defun find-named (cursor prefix name)
  "The symbol NAME of the package PREFIX, NIL for the reading package."
  (let ((package (if prefix
                     (or (find-package prefix)
                         (data-error cursor "There is no package ~A." prefix))
                     (cursor-package cursor))))
    (cond ((null *names*) (find-world-symbol cursor name package))
          ((nth-value 1 (find-symbol name package))
           (setf (gethash (cons prefix name) *names*) (find-symbol name package)))
          (t (require-no-definition cursor)))))

(defun require-no-definition (cursor)
  "What is read now depends on the definitions of the world. Signals IMPORT-FAILED before these."
  (when *names*
    (data-error cursor "This means nothing before the definitions of the world.")))

(defun take-symbol (cursor)
  "The symbol that stands next."
  (multiple-value-bind (text marker) (take-token cursor)
    (cond ((null marker) (find-named cursor nil text))
          ((zerop marker) (intern text "KEYWORD"))
          (t (find-named cursor (subseq text 0 marker) (subseq text marker))))))

(defun take-character (cursor)
  "The character whose `#\\` has been taken."
  (let* ((first (take cursor))
         (start (1- (cursor-position cursor))))
    (loop until (token-end-p (peek cursor)) do (take cursor))
    (let ((name (subseq (cursor-text cursor) start (cursor-position cursor))))
      (cond ((= (length name) 1) first)
            ((name-char name))
            (t (data-error cursor "There is no character named ~A." name))))))
