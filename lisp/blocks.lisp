(in-package #:jiti-kernel)

;;; Blocks: a large table in several files, in the order of its keys, so that a change costs what it
;;; changes. Where a block ends depends on nothing but the entry at its end. So the same table is
;;; cut in the same places, whatever its history.

(defparameter *data-header*
  ";;; The data of this world: places and their values. JITI wrote this file, and a seal protects
;;; it: change the world, not the file.
"
  "How a text of data begins.")

(defconstant +block-characters+ (* 64 1024) "How long a block is on average.")
(defconstant +small-table-characters+ (* 256 1024)
  "Up to this size, of the entries that share nothing, a table is in data.sexp as a whole.")

(defstruct (data-block (:constructor make-data-block (name data size &optional flags)))
  name ; of the file, without its type
  (data (vector) :type simple-vector)
  (size 0 :type fixnum) ; characters of its entries
  (flags nil)) ; the flags of its values in a survey; NIL while they are not known

(defvar *key-walk* (make-walk) "What KEY-HASH mixes in.")

(defun key-hash (key)
  "A hash of KEY, (unsigned-byte 62), that is the same in every process."
  (let ((walk *key-walk*))
    (setf (walk-hash walk) 0)
    (mix-name walk key)
    (ldb (byte 62 0) (walk-hash walk))))

(defun block-end-p (datum)
  "True if the block ends with DATUM: one in so many does that a block has its average length."
  (< (ash (key-hash (datum-key datum)) -30)
     (ash (datum-size datum) (- 32 (integer-length (1- +block-characters+))))))

(defun block-name (datum)
  "The name of the block that begins with DATUM."
  (format nil "~(~16,'0X~)" (key-hash (datum-key datum))))

(defun last-datum (block)
  (let ((data (data-block-data block)))
    (svref data (1- (length data)))))

(defun find-block (blocks datum)
  "The index of the one of BLOCKS, a vector, whose range has the key of DATUM."
  (let ((low 0) (high (1- (length blocks))))
    (loop while (< low high)
          do (let ((middle (ash (+ low high) -1)))
               (if (datum-before-p (last-datum (svref blocks middle)) datum)
                   (setf low (1+ middle))
                   (setf high middle))))
    low))

(defun blocks-as-cut-p (blocks)
  "True if the vector BLOCKS is what writing their entries anew would give."
  (and (> (reduce #'+ blocks :key #'data-block-size) +small-table-characters+)
       (loop with last = nil
             for index from 0
             for block across blocks
             always (string= (data-block-name block) (block-name (svref (data-block-data block) 0)))
             always (loop with end = (1- (length (data-block-data block)))
                          for position from 0
                          for datum across (data-block-data block)
                          always (or (null last) (datum-before-p last datum))
                          always (or (eq (block-end-p datum) (= position end))
                                     (and (= position end) (= index (1- (length blocks)))))
                          do (setf last datum)))))

(defun note-arrived-block (name entries)
  "The block NAME was read. ENTRIES are its data, new to the table, with sizes: (DATUM . SIZE)."
  (push (cons name entries) (table-arrived *table*)))

(defun imported-blocks ()
  "The blocks of the last revision, and those that have arrived, in the order of their keys."
  (let ((blocks (loop for (name . entries) in (table-arrived *table*)
                      do (loop for (datum . size) in entries
                               do (setf (datum-size datum) size))
                      collect (make-data-block name (map 'simple-vector #'first entries)
                                               (reduce #'+ entries :key #'rest)))))
    (in-block-order (concatenate 'simple-vector (table-blocks *table*) blocks))))

(defun in-block-order (blocks)
  "The vector BLOCKS, which may be changed, in the order of their keys."
  (sort blocks #'datum-before-p :key (lambda (block) (svref (data-block-data block) 0))))

(defun settle-table ()
  "Take what was imported for the last revision: what it holds counts as unchanged from here on.

Returns NIL if this kernel cuts blocks otherwise; then the next revision has all of them anew."
  (let* ((table *table*) (blocks (imported-blocks)) (as-cut (blocks-as-cut-p blocks)))
    (cond ((or as-cut (zerop (length blocks)))
           (setf (table-blocks table) blocks
                 (table-loose table) '())
           (dolist (datum (shiftf (table-touched table) '()))
             (unless (eq (datum-state datum) :gone)
               (setf (datum-state datum) :settled)
               (when (datum-loose datum)
                 (setf (datum-size datum) 0)
                 (push datum (table-loose table))))))
          (t
           (loop for block across blocks
                 do (loop for datum across (data-block-data block)
                          do (setf (datum-size datum) -1)
                             (touch datum :new)))
           (setf (table-blocks table) (vector))))
    (setf (table-arrived table) '())
    (note-definitions-mark)
    (or as-cut (zerop (length blocks)))))

(defun drop-blocks (names)
  "Take the entries of the blocks called NAMES out of the table: others come in their place."
  (loop for block across (table-blocks *table*)
        when (member (data-block-name block) names :test #'string=)
          do (loop for datum across (data-block-data block)
                   do (remove-datum datum))))

;;; The text of a name depends on the packages and classes of the world, that of a function on what
;;; its name means.

(defun definitions-mark ()
  "Two numbers that change when a definition changes the text of names, and of functions."
  (flet ((mark (predicate)
           (fingerprint (loop for definition in *definitions*
                              when (funcall predicate definition)
                                collect (definition-text definition)))))
    (values (mark (lambda (definition)
                    (set-difference (mapcar #'first (definition-makes definition))
                                    '(:function :generic-function :method :macro :compiler-macro
                                      :inline :ftype :variable :variable-type :constant
                                      :symbol-macro :setf-expander :optimize :declaration))))
            (mark #'identity))))

(defun hidden-standard-names ()
  "The names that mean symbols of COMMON-LISP elsewhere, and others where data are read."
  (let ((package (reading-package)) (names '()))
    (do-external-symbols (symbol "COMMON-LISP" (sort names #'string<))
      (unless (eq symbol (find-symbol (symbol-name symbol) package))
        (push (symbol-name symbol) names)))))

(defun note-definitions-mark ()
  (setf (values (table-names *table*) (table-functions *table*)) (definitions-mark)
        (table-hidden *table*) (hidden-standard-names)))

(defun reconsider-blocks ()
  "Touch the data of each block whose text the definitions since the last revision may have changed.
True if classes may be others than before."
  (multiple-value-bind (names functions) (definitions-mark)
    (let ((flag (logior (if (= names (table-names *table*)) 0 +names+)
                        (if (= functions (table-functions *table*)) 0 +functions+)))
          (all (not (equal (hidden-standard-names) (table-hidden *table*)))))
      (unless (and (zerop flag) (not all))
        (loop for block across (table-blocks *table*)
              when (or all (logtest flag (flags-of-block block)))
                do (loop for datum across (data-block-data block)
                         unless (eq (datum-state datum) :gone)
                           do (touch datum :new))))
      (logtest flag +names+))))

(defun flags-of-block (block)
  "The flags of all values of BLOCK together. They are found out by a survey where they are not
known."
  (or (data-block-flags block)
      (let* ((data (data-block-data block))
             (survey (survey (map 'simple-vector #'datum-value data))))
        (loop for datum across data
              for index from 0
              do (setf (datum-flags datum) (aref (survey-flags survey) index)))
        (setf (data-block-flags block) (reduce #'logior data :key #'flags-of-datum)))))

(defun flags-of-datum (datum)
  (logior (datum-flags datum) (name-flag (datum-key datum))))
