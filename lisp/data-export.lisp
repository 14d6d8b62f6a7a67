(in-package #:jiti-kernel)

;;; The data of a world as texts: data.sexp, and blocks where the table is large.

(defconstant +indexed-entries+ 20000
  "How many entries of data.sexp have a row of their own in its index.")

(defun world-entries (part reader)
  "What the adapters have of PART, as (TEXT-OF-PLACE . VALUE). READER is OBSERVE or EXPORT-WORLD."
  (loop for adapter in *adapters*
        nconc (loop for (place . value) in (call-reader reader adapter part)
                    collect (cons (place-text adapter place) value))))

(defun place-text (adapter place)
  "PLACE, of which ADAPTER has the value, as its entry and messages have it."
  (cond ((not (typep adapter 'image-adapter))
         (format nil "(adapter ~A ~A)" (world-name (adapter-name adapter)) (world-name place)))
        ((consp place)
         (format nil "(~(~A~) ~A)" (first place) (world-name (second place))))
        (t (world-name place))))

(defstruct (data-export (:constructor make-data-export (index blocks before after rest)))
  "What was exported. INDEX has rows (NAME START END), the entries of data.sexp and their bounds in
characters; BLOCKS the names of all blocks. BEFORE and AFTER have rows (NAME BLOCK START END): where
entries that changed in blocks stood in the last revision, and where they stand. REST is how many
more have changed."
  index blocks before after rest)

(defun export-data (sink)
  "Write the data of the world. SINK takes the name of a block, NIL for data.sexp, and a piece of
its text; blocks that have not changed since the last revision are not written. What was written
counts as a revision from here on.

Returns a DATA-EXPORT. Signals NOT-RECONSTRUCTIBLE with the way to what cannot be written."
  (ensure-packages)
  (when (reconsider-blocks)
    ;; Objects of a class that was defined anew change at the next access, which may run code of the
    ;; world. So everything is looked at once before it counts.
    (require-data (examined-data) (world-entries :data 'export-world)))
  (multiple-value-bind (data others survey) (entries-to-write)
    (let* ((revising (make-revising sink))
           (blocks (write-changed-blocks revising survey (assign-places revising data survey))))
      (unless (revising-chosen revising)
        (setf revising (make-all-loose sink)
              blocks (vector)
              (values data others survey) (entries-to-write others)))
      (finish-export sink revising blocks data others survey))))

(defun entries-to-write (&optional (others (world-entries :data 'export-world)))
  "The data that may have changed, as a vector; OTHERS, what else there is, as (TEXT-OF-PLACE .
VALUE); and the survey of the values of both. Signals NOT-RECONSTRUCTIBLE."
  (let ((data (examined-data)))
    (multiple-value-bind (survey again) (require-data data others)
      (if again
          (entries-to-write)
          (values data others survey)))))

(defun finish-export (sink revising blocks data others survey)
  "Write data.sexp, now that BLOCKS are written, and let DATA count as unchanged. Returns the
DATA-EXPORT."
  (let* ((table *table*)
         (loose (in-key-order (coerce (remove-if-not #'datum-loose data) 'list)))
         (index (write-loose sink survey loose others)))
    (dolist (datum loose)
      (setf (datum-size datum) 0))
    (setf (table-blocks table) blocks
          (table-loose table) loose
          (table-arrived table) '())
    (settle-data data survey)
    (note-definitions-mark)
    (make-data-export index (map 'list #'data-block-name blocks)
                      (revising-before revising) (revising-after revising)
                      (revising-rest revising))))

(defun make-all-loose (sink)
  "Give all data their place in data.sexp, since the table is small. Returns a REVISING that tells
which entries have left a block."
  (let ((revising (make-revising sink)))
    (loop for block across (table-blocks *table*)
          do (loop for datum across (data-block-data block)
                   do (show-entry revising datum +shown-moves+))
             (note-old-bounds revising block))
    (setf (table-blocks *table*) (vector)
          (table-touched *table*) '()
          (table-loose *table*) (all-data))
    (dolist (datum (table-loose *table*) revising)
      (setf (datum-loose datum) t
            (datum-state datum) :settled
            (datum-size datum) 0))))

(defun settle-data (data survey)
  "Let the vector DATA, which was written and with whose values SURVEY begins, count as unchanged.
What code of the world may reach without asking the table for it is lent at once."
  (setf (table-touched *table*) '())
  (loop for datum across data
        for index from 0
        do (setf (datum-state datum) :settled)
           (when (and (flagged-p survey index +held+) (not (datum-loose datum)))
             (lend datum))))

(defun write-loose (sink survey loose others)
  "Write data.sexp: the data LOOSE of the table, then OTHERS, (TEXT-OF-PLACE . VALUE). Returns its
index."
  (let ((rows '()) (count 0))
    (with-writer (writer (lambda (text) (funcall sink nil text)) (survey-shared survey))
      (emit-lines writer *data-header*)
      (flet ((write-row (place value)
               (let ((start (writer-position writer)))
                 (emit-entry writer place value)
                 (if (> (incf count) +indexed-entries+)
                     (setf (third (first rows)) (writer-position writer))
                     (push (list place start (writer-position writer)) rows))
                 (emit-line-end writer))))
        (dolist (datum loose)
          (write-row (entry-text datum) (datum-value datum)))
        (loop for (place . value) in others
              do (write-row place value))))
    (when (> count +indexed-entries+)
      (setf (first (first rows)) (format nil "~D entries" (- count +indexed-entries+ -1))))
    (nreverse rows)))

(defun hidden-values ()
  "What no revision keeps: conses of a place of base code, a variable, (PLIST SYMBOL) or (CLASS
NAME), and its value, and of NIL and an adapter of the world."
  (let ((hidden (loop for adapter in *adapters* collect (cons nil adapter))))
    (flet ((note (place)
             (push (cons place (place-value place)) hidden)))
      (dolist (package (base-packages) hidden)
        (do-present-symbols (symbol package)
          (when (eq (symbol-package symbol) package)
            (when (and (boundp symbol) (not (constantp symbol)))
              (note symbol))
            (when (symbol-plist symbol)
              (note (list 'plist symbol)))
            (when (class-data-p symbol)
              (note (list 'class symbol)))))))))

(defun keep-holders (survey place-of-root)
  "Have revisions keep the places of base code that hold an object which a root of SURVEY holds too,
lest they make two of it. True if there is one that was not kept before. PLACE-OF-ROOT tells
where a root is. Signals NOT-RECONSTRUCTIBLE."
  (let ((new '()))
    (loop for (place root) in (survey-holders survey)
          do (when (and place (not (member place *kept-places* :test #'equal)))
               (unless (writable-p (place-value place))
                 (refuse-revision
                  (funcall place-of-root root)
                  "An object there is in ~A, too, which cannot be written down, so a revision ~
                   would make two of it. Put a copy there."
                  (place-state-text place)))
               (push place new)))
    (mapc #'note-outer-place new)
    new))

(defun closures ()
  "What functions of the world close over: lists of the thing that they belong to and these values."
  (let ((closures '()))
    (map-things (lambda (thing object)
                  (let ((values (and (gethash thing *providers*)
                                     (mapcan #'closed-over-values
                                             (thing-functions thing object)))))
                    (when values
                      (push (cons thing values) closures)))))
    closures))

(defun survey-world (values)
  "The survey of VALUES, a list, and the condition that ended it if code of the world did: an object
whose class was defined anew runs some."
  (call-until-condition (lambda ()
                          (survey (coerce values 'simple-vector) (hidden-values) (closures)))
                        (lambda (condition) (values nil condition))
                        :heap-limited nil))

(defun require-tables (survey place-of)
  "Have the hash tables that SURVEY has met as an import makes them. PLACE-OF tells where one is.
Signals NOT-RECONSTRUCTIBLE."
  (let* ((at-hand nil)
         (reason (call-until-condition
                  (lambda ()
                    (dolist (table (survey-tables survey))
                      (setf at-hand table)
                      (unless (as-imported-p table)
                        (return (format nil "Two keys of a hash table there have become the ~
                                             same, since one was changed in it. Take it out, and ~
                                             enter it anew.")))))
                  (lambda (condition)
                    (format nil "A hash table there cannot be filled anew: ~A"
                            (condition-text condition)))
                  :heap-limited nil)))
    (when reason
      (refuse-revision (funcall place-of at-hand) "~A" reason))))

(defun require-data (data others)
  "The survey of the values of the vector DATA and of OTHERS, which are (TEXT-OF-PLACE . VALUE), and
true if there is more to be written, as KEEP-HOLDERS has it. Signals NOT-RECONSTRUCTIBLE."
  (loop for datum across data
        for key = (datum-key datum)
        when (and (symbolp key) (null (symbol-package key)))
          do (refuse-revision (entry-text datum)
                              "The key is a symbol that has lost its package. Use a keyword."))
  (let ((values (append (map 'list #'datum-value data) (mapcar #'rest others))))
    (labels ((place (index)
               (if (< index (length data))
                   (entry-text (svref data index))
                   (first (nth (- index (length data)) others))))
             (place-of (object)
               (multiple-value-bind (index steps) (path-to object values)
                 (format nil "~A~A" (place index) (describe-steps steps)))))
      (multiple-value-bind (survey failure) (survey-world values)
        (when failure
          (refuse-revision (place *root-at-hand*)
                           "An object there cannot be brought up to date with its class: ~A"
                           (condition-text failure)))
        (when (survey-culprit survey)
          (let ((culprit (first (survey-culprit survey))))
            (refuse-revision (place-of culprit) "~A" (obstacle culprit))))
        (when (survey-captured survey)
          (destructuring-bind (thing index) (survey-captured survey)
            (refuse-revision
             (place index)
             "~A closes over an object that is there too, and a revision would make two of it. Let ~
              ~:*~A look there when it is called."
             (thing-text thing))))
        (require-tables survey #'place-of)
        (values survey (keep-holders survey #'place))))))
