(in-package #:jiti-kernel)

;;; Base code: what a world trusts and loads before anything else. It is no part of a revision.

(defun ensure-entered-package (form)
  "Make the managed package that FORM, if it is an IN-PACKAGE, enters: base code may define it, but
need not."
  (when (typep form '(cons (eql in-package) (cons (or string symbol) null)))
    (let ((name (string (second form))))
      (when (and (member name *opened-packages* :test #'string=) (not (find-package name)))
        (make-package name :use '("COMMON-LISP"))))))

(defun load-base (file text)
  "Evaluate TEXT, trusted base code of FILE, as LOAD does. Signals BASE-FAILED.

What it defines is no part of a revision."
  (let ((before (list-all-packages)) (stream (make-string-input-stream text)))
    (with-world-syntax
      (let ((*package* (find-package "COMMON-LISP-USER"))
            (*read-eval* t)
            (sb-c::*policy* sb-c::*policy*))
        (loop
          (let* ((line (next-line file text (file-position stream)))
                 (form (read-base-form file line stream)))
            (when (eq form stream) (return))
            (ensure-entered-package form)
            (call-until-condition (lambda () (eval form))
                                  (load-failure 'base-failed file line))))))
    (note-base before)))

(defun next-line (file text position)
  "The line of what stands behind the blanks and comments at POSITION of TEXT. Signals BASE-FAILED."
  (handler-case (values (place-in text (nth-value 1 (scan-gap text position))))
    (unreadable (condition)
      (funcall (load-failure 'base-failed file (condition-line condition)) condition))))

(defun read-base-form (file line stream)
  "The next form in STREAM, which begins at LINE of FILE; STREAM itself at its end. Signals
BASE-FAILED."
  (call-until-condition
   (lambda () (read-preserving-whitespace stream nil stream))
   (lambda (condition)
     (if (typep condition '(or end-of-file reader-error))
         (error 'base-failed :file file :line line :type (type-text condition)
                             :reason (if (typep condition 'end-of-file)
                                         "The file ends inside the form that begins here."
                                         (reader-complaint condition)))
         (funcall (load-failure 'base-failed file line) condition)))))

(defparameter *tool-prefixes* '("SB-" "ASDF" "UIOP")
  "How the names of packages begin that loading a system brings along and that no world needs.")

(defun note-base (packages-before)
  "Take what is defined now for base code's, which has been loaded, and the packages that did not
exist in PACKAGES-BEFORE for packages of base code."
  (dolist (package (set-difference (list-all-packages) packages-before))
    (unless (or (managed-package-p package)
                (some (lambda (prefix) (starts-with-p prefix (package-name package)))
                      *tool-prefixes*))
      (pushnew (package-name package) *base-packages* :test #'string=)))
  (settle-base)
  (remember-suites))

(defun open-base ()
  "Take the systems that this process was saved with, if any, for the base of the world, which has
just been opened."
  (when *base-packages*
    (setf *base-packages* (remove-if (lambda (name)
                                       (member name *opened-packages* :test #'equal))
                                     *base-packages*))
    (settle-base)
    (remember-suites)))
