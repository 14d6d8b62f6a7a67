(in-package #:jiti-kernel)

;;; Where something stands in the text of a form. The form is read again to find the lists; what
;;; stands between their parentheses is read token by token.

(defun form-start (text form)
  "The position at which FORM begins in TEXT, from which it was read."
  (let ((line-start 0))
    (loop repeat (1- (form-line form))
          do (setf line-start (1+ (position #\Newline text :start line-start))))
    (+ line-start (form-column form))))

(defun read-with-places (text form)
  "The datum of FORM, read again from TEXT, and a table of where the lists in it stand."
  (let ((*places* (make-hash-table :test 'eq)) (source (make-source text (form-package form))))
    (values (call-with-source source (lambda () (read-datum source (form-start text form))))
            *places*)))

(defun holds-p (list part)
  "True if PART is an element of LIST, or a tail of it."
  (loop repeat (length-at-most list 10000)
        for tail = list then (cdr tail)
          thereis (or (eq tail part) (eq (car tail) part) (eq (cdr tail) part))))

(defun length-at-most (list bound)
  "How many conses LIST, which may be circular or dotted, has; BOUND where there are more."
  (loop for count from 0 below bound
        for tail = list then (cdr tail)
        while (consp tail)
        finally (return count)))

(defun range-with (part places whole)
  "The bounds of the shortest list in the table PLACES that holds PART, WHOLE if none does."
  (let ((range whole))
    (loop for list being the hash-keys of places using (hash-value (start . end))
          do (when (and (<= (- end start) (- (rest range) (first range)))
                        (holds-p list part))
               (setf range (cons start end))))
    range))

(defun token-position (object text start end package)
  "Where OBJECT, a symbol or a string, stands in TEXT from START to END, which has been read in
PACKAGE; NIL where it is not found."
  (with-standard-io-syntax
    (let ((*read-eval* nil) (*package* (find-package package)) (position start))
      (loop
        (setf position (nth-value 1 (scan-gap text position)))
        (when (>= position end)
          (return nil))
        (let ((char (char text position)))
          (cond ((or (find char "()'`")
                     (and (char= char #\.) (find (char text (1+ position)) *token-ends*))
                     (and (char= char #\,) (not (char-at-p #\@ text (1+ position)))))
                 (incf position))
                ((char= char #\,) (incf position 2))
                ((and (char= char #\#)
                      (not (or (char-at-p #\\ text (1+ position))
                               (char-at-p #\: text (1+ position)))))
                 (setf position (1+ (position-if-not #'digit-char-p text :start (1+ position)))))
                (t
                 (multiple-value-bind (token behind)
                     (read-from-string text t nil :start position :preserve-whitespace t)
                   (when (if (stringp object) (equal token object) (eq token object))
                     (return position))
                   (setf position behind)))))))))

(defun fault-place (text form find-fault)
  "The line and the column in TEXT of what FIND-FAULT returns, a part of the datum that it is called
with: FORM's datum, read again. Those of FORM where it does not stand there by itself."
  (let ((position (handler-case
                      (multiple-value-bind (datum places) (read-with-places text form)
                        (let ((part (funcall find-fault datum)))
                          (or (first (gethash part places))
                              (destructuring-bind (start . end)
                                  (range-with part places
                                              (cons (form-start text form) (length text)))
                                (token-position (if (consp part) (first part) part)
                                                text start end (form-package form))))))
                    (error () nil))))
    (if position
        (place-in text position)
        (values (form-line form) (form-column form)))))
