(in-package #:jiti-kernel)

;;; Forms with their exact text. A source is read form by form from a string stream that the
;;; kernel holds: its file position counts characters, so the text of a form keeps its comments,
;;; its case, its conditionals and its letters.

(defstruct form
  "A top-level form: what was read, the text it was read from, and where that stands."
  datum text
  package ; name of the package in which it was read
  line column)

(defstruct (source (:constructor %make-source (text stream package)))
  "A text under way. OPEN holds where the PROGNs around POSITION begin, innermost first."
  (text "" :type (simple-array character (*)))
  stream
  (position 0)
  (open '())
  package
  (line 1) ; of the position LINE-START
  (line-start 0)
  (remarks '()) ; comments that stand above the next form
  (made '())) ; packages that were made for the reading

(defun make-source (text &optional (package (reading-package)))
  (let ((text (coerce text '(simple-array character (*)))))
    (%make-source text (make-string-input-stream text) (find-package package))))

(defun source-place (source position)
  "The line, from 1, and the column, from 0, of POSITION. Ask for later positions later."
  (loop with text = (source-text source)
        for newline = (position #\Newline text :start (source-line-start source) :end position)
        while newline
        do (incf (source-line source))
           (setf (source-line-start source) (1+ newline)))
  (values (source-line source) (- position (source-line-start source))))

(defvar *nesting* 0 "Nesting of the datum that is being read.")

(defun unreadable-at (source position control &rest arguments)
  (multiple-value-bind (line column) (place-in (source-text source) position)
    (error 'unreadable :reason (apply #'format nil control arguments)
                       :line line :column column)))

(defvar *closer* '#:closer "What a closing parenthesis reads as where no list is open.")

(defun bound-length (character readtable)
  "Let the length in `#NUMBER` and CHARACTER, ( or *, be one that could be written out."
  (let ((standard (get-dispatch-macro-character #\# character readtable)))
    (set-dispatch-macro-character
     #\# character
     (lambda (stream character length)
       (when (and length (> length *forms-bytes*))
         (error 'unreadable
                :reason (format nil "#~D~C makes more than ~D elements, the bound `forms_bytes` in ~
                                     [limits] of world.toml."
                                length character *forms-bytes*)))
       (funcall standard stream character length))
     readtable)))

(defvar *places* nil
  "While a text is read again to find out where things stand in it: a table from the lists in it to
(START . END). NIL otherwise.")

(defun noting-place (stream function)
  "The values of FUNCTION, which reads what begins with the character before STREAM's position."
  (if (null *places*)
      (funcall function)
      (let* ((start (1- (file-position stream)))
             (values (multiple-value-list (funcall function))))
        (when (consp (first values))
          (setf (gethash (first values) *places*) (cons start (file-position stream))))
        (values-list values))))

(defun source-readtable ()
  "Standard syntax whose macro characters count how deep they nest."
  (let ((readtable (copy-readtable nil)))
    (flet ((count-nesting (character)
             (let ((standard (get-macro-character character readtable)))
               (lambda (stream character)
                 (let ((*nesting* (1+ *nesting*)))
                   (when (> *nesting* *depth*)
                     (error 'unreadable
                            :reason (format nil "The form nests deeper than ~D, the bound ~
                                                 `depth` in [limits] of world.toml."
                                            *depth*)))
                   (noting-place stream (lambda () (funcall standard stream character))))))))
      (dolist (character '(#\( #\' #\` #\,))
        (set-macro-character character (count-nesting character) nil readtable))
      (dolist (character '(#\( #\*))
        (bound-length character readtable))
      (set-macro-character #\# (count-nesting #\#) t readtable)
      (set-macro-character #\) (lambda (stream character)
                                 (declare (ignore stream character))
                                 *closer*)
                           nil readtable))
    readtable))

(defun call-with-foreign-packages-locked (thunk)
  "Call THUNK while symbols can be interned into managed packages and into no others."
  (let ((locked (remove-if-not #'sb-ext:package-locked-p (managed-packages)))
        (open (remove-if (lambda (package)
                           (or (managed-package-p package)
                               (eq package (load-time-value (find-package "KEYWORD")))
                               (sb-ext:package-locked-p package)))
                         (list-all-packages))))
    (unwind-protect (progn (mapc #'sb-ext:lock-package open)
                           (mapc #'sb-ext:unlock-package locked)
                           (funcall thunk))
      (mapc #'sb-ext:unlock-package open)
      (mapc #'sb-ext:lock-package locked))))

(defun reader-complaint (condition)
  "What a reader's error says, without the stream it says it of."
  (typecase condition
    (kernel-error (condition-reason condition))
    (sb-ext:package-lock-violation
     (format nil "A form may not make a symbol in the package ~A, which the world does not manage."
             (package-name (package-error-package condition))))
    (simple-condition (let ((*print-readably* nil))
                        (apply #'format nil (simple-condition-format-control condition)
                               (simple-condition-format-arguments condition))))
    (t (princ-to-string condition))))

(defun read-datum (source start)
  "Read the datum that begins at START. Returns it, or *CLOSER*, and the position behind it."
  (let ((stream (source-stream source)))
    (file-position stream start)
    (handler-case
        (values (let ((*package* (source-package source)) (*nesting* 0))
                  (read-preserving-whitespace stream t))
                (file-position stream))
      (end-of-file ()
        (unreadable-at source start "The text ends inside the form that begins here."))
      ;; The constructor behind a #S may exhaust stack or heap.
      (serious-condition (condition)
        (unreadable-at source (min (file-position stream) (length (source-text source)))
                       "~A" (reader-complaint condition))))))

(defun left-out-end (source start)
  "The position behind what begins at START with `#+` or `#-`, if that leaves it out, else NIL."
  (flet ((read-from (position function &key suppress)
           (let ((stream (source-stream source)))
             (file-position stream position)
             (handler-case
                 (let ((*package* (load-time-value (find-package "KEYWORD")))
                       (*read-suppress* suppress)
                       (*nesting* 0))
                   (values (funcall function (read-preserving-whitespace stream t))
                           (file-position stream)))
               (end-of-file ()
                 (unreadable-at source start "The text ends inside the form that begins here."))
               (error (condition)
                 (unreadable-at source start "~A" (reader-complaint condition)))))))
    (multiple-value-bind (present end)
        (read-from (+ start 2) (lambda (feature) (and (sb-int:featurep feature) t)))
      (unless (eq present (char= #\+ (char (source-text source) (1+ start))))
        (nth-value 1 (read-from end #'identity :suppress t))))))

(defun skip-gap (source)
  "What SCAN-GAP returns of the gap at the position of SOURCE."
  (scan-gap (source-text source) (source-position source)
            (lambda (position) (left-out-end source position))))

(defun progn-body (source start)
  "The position behind `(progn` if that is what the form at START begins with, else NIL."
  (let ((text (source-text source)))
    (when (char-at-p #\( text start)
      (let* ((head (nth-value 1 (scan-gap text (1+ start))))
             (end (+ head (length "progn"))))
        (and (<= end (length text))
             (string-equal "progn" text :start2 head :end2 end)
             (or (= end (length text)) (find (char text end) *token-ends*))
             (eq (find-symbol "PROGN" (source-package source)) 'progn)
             end)))))

(defun leave-lists (source)
  "Skip what stands behind a form, ends of PROGNs included. Returns the comments that belong to it."
  (let ((mine '()) (text (source-text source)))
    (loop
      (multiple-value-bind (remarks next newlines) (skip-gap source)
        (let ((closes (and (source-open source) (char-at-p #\) text next))))
          (multiple-value-bind (before after)
              (split-gap remarks newlines (or closes (= next (length text))))
            (setf mine (append mine before)
                  (source-remarks source) after
                  (source-position source) (if closes (1+ next) next)))
          (unless closes
            (return mine))
          (pop (source-open source)))))))

(defun next-form (source)
  "Read the next top-level form of SOURCE, NIL at its end.

The subforms of a top-level PROGN are top-level forms. DEFPACKAGE and IN-PACKAGE take effect on
what is read after them. Signals UNREADABLE."
  (loop with text = (source-text source)
        do (multiple-value-bind (remarks start) (skip-gap source)
             (setf (source-remarks source) (append (source-remarks source) remarks)
                   (source-position source) start)
             (let ((body (progn-body source start)))
               (cond ((= start (length text))
                      (when (source-open source)
                        (unreadable-at source (first (source-open source))
                                       "The text ends inside the form that begins here."))
                      (return nil))
                     (body
                      (push start (source-open source))
                      (setf (source-position source) body))
                     ((and (source-open source) (char-at-p #\) text start))
                      (pop (source-open source))
                      (incf (source-position source)))
                     (t
                      (let ((form (read-top-level source start)))
                        (when form (return form)))))))))

(defun read-top-level (source start)
  "The form that begins at START."
  (multiple-value-bind (datum end) (read-datum source start)
    (cond ((not (eq datum *closer*))
           (let ((above (shiftf (source-remarks source) '()))
                 (package (package-name (source-package source))))
             (setf (source-position source) end)
             (multiple-value-bind (line column) (source-place source start)
               (let ((form (make-form :datum datum :package package :line line :column column)))
                 (setf (form-text form)
                       (outdented source form
                                  (form-text-between source above start end (leave-lists source))))
                 (follow-package-form source form)
                 form))))
          ((source-open source)
           (pop (source-open source))
           (setf (source-position source) end)
           nil)
          (t (unreadable-at source start "There is a closing parenthesis too many.")))))

(defun follow-package-form (source form)
  "Let FORM take effect on the reading, if it is a DEFPACKAGE or an IN-PACKAGE."
  (let ((datum (form-datum form)))
    (when (and (consp datum) (member (first datum) '(defpackage in-package)))
      (handler-case
          (handler-bind ((warning #'muffle-warning))
            (check-policy (list form) (source-text source))
            (ecase (first datum)
              (defpackage (make-managed-package source datum))
              (in-package (setf (source-package source) (find-package (second datum))))))
        (kernel-error (condition)
          (error condition))
        (error (condition)
          (error 'unreadable :reason (reader-complaint condition)
                             :line (form-line form) :column (form-column form)))))))

(defun make-managed-package (source defpackage)
  "Evaluate DEFPACKAGE. The package is managed from here on."
  (let* ((new (not (find-package (second defpackage))))
         (package (eval defpackage)))
    (when new
      (push package (source-made source))
      (unless (managed-package-p package)
        (setf *made-packages* (append *made-packages* (list (package-name package))))))))

(defun call-with-source (source thunk)
  "Call THUNK in the state in which SOURCE can be read. Packages it made go if it does not return."
  (let ((done nil) (readtable (source-readtable)))
    (unwind-protect
         (multiple-value-prog1
             (call-with-foreign-packages-locked
              (lambda ()
                (with-standard-io-syntax
                  (let ((*read-eval* nil) (*readtable* readtable))
                    (funcall thunk)))))
           (setf done t))
      (unless done
        (dolist (package (source-made source))
          (setf *made-packages* (remove (package-name package) *made-packages* :test #'equal))
          (sb-ext:without-package-locks
            (delete-package package)))))))

(defun read-forms (text)
  "Read TEXT, a proposal, as a list of FORMs. Nothing of it is evaluated but DEFPACKAGE.

Signals UNREADABLE where it is not a sequence of forms, exceeds a bound of the world, or would
make a symbol in a package that the world does not manage."
  (let ((bytes (utf-8-length text)))
    (when (> bytes *forms-bytes*)
      (error 'unreadable :line 1 :column 0
                         :reason (format nil "The forms take ~D bytes; `forms_bytes` in [limits] ~
                                              of world.toml allows ~D."
                                         bytes *forms-bytes*)))
    (let ((source (make-source text)))
      (call-with-source source (lambda ()
                                 (loop for form = (next-form source)
                                       while form collect form))))))
