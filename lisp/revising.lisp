(in-package #:jiti-kernel)

;;; From the table as it is to the blocks of the next revision. Only what was touched is looked at,
;;; and only blocks in which something has changed are written.

(defconstant +told-entries+ 1000 "How many changed entries of blocks are told one by one.")
(defconstant +told-moves+ 20000 "How many entries that came to a block, or left one, are told.")

(defstruct (revising (:constructor make-revising (sink)))
  "The blocks of the next revision under way."
  (sink nil :type function) ; takes the name of a block and a piece of its text
  (held-back '()) ; pieces, newest first, that wait until it is known whether there will be blocks
  (certain nil) ; true once that is known
  (size 0 :type fixnum) ; characters of the entries of all blocks so far
  (done '()) ; blocks, last first
  (name nil) ; of the block being written
  (data '()) ; its data, last first
  (told (make-hash-table :test 'equal)) ; the keys of the entries that are told
  (rest 0) ; how many changed entries are not
  (before '()) ; rows (NAME BLOCK START END): where told entries stood in the last revision
  (after '())) ; and where they stand in this one

(defun entry-text (datum)
  "The place of DATUM as its entry and messages have it."
  (let ((key (datum-key datum)))
    (format nil "(value ~A)" (or (and (floatp key) (special-float-text key))
                                 (world-name key)))))

(defun tell (revising datum limit)
  "Have the entry of DATUM told, unless as many as LIMIT are."
  (let ((told (revising-told revising)))
    (cond ((gethash (datum-key datum) told))
          ((< (hash-table-count told) limit)
           (setf (gethash (datum-key datum) told) t))
          (t (incf (revising-rest revising))))))

(defun told-p (revising datum)
  (gethash (datum-key datum) (revising-told revising)))

;;; What has changed

(defun examined-data ()
  "The data that may have changed or come to share something, as a vector."
  (let ((table *table*))
    (coerce (append (remove :gone (table-touched table) :key #'datum-state)
                    (remove :settled (table-loose table) :key #'datum-state :test-not #'eq))
            'simple-vector)))

(defun note-places (revising data survey)
  "Give each of DATA, with whose values SURVEY begins, the state :NEW if it has changed, and its
place. Returns those that come to a block, in the order of their keys."
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
                      (tell revising datum +told-moves+))
                     ((and (not loose) (eq (datum-state datum) :new))
                      (tell revising datum +told-entries+)))))
    (dolist (datum (table-touched *table*))
      (when (and (eq (datum-state datum) :gone) (plusp (datum-size datum)))
        (tell revising datum +told-entries+)))
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

(defun note-old-places (revising block)
  "Note where the told entries of BLOCK stood."
  (let ((start (length *data-header*)))
    (loop for datum across (data-block-data block)
          do (when (told-p revising datum)
               (push (list (entry-text datum) (data-block-name block)
                           start (+ start (datum-size datum) -1))
                     (revising-before revising)))
             (incf start (datum-size datum)))))

;;; Writing

(defun hand-on-piece (revising text)
  (let ((name (revising-name revising)))
    (cond ((revising-certain revising)
           (funcall (revising-sink revising) name text))
          (t
           (push (list name text) (revising-held-back revising))))))

(defun be-certain (revising)
  "There will be blocks: let out what was held back."
  (setf (revising-certain revising) t)
  (loop for (name text) in (nreverse (shiftf (revising-held-back revising) '()))
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
      (when (told-p revising datum)
        (push (list (entry-text datum) (revising-name revising) start end)
              (revising-after revising)))
      (emit-line-end writer)
      (setf (datum-size datum) (- (1+ end) start))))
  (push datum (revising-data revising))
  (incf (revising-size revising) (datum-size datum))
  (when (and (not (revising-certain revising))
             (> (revising-size revising) +small-table-characters+))
    (be-certain revising))
  (when (block-end-p datum)
    (end-block revising writer)))

(defun end-block (revising writer)
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
      (setf (revising-certain revising) t))
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
                          (note-old-places revising block)
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
