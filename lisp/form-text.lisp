(in-package #:jiti-kernel)

;;; The text that a form is kept as.

(defun form-text-between (source above start end below)
  "The text from START to END with the comments ABOVE and BELOW it."
  (let ((text (source-text source)))
    (with-output-to-string (out)
      (loop for (remark . more) on above
            for next = (if more (remark-start (first more)) start)
            do (write-string text out :start (remark-start remark) :end (remark-end remark))
               (if (blank-p text (remark-end remark) next)
                   (write-string text out :start (remark-end remark) :end next)
                   (terpri out)))
      (write-string text out :start start :end end)
      (loop for previous = end then (remark-end remark)
            for remark in below
            do (if (and (zerop (remark-newlines remark))
                        (blank-p text previous (remark-start remark)))
                   (write-string text out :start previous :end (remark-start remark))
                   (terpri out))
               (write-string text out :start (remark-start remark) :end (remark-end remark))))))

(defun outdented (source form text)
  "TEXT of FORM, whose lines move left as far as its first one did, where that changes only blanks.

A subform of a PROGN comes to stand alone. Inside a string the lines must stay as they are."
  (if (or (zerop (form-column form)) (not (find #\Newline text)))
      text
      (let ((moved (without-indentation text (form-column form))))
        (flet ((printed (datum)
                 (let ((*print-circle* t) (*print-readably* nil))
                   (prin1-to-string datum)))
               (read-again ()
                 (let ((*package* (source-package source)))
                   (values (read-from-string moved)))))
          (if (string= (printed (form-datum form)) (printed (read-again)))
              moved
              text)))))

(defun without-indentation (text columns)
  "TEXT without the first COLUMNS blanks of each line, as far as there are so many."
  (with-output-to-string (out)
    (loop with start = 0
          for end = (position #\Newline text :start start)
          do (write-string text out :start start :end end)
             (unless end (return))
             (terpri out)
             (setf start (or (position #\Space text :start (1+ end) :test-not #'eql
                                                    :end (min (length text) (+ 1 end columns)))
                             (min (length text) (+ 1 end columns)))))))
