(in-package #:jiti-kernel/tests)

(def-suite blocks :in kernel :description "A large table in blocks, and what a change of it costs.")
(in-suite blocks)

(defun fill-table (count &optional (value (lambda (index) (list index "text" :x))))
  "COUNT entries whose values share nothing."
  (dotimes (index count)
    (setf (value index) (copy-tree (funcall value index)))))

(defun fresh-list (index)
  (list index (format nil "text ~D" index) :x))

(defun written ()
  "The names of the blocks that an export writes now, and what EXPORT-DATA returns."
  (multiple-value-bind (loose blocks export) (exported-data)
    (declare (ignore loose))
    (values (loop for name being the hash-keys of blocks collect name) export)))

(defun whole-text ()
  "The text of the data as a process writes it that knows of no revision."
  (multiple-value-list (export-all-data)))

(defmacro as-elsewhere ()
  "What this world exports is what a process exports that has imported it."
  `(let ((here (whole-text)))
     (reopened ()
       (is (equalp (subseq here 0 2) (subseq (whole-text) 0 2))))))

(test a-small-table-is-in-data-sexp
  (with-world ()
    (fill-table 1000 #'fresh-list)
    (is (equal '() (written)))
    (is (= 1000 (length (data-index))))))

(test a-large-table-is-in-blocks
  (with-world ()
    (fill-table 20000 #'fresh-list)
    (multiple-value-bind (names export) (written)
      (is (< 3 (length names) 40))
      (is (equal (sort names #'string<)
                 (sort (copy-list (jiti-kernel::data-export-blocks export)) #'string<)))
      (is (equal '() (jiti-kernel::data-export-index export))))
    (as-elsewhere)))

(test keys-of-all-kinds-stand-in-blocks
  (with-world ()
    (fill-table 20000 #'fresh-list)
    (let ((keys (list nil t :k (evaluated "'s") (evaluated "'odd]") "text" 1/2 1.5 #c(1 2)
                      sb-ext:double-float-positive-infinity)))
      (dolist (key keys)
        (setf (value key) :there))
      (as-elsewhere)
      (reopened ()
        (is (loop for key in keys always (or (and (symbolp key) (not (keywordp key)))
                                             (eq :there (value key)))))))))

(test what-was-not-touched-is-not-written
  (with-world ()
    (fill-table 20000 #'fresh-list)
    (written)
    (is (equal '() (written)))
    (setf (value 10000) (list :changed))
    (multiple-value-bind (names export) (written)
      (is (= 1 (length names)))
      (is (equal '("(value 10000)") (mapcar #'first (jiti-kernel::data-export-before export))))
      (is (equal '("(value 10000)") (mapcar #'first (jiti-kernel::data-export-after export)))))
    (is (equal '() (written)))))

(test what-was-read-is-looked-at-again
  (with-world ()
    (fill-table 20000 #'fresh-list)
    (written)
    (let ((lent (value 5)))
      (is (equal '() (written)))
      (value 7)
      (is (equal '() (written)))
      (setf lent (value 5)
            (second lent) "changed"))
    (is (= 1 (length (written))))
    (as-elsewhere)))

(test an-entry-that-comes-to-share-moves-to-data-sexp-and-back
  (with-world ()
    (run-forms "(defvar *v* nil)")
    (fill-table 20000 #'fresh-list)
    (written)
    (run-forms "(setf *v* (rest (jiti:value 77)))")
    (multiple-value-bind (names export) (written)
      (is (= 1 (length names)))
      (is (equal '("(value 77)" "*v*") (mapcar #'first (jiti-kernel::data-export-index export)))))
    (reopened ()
      (is (eq (evaluated "*v*") (rest (value 77)))))))

(test an-entry-that-shares-no-more-moves-back
  (with-world ()
    (run-forms "(defvar *v* nil)")
    (fill-table 20000 #'fresh-list)
    (written)
    (run-forms "(setf *v* (jiti:value 77))")
    (written)
    (run-forms "(setf *v* nil)")
    (multiple-value-bind (names export) (written)
      (is (= 1 (length names)))
      (is (equal '("*v*") (mapcar #'first (jiti-kernel::data-export-index export)))))
    (as-elsewhere)))

(test a-table-that-shrinks-is-in-data-sexp-again
  (with-world ()
    (fill-table 20000 #'fresh-list)
    (written)
    (dotimes (index 19990)
      (setf (value index) nil))
    (multiple-value-bind (names export) (written)
      (is (equal '() names))
      (is (equal '() (jiti-kernel::data-export-blocks export)))
      (is (= 10 (length (jiti-kernel::data-export-index export)))))
    (as-elsewhere)))

(test a-class-that-was-defined-anew-changes-the-texts-of-its-objects
  (with-world ()
    (run-forms "(defclass c () ((a :initform 1))) (defun make () (make-instance 'c))")
    (dotimes (index 10000)
      (setf (value index) (evaluated "(make)")))
    (written)
    (run-forms "(defun other () 1)")
    (is (equal '() (written)))
    (run-forms "(defclass c () ((a :initform 1) (b :initform 2)))")
    (is-true (written))
    (reopened ()
      (is (eql 2 (evaluated "(slot-value (jiti:value 3) 'b)"))))))

(test keys-of-every-kind-have-an-order
  (with-world ()
    (dolist (key (list 1 -1 (expt 10 30) 1.5 1.5d0 1/2 #c(1 2) "a" "b" "" :a (evaluated "'a") -0.0
                       0.0))
      (setf (value key) 1))
    (fill-table 20000 (lambda (index) (* 7 index)))
    (is-true (written))
    (as-elsewhere)))

(defclass keeper-of-a-value (jiti:adapter) ((kept :accessor kept)))

(test what-an-adapter-keeps-stays-lent
  (with-world ()
    (fill-table 20000 #'fresh-list)
    (let* ((jiti-kernel::*adapters* jiti-kernel::*adapters*)
           (adapter (make-instance 'keeper-of-a-value :name "keeper")))
      (setf (kept adapter) (value 9))
      (written)
      (setf (second (kept adapter)) :changed)
      (is (= 1 (length (written)))))))

(defun import-over (before after)
  "Import AFTER where BEFORE was imported; each is what WHOLE-TEXT returned."
  (destructuring-bind ((loose blocks) old) (list after (second before))
    (jiti-kernel::drop-blocks
     (loop for name being the hash-keys of old using (hash-value text)
           unless (equal text (gethash name blocks)) collect name))
    (jiti-kernel::forget-loose-data)
    (loop for name being the hash-keys of blocks using (hash-value text)
          unless (equal text (gethash name old))
            do (import-block name text))
    (import-data loose)))

(defun change-at-random ()
  "Write, remove or read-and-change some entries, and let some share."
  (dotimes (count (random 200))
    (let ((key (random 25000)))
      (case (random 6)
        (0 (setf (value key) nil))
        (1 (setf (value key) (fresh-list (random 1000))))
        (2 (let ((value (value key)))
             (when value (setf (first value) :changed))))
        (3 (setf (value key) (list (value (random 25000)))))
        (4 (setf (value key) (make-list (random 300) :initial-element key)))
        (5 (value key))))))

(test any-story-of-a-table-is-written-as-elsewhere
  (dotimes (seed 3)
    (with-world ()
      (let ((*random-state* (sb-ext:seed-random-state seed)) (story '()))
        (fill-table 12000 #'fresh-list)
        (let ((files (second (multiple-value-list (exported-data)))))
          (push (list (exported-data) (copy-table files)) story)
          (dotimes (step 5)
            (change-at-random)
            (multiple-value-bind (loose blocks export) (exported-data)
              (loop for name being the hash-keys of blocks using (hash-value text)
                    do (setf (gethash name files) text))
              (loop for name being the hash-keys of files
                    unless (member name (jiti-kernel::data-export-blocks export) :test #'string=)
                      do (remhash name files))
              (push (list loose (copy-table files)) story)))
          (is (equalp (first story) (subseq (whole-text) 0 2)) "seed ~D" seed))
        (setf story (nreverse story))
        (setf jiti-kernel::*table* (jiti-kernel::make-table))
        (import-all-data (first (first story)) (second (first story)))
        (jiti-kernel::settle-table)
        (is (equal '() (written)))
        (loop for (before after) on story
              while after
              do (import-over before after)
                 (is (string= (first after) (exported-data)) "seed ~D" seed))
        (is (equalp (first (last story)) (subseq (whole-text) 0 2)) "seed ~D" seed)))))

(defun copy-table (table)
  (let ((copy (make-hash-table :test (hash-table-test table))))
    (maphash (lambda (key value) (setf (gethash key copy) value)) table)
    copy))
