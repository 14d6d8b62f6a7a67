(in-package #:jiti-kernel)

;;; The data of a world from texts.

(defun take-place (cursor)
  "The place of an entry: a symbol or a list (WORD ATOM ...), whose word is a string."
  (cond ((eql (peek cursor) #\()
         (take cursor)
         (prog1 (cons (take-token cursor)
                      (loop do (skip-blanks cursor)
                            until (eql (peek cursor) #\))
                            collect (take-key cursor)))
           (take cursor)))
        (t (take-atom cursor))))

(defun take-key (cursor)
  (cond ((eql (peek cursor) #\") (take cursor) (take-string cursor))
        ((eql (peek cursor) #\#) (read-value (make-loader cursor)))
        (t (take-atom cursor))))

(defun place-owner (cursor place)
  "The adapter that PLACE belongs to, and what that calls it."
  (flet ((adapter-named (name)
           (or (find name *adapters* :key #'adapter-name :test #'equal)
               (data-error cursor "The world has no adapter named ~A." name))))
    (cond ((symbolp place) (values (adapter-named "image") place))
          ((not (stringp (first place)))
           (data-error cursor "This is no place."))
          ((string= (first place) "ADAPTER")
           (values (adapter-named (second place)) (third place)))
          (t
           (values (adapter-named "image")
                   (list (or (find (first place) '(value plist class) :test #'string=)
                             (data-error cursor "~(~A~) is no kind of place." (first place)))
                         (second place)))))))

(defun call-reading-data (file text function)
  "Call FUNCTION with a loader for TEXT, which stands in FILE. Whatever goes wrong is signalled as
IMPORT-FAILED."
  (let* ((cursor (make-cursor (simple-text text) (reading-package) file))
         (loader (make-loader cursor)))
    (handler-bind ((serious-condition
                     (lambda (condition)
                       (unless (typep condition 'import-failed)
                         (data-error cursor "~A" (report-text condition))))))
      (with-standard-io-syntax
        (let ((*read-eval* nil)
              (*package* (cursor-package cursor))) ; whose local nicknames stand in the text
          (funcall function loader))))))

(defun at-entry-p (cursor)
  "True if an entry follows."
  (skip-blanks cursor)
  (and (peek cursor) t))

(defun import-data (text)
  "Set the data of the world from TEXT, a data.sexp: all but the blocks. Signals IMPORT-FAILED.

What an earlier data.sexp has set goes."
  (forget-loose-data)
  (let ((items '()))
    (call-reading-data
     "data.sexp" text
     (lambda (loader)
       (let ((cursor (loader-cursor loader)))
         (loop while (at-entry-p cursor)
               do (multiple-value-bind (adapter place) (place-owner cursor (take-place cursor))
                    (push (cons place (read-value loader)) (getf items adapter)))))
       (fill-tables loader)
       (loop for (adapter own) on items by #'cddr
             do (call-adapter 'import-world adapter :data (nreverse own)))))))

(defun map-block (function name text)
  "Call FUNCTION with key, value and size of each entry in TEXT, the block NAME, and with a function
that signals what is wrong with it. Signals IMPORT-FAILED."
  (call-reading-data
   (format nil "data/~A.sexp" name) text
   (lambda (loader)
     (let ((cursor (loader-cursor loader)))
       (loop while (at-entry-p cursor)
             do (let* ((start (cursor-position cursor))
                       (place (take-place cursor)))
                  (unless (and (consp place) (equal (first place) "VALUE"))
                    (data-error cursor "A block has entries of the data table alone."))
                  (let ((value (read-value loader)))
                    (funcall function (second place) value
                             (- (1+ (cursor-position cursor)) start)
                             (lambda (control &rest arguments)
                               (apply #'data-error cursor control arguments)))))
                (clrhash (loader-labelled loader))))
     (fill-tables loader))))

(defun import-block (name text)
  "Put the entries of TEXT, the block NAME, into the data table. Signals IMPORT-FAILED."
  (let ((data '()))
    (map-block (lambda (key value size refuse)
                 (when (gethash key (table-data *table*))
                   (funcall refuse "The key ~A is there twice." (world-name key)))
                 (let ((datum (add-datum key value)))
                   (setf (datum-loose datum) nil)
                   (push (cons datum size) data)))
               name text)
    (when data
      (note-arrived-block name (nreverse data)))))

(defun forget-loose-data ()
  "Undo what an earlier IMPORT-DATA has set in this process."
  (dolist (datum (shiftf (table-loose *table*) '()))
    (remove-datum datum))
  (when (shiftf (table-filled *table*) t)
    (dolist (symbol (world-symbols #'boundp))
      (unless (constantp symbol)
        (makunbound symbol)))
    (dolist (symbol (world-symbols #'symbol-plist))
      (setf (symbol-plist symbol) '()))))
