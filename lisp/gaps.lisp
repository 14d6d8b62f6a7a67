(in-package #:jiti-kernel)

;;; What stands between forms: blanks, comments, and forms that `#+` and `#-` leave out. The reader
;;; skips them; here they are found again in the text, so that each can stay with its form.

(defstruct (remark (:constructor make-remark (start end newlines)))
  "A comment or what is left out: its bounds in the text and the line ends between it and what
stands before it."
  start end newlines)

(defparameter *blanks* '(#\Space #\Tab #\Newline #\Return #\Page #\Rubout))

(defparameter *token-ends* (append *blanks* '(#\( #\) #\" #\; #\' #\` #\,))
  "The characters that end a token under standard syntax.")

(defun char-at-p (char text position)
  (and (< position (length text))
       (char= char (char text position))))

(defun blank-p (text start end)
  "True if there are only blanks between START and END of TEXT."
  (loop for position from start below end
        always (member (char text position) *blanks*)))

(defun block-comment-end (text start)
  "The position behind the block comment that begins at START. Signals UNREADABLE if it is open."
  (loop with depth = 0
        with position = start
        while (< position (length text))
        do (let ((pair (subseq text position (min (length text) (+ position 2)))))
             (cond ((string= pair "#|") (incf depth) (incf position 2))
                   ((string= pair "|#")
                    (decf depth)
                    (incf position 2)
                    (when (zerop depth) (return position)))
                   (t (incf position))))
        finally (multiple-value-bind (line column) (place-in text start)
                  (error 'unreadable :reason "The text ends inside the comment that begins here."
                                     :line line :column column))))

(defun scan-gap (text start &optional (left-out (constantly nil)))
  "Skip blanks and comments from START, and what is left out: LEFT-OUT gives the end of what begins
at a position with `#+` or `#-`, NIL if that is to be read.

Returns the comments as a list of REMARKs, the position of what follows them, and the line ends
between the last comment and that."
  (declare (type (simple-array character (*)) text))
  (let ((remarks '()) (newlines 0) (position start) (length (length text)))
    (flet ((note (end)
             (push (make-remark position end newlines) remarks)
             (setf position end newlines 0)))
      (loop
        (let ((char (and (< position length) (char text position))))
          (cond ((null char) (return))
                ((char= char #\Newline) (incf newlines) (incf position))
                ((member char *blanks*) (incf position))
                ((char= char #\;)
                 (note (or (position #\Newline text :start position) length)))
                ((and (char= char #\#) (char-at-p #\| text (1+ position)))
                 (note (block-comment-end text position)))
                ((and (char= char #\#)
                      (or (char-at-p #\+ text (1+ position)) (char-at-p #\- text (1+ position))))
                 (let ((end (funcall left-out position)))
                   (if end (note end) (return))))
                (t (return))))))
    (values (nreverse remarks) position newlines)))

(defun split-gap (remarks newlines lastp)
  "Divide the comments of a gap between the form before it and the form after it.

To the form before belong comments on its last line, comment lines directly below it that a blank
line parts from what follows, and all when LASTP: no form follows. The rest stands above the
next form. NEWLINES are the line ends behind the last comment. Returns the two lists."
  (when lastp
    (return-from split-gap (values remarks '())))
  (let* ((same-line (loop for remark in remarks
                          while (zerop (remark-newlines remark))
                          collect remark))
         (others (nthcdr (length same-line) remarks))
         (below (loop for remark in others
                      while (<= (remark-newlines remark) 1)
                      collect remark))
         (after (nthcdr (length below) others)))
    (if (or after (> newlines 1))
        (values (append same-line below) after)
        (values same-line others))))

(defun place-in (text position)
  "The line, from 1, and the column, from 0, of POSITION in TEXT."
  (let ((line-start (position #\Newline text :end position :from-end t)))
    (values (1+ (count #\Newline text :end position))
            (if line-start (- position line-start 1) position))))
