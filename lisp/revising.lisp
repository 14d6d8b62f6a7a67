(in-package #:jiti-kernel)

;;; From the table as it is to the blocks of the next revision. Only what was touched is looked at,
;;; and only blocks in which something has changed are written.

(defconstant +shown-entries+ 1000 "How many changed entries of blocks a difference shows.")
(defconstant +shown-moves+ 20000
  "How many entries it shows in all, those that came to a block, or left one, included.")

(defstruct (revising (:constructor make-revising (sink)))
  "The blocks of the next revision under way."
  (sink nil :type function) ; takes the name of a block and a piece of its text
  (chosen nil) ; true once the table is known to be large enough for blocks
  (waiting '()) ; until then, what is for the sink: (NAME PIECE), newest first
  (size 0 :type fixnum) ; characters of the entries of all blocks so far
  (done '()) ; blocks, last first
  (name nil) ; of the block being written
  (data '()) ; its data, last first
  (shown (make-hash-table :test 'equal)) ; the keys of the changed entries that a difference shows
  (rest 0) ; how many more have changed
  (before '()) ; rows (NAME BLOCK START END): where those shown stood in the last revision
  (after '())) ; and where they stand in this one

(defun entry-text (datum)
  "The place of DATUM as its entry and messages have it."
  (let ((key (datum-key datum)))
    (format nil "(value ~A)" (or (and (floatp key) (special-float-text key))
                                 (world-name key)))))

(defun show-entry (revising datum limit)
  "Have a difference show the entry of DATUM, unless it shows as many as LIMIT already."
  (let ((shown (revising-shown revising)))
    (cond ((gethash (datum-key datum) shown))
          ((< (hash-table-count shown) limit)
           (setf (gethash (datum-key datum) shown) t))
          (t (incf (revising-rest revising))))))

(defun shown-p (revising datum)
  (gethash (datum-key datum) (revising-shown revising)))

;;; What has changed

(defun examined-data ()
  "The data that may have changed or come to share something, as a vector."
  (let ((table *table*))
    (coerce (append (remove :gone (table-touched table) :key #'datum-state)
                    ;; The others of these are among the touched.
                    (remove-if-not (lambda (datum) (eq (datum-state datum) :settled))
                                   (table-loose table)))
            'simple-vector)))

(defun assign-places (revising data survey)
  "Decide for each of the vector DATA, with whose values SURVEY begins, whether its place is a block
or data.sexp, and whether it is :NEW: it has changed, or its place has. Returns those that come to a
block, in the order of their keys."
  (let ((coming '()))
    (loop for datum across data
          for index from 0
          do (let* ((loose (flagged-p survey index +joined+))
                    (in-block (plusp (datum-size datum)))
                    (moves (eq loose in-block)))
               (when (eq (datum-state datum) :lent)
                 (setf (datum-state datum)
                       (if (= (datum-mark datum) (fingerprint (datum-value datum)))
                           :settled
                           :new)))
               (when moves
                 (setf (datum-state datum) :new))
               (setf (datum-loose datum) loose
                     (datum-flags datum) (aref (survey-flags survey) index))
               (unless (or loose in-block)
                 (push datum coming))
               (cond ((and moves (not (minusp (datum-size datum))))
                      (show-entry revising datum +shown-moves+))
                     ((and (not loose) (eq (datum-state datum) :new))
                      (show-entry revising datum +shown-entries+)))))
    (dolist (datum (table-touched *table*))
      (when (and (eq (datum-state datum) :gone) (plusp (datum-size datum)))
        (show-entry revising datum +shown-entries+)))
    (in-key-order coming)))

(defun changed-blocks ()
  "A vector of flags: true for each block that holds something that has changed or goes."
  (let* ((blocks (table-blocks *table*))
         (changed (make-array (length blocks) :initial-element nil)))
    (dolist (datum (table-touched *table*) changed)
      (when (and (plusp (datum-size datum))
                 (not (eq (datum-state datum) :settled)))
        (setf (svref changed (find-block blocks datum)) t)))))

(defun stays-p (datum)
  "True if DATUM, which is in a block, will be in one."
  (not (or (eq (datum-state datum) :gone)
           (datum-loose datum))))

(defun note-old-bounds (revising block)
  "Note where those entries of BLOCK stood that a difference shows."
  (let ((start (length *data-header*)))
    (loop for datum across (data-block-data block)
          do (when (shown-p revising datum)
               (push (list (entry-text datum) (data-block-name block)
                           start (+ start (datum-size datum) -1))
                     (revising-before revising)))
             (incf start (datum-size datum)))))

;;; Writing

(defun hand-on-piece (revising text)
  "Give TEXT, a piece of the block under way, to the sink, or keep it until there are to be blocks."
  (let ((name (revising-name revising)))
    (cond ((revising-chosen revising)
           (funcall (revising-sink revising) name text))
          (t
           (push (list name text) (revising-waiting revising))))))

(defun choose-blocks (revising)
  "The table is large enough for blocks: give the sink what was waiting for that."
  (setf (revising-chosen revising) t)
  (loop for (name text) in (nreverse (shiftf (revising-waiting revising) '()))
        do (funcall (revising-sink revising) name text)))

(defun write-entry (revising writer datum)
  "Write DATUM at the end of the block under way, and end that if it is time."
  (unless (revising-name revising)
    (setf (revising-name revising) (block-name datum)
          (writer-written writer) 0)
    (emit-lines writer *data-header*))
  (let ((start (writer-position writer)))
    (emit-entry writer (entry-text datum) (datum-value datum))
    (forget-labels writer)
    (let ((end (writer-position writer)))
      (when (shown-p revising datum)
        (push (list (entry-text datum) (revising-name revising) start end)
              (revising-after revising)))
      (emit-line-end writer)
      (setf (datum-size datum) (- (1+ end) start))))
  (push datum (revising-data revising))
  (incf (revising-size revising) (datum-size datum))
  (when (and (not (revising-chosen revising))
             (> (revising-size revising) +small-table-characters+))
    (choose-blocks revising))
  (when (block-end-p datum)
    (end-block revising writer)))

(defun end-block (revising writer)
  "End the block under way, if there is one."
  (when (revising-name revising)
    (hand-on writer)
    (let ((data (coerce (nreverse (shiftf (revising-data revising) '())) 'simple-vector)))
      (push (make-data-block (revising-name revising) data
                             (reduce #'+ data :key #'datum-size)
                             (reduce #'logior data :key #'flags-of-datum))
            (revising-done revising)))
    (setf (revising-name revising) nil)))

(defun write-changed-blocks (revising survey coming)
  "Write the blocks that change, with the data COMING in their places. SURVEY is of what was
touched.

Returns all blocks as a vector."
  (let* ((blocks (table-blocks *table*)) (changed (changed-blocks))
         (last (1- (length blocks))))
    (setf (revising-size revising)
          (loop for block across blocks
                for change across changed
                unless change sum (data-block-size block)))
    (when (> (revising-size revising) +small-table-characters+)
      (setf (revising-chosen revising) t))
    (with-writer (writer (lambda (text) (hand-on-piece revising text)) (survey-shared survey))
      (flet ((write-data (data)
               (dolist (datum data)
                 (write-entry revising writer datum))))
        (loop for block across blocks
              for change across changed
              for index from 0
              do (let ((own (loop with end = (last-datum block)
                                  while (and coming (or (= index last)
                                                        (not (datum-before-p end (first coming)))))
                                  collect (pop coming))))
                   (cond ((or change own (revising-name revising))
                          (unless change
                            (decf (revising-size revising) (data-block-size block)))
                          (note-old-bounds revising block)
                          (let ((staying (remove-if-not #'stays-p (data-block-data block))))
                            (note-inner-sharing survey staying)
                            (write-data (merge 'list (coerce staying 'list) own
                                               #'datum-before-p))))
                         (t (push block (revising-done revising))))))
        (write-data coming)
        (end-block revising writer)))
    (coerce (reverse (revising-done revising)) 'simple-vector)))

(defun note-inner-sharing (survey data)
  "Add to SURVEY what the values of the vector DATA, part of which it has not seen, share in
themselves."
  (let ((inner (survey (map 'simple-vector #'datum-value data))))
    (loop for datum across data
          for index from 0
          do (setf (datum-flags datum) (aref (survey-flags inner) index)))
    (maphash (lambda (object shared)
               (setf (gethash object (survey-shared survey)) shared))
             (survey-shared inner))))
