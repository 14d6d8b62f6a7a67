(in-package #:jiti-kernel)

;;; The form policy: which symbols a proposal may name. It is a fence against mistakes and plain
;;; attempts, not against tricks: those are the sandbox's matter.

(defvar *refused-operators*
  '(("it reaches files"
     open with-open-file load compile-file delete-file rename-file directory probe-file truename
     ensure-directories-exist file-author file-write-date load-logical-pathname-translations
     require dribble)
    ("it needs a person at a terminal, and there is none"
     ed inspect)
    ("it makes symbols or packages of names that the form policy cannot see"
     intern find-symbol find-all-symbols apropos apropos-list list-all-packages
     do-symbols do-external-symbols do-all-symbols with-package-iterator
     read read-preserving-whitespace read-from-string read-delimited-list
     make-package rename-package)
    ("it changes what no revision keeps"
     logical-pathname-translations set-pprint-dispatch set-macro-character
     set-dispatch-macro-character make-dispatch-macro-character set-syntax-from-char))
  "What the default policy refuses of COMMON-LISP: lists of a reason and operators.")

(defun listed-p (symbol list)
  "True if LIST names SYMBOL or its home package. An entry with a colon names a symbol."
  (let ((home (symbol-package symbol)))
    (flet ((home-p (name)
             (member (string-upcase name) (cons (package-name home) (package-nicknames home))
                     :test #'string=)))
      (some (lambda (entry)
              (let ((colon (position #\: entry)))
                (if colon
                    (and (home-p (subseq entry 0 colon))
                         (string-equal (string-left-trim ":" (subseq entry colon))
                                       (symbol-name symbol)))
                    (home-p entry))))
            list))))

(defun visible-p (symbol)
  "True if SYMBOL is meant for others: external in its package, or present in a managed one."
  (let ((name (symbol-name symbol)))
    (or (eq (nth-value 1 (find-symbol name (symbol-package symbol))) :external)
        (some (lambda (package)
                (eq symbol (find-symbol name package)))
              (managed-packages)))))

(defvar *quasiquote* (find-symbol "QUASIQUOTE" "SB-INT")
  "The operator that SBCL's reader makes of a backquote.")

(defun refusal (symbol)
  "Why the policy refuses SYMBOL, NIL if it does not."
  (let ((home (symbol-package symbol)))
    (flet ((refused (control &rest arguments)
             (format nil "~A is refused: ~?" (refused-name symbol) control arguments)))
      (cond ((or (null home) (keywordp symbol) (managed-package-p home) (eq symbol *quasiquote*))
             (and home (listed-p symbol *deny*)
                  (refused "`deny` in [policy] of world.toml names it.")))
            ((eq home (load-time-value (find-package "JITI-KERNEL")))
             (refused "it belongs to the kernel."))
            ((listed-p symbol *deny*)
             (refused "`deny` in [policy] of world.toml names it."))
            ((listed-p symbol *allow*) nil)
            ((refused-operator-reason symbol)
             (refused "~A." (refused-operator-reason symbol)))
            ((not (or (member (package-name home) '("COMMON-LISP" "JITI") :test #'string=)
                      (member (package-name home) *base-packages* :test #'string=)))
             (refused "a form may not use the package ~A. `allow` in [policy] of world.toml ~
                       admits a package or a symbol."
                      (package-name home)))
            ((not (visible-p symbol))
             (refused "it is internal in the package ~A." (package-name home)))))))

(defun refused-operator-reason (symbol)
  (loop for (reason . operators) in *refused-operators*
        when (member symbol operators)
          return reason))

(defun refused-name (symbol)
  (format nil "~A:~A" (package-name (symbol-package symbol)) (symbol-name symbol)))

(defun map-symbols (function datum)
  "Call FUNCTION with each symbol of DATUM, which may be circular and deep."
  (let ((seen (make-hash-table :test 'eq)) (waiting (list datum)))
    (flet ((visit (object)
             (cond ((null object))
                   ((symbolp object) (funcall function object))
                   ((or (consp object) (and (arrayp object) (not (stringp object)))
                        (typep object 'structure-object))
                    (unless (gethash object seen)
                      (setf (gethash object seen) t)
                      (push object waiting))))))
      (visit (pop waiting))
      (loop while waiting
            do (let ((object (pop waiting)))
                 (typecase object
                   (cons (visit (car object)) (visit (cdr object)))
                   (array (dotimes (index (array-total-size object))
                            (visit (row-major-aref object index))))
                   (structure-object ; what SBCL's reader makes of a comma
                    (when (sb-int:comma-p object)
                      (visit (sb-int:comma-expr object))))))))))

(defun package-form-refusal (datum)
  "Why the policy refuses DATUM, a DEFPACKAGE or an IN-PACKAGE, NIL if it does not."
  (labels ((known (name)
             (let ((package (find-package name)))
               (and package
                    (not (managed-package-p package))
                    (not (member (package-name package) '("COMMON-LISP" "JITI") :test #'string=))
                    (not (member (package-name package) *base-packages* :test #'string=))
                    (not (member (package-name package) *allow* :test #'string-equal))
                    (format nil "~A is refused: a form may not use that package. `allow` in ~
                                 [policy] of world.toml admits a package."
                            (package-name package)))))
           (own (name)
             (let ((package (find-package name)))
               (and package
                    (not (managed-package-p package))
                    (format nil "~A is refused: the world does not manage that package."
                            (package-name package))))))
    (ecase (first datum)
      (in-package
       (if (find-package (second datum))
           (own (second datum))
           (format nil "There is no package ~A." (second datum))))
      (defpackage
       (or (own (second datum))
           (loop for option in (cddr datum)
                 for names = (and (consp option)
                                  (case (first option)
                                    (:use (rest option))
                                    (:local-nicknames (mapcar #'second (rest option)))
                                    ((:import-from :shadowing-import-from)
                                     (list (second option)))))
                   thereis (some #'known names)))))))

(defun check-policy (forms)
  "Signal REFUSED-FORM if one of FORMS names what the form policy does not allow.

Allowed are COMMON-LISP without *REFUSED-OPERATORS*, the managed packages, what JITI exports,
keywords, and the packages of base code. `allow` and `deny` of world.toml change that."
  (dolist (form forms)
    (flet ((refuse (reason)
             (error 'refused-form :reason reason
                                  :line (form-line form) :column (form-column form))))
      (let ((datum (form-datum form)))
        (map-symbols (lambda (symbol)
                       (let ((reason (refusal symbol)))
                         (when reason (refuse reason))))
                     datum)
        (when (and (consp datum) (member (first datum) '(defpackage in-package)))
          (let ((reason (package-form-refusal datum)))
            (when reason (refuse reason))))))))

;;; Functions that are not the world's. A lock on a package stops a definition, but the restarts of
;;; the condition let it pass, and code of the world may take them.

(defvar *standard-functions* (make-hash-table :test 'equal)
  "The functions and macros of COMMON-LISP and JITI by their names, as base code has left them.")

(defun lock-kernel ()
  "Lock the kernel's packages. SBCL has locked its own."
  (sb-ext:lock-package '#:jiti)
  (sb-ext:lock-package '#:jiti-kernel))

(defun standard-function (name)
  (cond ((not (fboundp name)) nil)
        ((and (symbolp name) (special-operator-p name)) nil)
        ((and (symbolp name) (macro-function name)))
        (t (fdefinition name))))

(defun remember-standard-functions ()
  (dolist (package '("COMMON-LISP" "JITI"))
    (do-external-symbols (symbol package)
      (dolist (name (list symbol (list 'setf symbol)))
        (setf (gethash name *standard-functions*) (standard-function name))))))

(defun require-standard-functions ()
  "Signal NOT-RECONSTRUCTIBLE if a function of COMMON-LISP or JITI is another one by now."
  (maphash (lambda (name function)
             (unless (eq function (standard-function name))
               (error 'not-reconstructible
                      :path (format nil "#'~A" (world-name name))
                      :reason (format nil "The function ~A is not the world's, and a revision does ~
                                           not keep its new definition. Use another name."
                                      (world-name name)))))
           *standard-functions*))
