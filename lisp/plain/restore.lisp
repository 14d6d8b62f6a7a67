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
  "Set what PLACE names to VALUE. Where it belongs to an adapter, return that and the pair that it
is to take over instead."
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

(defun call-with-own-files (function)
  "Call FUNCTION, which may change files of the world, with copies of them."
  (let ((own (uiop:ensure-pathname
              (format nil "~Aworld-files-~36R/" (uiop:native-namestring (uiop:temporary-directory))
                      (random (expt 36 12) (make-random-state t)))
              :namestring :native :ensure-directory t))
        (*files* *files*))
    (ensure-directories-exist own)
    (unwind-protect
         (progn
           (when (and *files* (probe-file *files*))
             (uiop:run-program (list "cp" "-R" (format nil "~A." (uiop:native-namestring *files*))
                                     (uiop:native-namestring own))))
           (setf *files* own)
           (funcall function))
      (uiop:delete-directory-tree own :validate t))))

(defmacro deftest-check (name suite form)
  "A FiveAM test of SUITE for the check FORM, as a check file has it, or for one test of a suite of
the base: (SUITE SUITE TEST). Each begins from the data and files of the revision, since a check may
change them."
  (let ((body (cond ((eq (first form) 'lambda) `((funcall ,form)))
                    ((string= (first form) "SUITE")
                     `((,(find-symbol "RESULTS-STATUS" "FIVEAM")
                        (,(find-symbol "RUN" "FIVEAM") ',(third form)))))
                    (t (cddr form)))))
    `(,(find-symbol "TEST" "FIVEAM") (,name :suite ,suite)
      (call-with-own-files
       (lambda ()
         (restore-data)
         (,(find-symbol "IS-TRUE" "FIVEAM") (progn ,@body)))))))
