(in-package #:jiti-kernel)

;;; Hash tables as an import makes them. Where a key was removed, SBCL puts the next one that comes:
;;; the order of a live table would differ from that of the same table, filled anew. And a key that
;;; was changed in its table is not found any more, but would be after an import. So a table that
;;; is written is filled anew in its own order, if one of the two is the case.

(defun standard-test-p (table)
  (member (hash-table-test table) '(eq eql equal equalp)))

(defun table-obstacle (table)
  "Why TABLE cannot be written down and what to do, NIL if it can: its test may be another one now."
  (let ((test (hash-table-test table)))
    (unless (standard-test-p table)
      (let ((fresh (ignore-errors (make-hash-table :test test))))
        (unless (and fresh
                     (eq (sb-impl::hash-table-test-fun fresh)
                         (sb-impl::hash-table-test-fun table))
                     (eq (sb-impl::hash-table-hash-fun fresh)
                         (sb-impl::hash-table-hash-fun table)))
          (format nil "A hash table was made before its test ~A, or the hash function of that, was ~
                       defined anew. Make it again, and fill it from this one."
                  (world-name test)))))))

(defun places-left-p (table)
  "True if keys were removed from TABLE whose places the next ones would take."
  (> (sb-impl::kv-vector-high-water-mark (sb-impl::hash-table-pairs table))
     (hash-table-count table)))

(defun fixed-key-p (key table)
  "True if KEY cannot have changed in a way that the test of TABLE sees."
  (or (member (hash-table-test table) '(eq eql))
      (and (standard-test-p table)
           (typep key '(or symbol number character)))))

(defun changed-key-p (table)
  "True if TABLE has a key that is not found there."
  (and (not (member (hash-table-test table) '(eq eql)))
       (loop for key being the hash-keys of table using (hash-value value)
             thereis (and (not (fixed-key-p key table))
                          (multiple-value-bind (found present) (hashed key table)
                            (not (and present (eq found value))))))))

(defun hashed (key table)
  "As GETHASH, but by the hash of KEY: SBCL finds the key of the last access by its address."
  (setf (sb-impl::hash-table-cache table) 0)
  (gethash key table))

(defun fill-anew (table)
  "Fill TABLE with its own entries in their order. False, and nothing has changed, if two keys are
the same now."
  (let ((entries '()) (trial (make-hash-table :test (hash-table-test table))))
    (maphash (lambda (key value)
               (push (cons key value) entries)
               (setf (gethash key trial) value))
             table)
    (when (= (hash-table-count trial) (length entries))
      (clrhash table)
      (loop for (key . value) in (nreverse entries)
            do (setf (gethash key table) value))
      t)))

(defun as-imported-p (table)
  "True once TABLE is as an import makes it; false if it cannot be made so."
  (or (not (or (places-left-p table) (changed-key-p table)))
      (fill-anew table)))
