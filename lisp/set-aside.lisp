(in-package #:jiti-kernel)

;;; Blocks that are read before the definitions of their world. A process that has none of these
;;; reads the blocks of a revision once and sets them aside, out of reach of all code. Its forks
;;; import definitions, others each time, and then have these blocks without reading them again.
;;; docs/data-format.md says which blocks can be read so.

(defvar *set-aside* (make-hash-table :test 'equal)
  "From the names of blocks that were read to (BLOCK . NAMES), where NAMES says what the symbols in
it were: a table from (PREFIX . NAME).")

(defun set-block-aside (name text)
  "Read TEXT, the block NAME. False if what is in it depends on definitions."
  (remhash name *set-aside*)
  (let ((*names* (make-hash-table :test 'equal)) (data '()))
    (handler-case
        (map-block (lambda (key value size refuse)
                     (declare (ignore refuse))
                     (push (make-settled-datum key value size) data))
                   name text)
      (import-failed () (return-from set-block-aside nil)))
    (when data
      (let ((block (make-data-block name (reverse (coerce data 'simple-vector))
                                    (reduce #'+ data :key #'datum-size))))
        (flags-of-block block)
        (setf (gethash name *set-aside*) (cons block *names*))
        t))))

(defun make-settled-datum (key value size)
  (let ((datum (make-datum key value)))
    (setf (datum-loose datum) nil
          (datum-state datum) :settled
          (datum-size datum) size)
    datum))

(defun same-names-p (names)
  "True if the symbols in NAMES are still what they were."
  (let ((*package* (reading-package)))
    (loop for (prefix . name) being the hash-keys of names using (hash-value symbol)
          for package = (if prefix (find-package prefix) *package*)
          always (and package
                      (multiple-value-bind (found status) (find-symbol name package)
                        (and status (eq found symbol)))))))

(defun takes-block-p (block)
  "True if no key of BLOCK is in the data table."
  (loop for datum across (data-block-data block)
        never (gethash (datum-key datum) (table-data *table*))))

(defun bring-back-blocks (names again)
  "Put those of the blocks NAMES into the data table that were set aside and mean the same still.
They count as a part of the last revision, but for those AGAIN, which the next export writes.
Returns the names of all."
  (let ((blocks (loop for name in names
                      for (block . symbols) = (gethash name *set-aside*)
                      when (and block (same-names-p symbols) (takes-block-p block))
                        collect block)))
    (setf blocks (in-block-order (coerce blocks 'simple-vector)))
    (when (blocks-as-cut-p blocks)
      (loop for block across blocks
            for unverified = (member (data-block-name block) again :test #'string=)
            do (loop for datum across (data-block-data block)
                     do (setf (gethash (datum-key datum) (table-data *table*)) datum)
                        (when unverified (touch datum :new))))
      (setf (table-blocks *table*) blocks)
      (map 'list #'data-block-name blocks))))
