(in-package #:jiti-kernel)

;;; The index of a check file: where each predicate stands and what it is called. Nothing of the
;;; file is evaluated, and no package or symbol that it names has to exist.

(defun skip-form (text start)
  "The position behind the form that begins at START of TEXT. Signals UNREADABLE."
  (with-input-from-string (stream text :start start)
    (with-standard-io-syntax
      (let ((*read-suppress* t) (*read-eval* nil))
        (handler-case (read-preserving-whitespace stream t)
          (end-of-file ()
            (check-file-error text start "The file ends inside the form that begins here."))
          (error (condition)
            (check-file-error text (min (+ start (file-position stream)) (length text))
                              "~A" (reader-complaint condition))))))
    (+ start (file-position stream))))

(defun check-file-error (text position control &rest arguments)
  (multiple-value-bind (line column) (place-in text position)
    (error 'unreadable :reason (apply #'format nil control arguments)
                       :line line :column column)))

(defun feature-at (text start)
  "Whether what begins at START of TEXT with `#+` or `#-` is to be read, and the position behind the
feature expression. Signals UNREADABLE."
  (with-standard-io-syntax
    (let ((*package* (load-time-value (find-package "KEYWORD"))) (*read-eval* nil))
      (handler-case
          (multiple-value-bind (feature end)
              (read-from-string text t nil :start (+ start 2) :preserve-whitespace t)
            (values (eq (and (sb-int:featurep feature) t) (char= #\+ (char text (1+ start))))
                    end))
        (end-of-file ()
          (check-file-error text start "The file ends inside the form that begins here."))
        (error (condition)
          (check-file-error text start "~A" (reader-complaint condition)))))))

(defun left-out-check (text start)
  "The position behind what begins at START with `#+` or `#-`, if that leaves it out, else NIL."
  (multiple-value-bind (read end) (feature-at text start)
    (unless read
      (skip-form text end))))

(defun check-gap (text start)
  "What SCAN-GAP returns of the gap at START of a check file."
  (scan-gap text start (lambda (position) (left-out-check text position))))

(defun list-start (text start)
  "The position of the form at START of TEXT without the `#+` and `#-` that admit it."
  (loop while (and (char-at-p #\# text start)
                   (or (char-at-p #\+ text (1+ start)) (char-at-p #\- text (1+ start))))
        do (setf start (nth-value 1 (check-gap text (nth-value 1 (feature-at text start))))))
  start)

(defun operator-name (text start)
  "The name of the operator of the form at START of TEXT in upper case, and the position behind it."
  (when (char-at-p #\( text start)
    (let* ((begin (nth-value 1 (scan-gap text (1+ start))))
           (end (or (position-if (lambda (char) (member char *token-ends*)) text :start begin)
                    (length text)))
           (colon (position #\: text :start begin :end end :from-end t)))
      (values (string-upcase (subseq text (if colon (1+ colon) begin) end)) end))))

(defun check-name (text position)
  "The string that stands at POSITION of TEXT, between blanks and comments, or NIL."
  (let ((start (nth-value 1 (scan-gap text position))))
    (when (char-at-p #\" text start)
      (with-standard-io-syntax
        (values (ignore-errors (read-from-string text t nil :start start)))))))

(defun comment-p (text remark)
  "True if REMARK is a comment, and not what `#+` or `#-` leaves out."
  (or (char-at-p #\; text (remark-start remark))
      (char-at-p #\| text (1+ (remark-start remark)))))

(defun comment-lines (text remark)
  "The lines of a comment that say something, without its marks."
  (let* ((comment (subseq text (remark-start remark) (remark-end remark)))
         (said (if (char= (char comment 0) #\;)
                   (string-trim ";" comment)
                   (subseq comment 2 (max 2 (- (length comment) 2))))))
    (with-input-from-string (stream said)
      (loop for line = (read-line stream nil)
            while line
            unless (blank-p line 0 (length line))
              collect (string-trim *blanks* line)))))

(defun comment-above (text remarks newlines)
  "The comment block whose last line stands directly above a form, as one line, or NIL."
  (let ((block '()))
    (loop for remark in (reverse remarks)
          for distance = newlines then (remark-newlines previous)
          for previous = remark
          while (and (<= distance 1) (comment-p text remark))
          do (push remark block))
    (let ((lines (mapcan (lambda (remark) (comment-lines text remark)) block)))
      (when lines
        (format nil "~{~A~^ ~}" lines)))))

(defun suite-token (text position)
  "The symbol or keyword that stands at POSITION of TEXT, between blanks and comments, or NIL."
  (let* ((start (nth-value 1 (scan-gap text position)))
         (end (or (position-if (lambda (char) (member char *token-ends*)) text :start start)
                  (length text))))
    (and (< start end)
         (char-at-p #\) text (nth-value 1 (scan-gap text end)))
         (not (char= (char text start) #\#))
         (subseq text start end))))

(defun no-check-error (text start kind operator)
  "Signal UNREADABLE: the form at START of TEXT, whose operator is named OPERATOR, is no check."
  (if (equal operator "IN-PACKAGE")
      (check-file-error text start "IN-PACKAGE is not known here: a check file is read in the ~
                                    first of `packages` of world.toml; write PACKAGE::NAME for ~
                                    others.")
      (check-file-error text start "~:[This is no form of such a file~;~:*~A is not known here~]: ~
                                    write `(~(~A~) \"NAME\" FORM...)`~@[, `(suite NAME)`~*~] or ~
                                    `(lambda () ...)`."
                        operator kind (eq kind :goal))))

(defun form-checks (kind text start end comment number)
  "The checks of the form from START to END of TEXT, as INDEX-CHECKS returns them. COMMENT stands
above it, and NUMBER is that of its first check."
  (multiple-value-bind (operator behind) (operator-name text (list-start text start))
    (let ((line (place-in text start)))
      (flet ((check (name)
               (list (list kind name line (subseq text start end) nil))))
        (cond ((equal operator "LAMBDA")
               (check (or comment (format nil "~(~A~) ~D" kind number))))
              ((equal operator (string kind))
               (check (or (check-name text behind)
                          (check-file-error text start "The ~(~A~) has no name: `(~:*~(~A~) ~
                                                        \"NAME\" FORM...)`."
                                            kind))))
              ((and (equal operator "SUITE") (eq kind :goal))
               (suite-goals (or (suite-token text behind)
                                (check-file-error text start "The suite has no name: `(suite ~
                                                              NAME)`, a symbol or a keyword."))
                            line))
              (t
               (no-check-error text start kind operator)))))))

(defun index-checks (kind text)
  "The checks of a check file, whose content is TEXT, in order, as (KIND NAME LINE TEXT SUITE).

KIND is :GOAL or :INVARIANT: what the file holds. `(goal \"NAME\" FORM...)` and `(invariant \"NAME\"
FORM...)` are known by the operator's name whatever its package. A bare lambda expression is named
by the comment block directly above it, else by its number. `(suite NAME)` stands for the tests of a
suite, and SUITE is what they are called together; it is NIL for others. Signals UNREADABLE."
  (let ((position 0) (checks '()) (names (make-hash-table :test 'equal)))
    (loop
      (multiple-value-bind (remarks start newlines) (check-gap text position)
        (when (= start (length text))
          (return (nreverse checks)))
        (let ((end (skip-form text start))
              (comment (comment-above text
                                      (if checks
                                          (nth-value 1 (split-gap remarks newlines nil))
                                          remarks)
                                      newlines)))
          (dolist (check (form-checks kind text start end comment (1+ (length checks))))
            (destructuring-bind (name line &rest more) (rest check)
              (declare (ignore more))
              (when (gethash name names)
                (check-file-error text start "The name ~S is taken by line ~D."
                                  name (gethash name names)))
              (setf (gethash name names) line))
            (push check checks))
          (setf position end))))))
