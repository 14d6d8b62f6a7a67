(in-package #:jiti-kernel)

;;; The data of an exported world comes back from the texts in which it was kept.

(defvar *data-files* '() "The files with the data: data.sexp first, then the blocks of the table.")

(defun take-place (cursor)
  "The place of an entry: a symbol or a list (WORD ATOM ...), whose word is a string."
  (flet ((take-key ()
           (case (peek cursor)
             (#\" (take cursor) (take-string cursor))
             (#\# (read-value (make-loader cursor)))
             (t (take-atom cursor)))))
    (cond ((eql (peek cursor) #\()
           (take cursor)
           (prog1 (cons (take-token cursor)
                        (loop do (skip-blanks cursor)
                              until (eql (peek cursor) #\))
                              collect (take-key)))
             (take cursor)))
          (t (take-atom cursor)))))

(defun put (place value)
  "VALUE belongs at PLACE. Returns the adapter and the pair that it is to take over, if it is one's."
  (cond ((symbolp place)
         (if (eq value *unbound*)
             (makunbound place)
             (set place value))
         nil)
        ((string= (first place) "VALUE") (setf (value (second place)) value) nil)
        ((string= (first place) "PLIST") (setf (symbol-plist (second place)) value) nil)
        ((string= (first place) "CLASS") (set-class-data (find-class (second place)) value) nil)
        (t (values (find (second place) *adapters* :key #'adapter-name :test #'equal)
                   (cons (third place) value)))))

(defun restore-file (file)
  "Bring back what FILE keeps."
  (let* ((text (with-open-file (stream file :external-format :utf-8)
                 (let* ((room (make-string (file-length stream)))
                        (end (read-sequence room stream)))
                   (subseq room 0 end))))
         (loader (make-loader (make-cursor (simple-text text) (reading-package)
                                           (file-namestring file))))
         (cursor (loader-cursor loader))
         (entries '())
         (items '()))
    (with-standard-io-syntax
      (let ((*read-eval* nil))
        (loop
          (skip-blanks cursor)
          (unless (peek cursor) (return))
          (push (cons (take-place cursor) (read-value loader)) entries)))
      (fill-tables loader))
    (loop for (place . value) in (nreverse entries)
          do (multiple-value-bind (adapter item) (put place value)
               (when adapter
                 (push item (getf items adapter)))))
    (loop for (adapter own) on items by #'cddr
          do (import-world adapter :data (nreverse own)))))

(defun restore-data (&optional (files *data-files*))
  "Set the data of the world to what the revision has."
  (setf *data-files* files)
  (clrhash *data*)
  (mapc #'restore-file files)
  (values))

(defmacro deftest-check (name suite form)
  "A FiveAM test of SUITE for the check FORM, as a check file has it. Each begins from the data of
the revision, since a check may change it."
  (let ((body (if (eq (first form) 'lambda)
                  (list (list 'funcall form))
                  (cddr form))))
    `(,(find-symbol "TEST" "FIVEAM") (,name :suite ,suite)
      (restore-data)
      (,(find-symbol "IS-TRUE" "FIVEAM") (progn ,@body)))))
