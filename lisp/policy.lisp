(in-package #:jiti-kernel)

;;; The form policy: which symbols a proposal may name. It is a fence against mistakes and plain
;;; attempts, not against tricks: those are the sandbox's matter.

(defun package-named-p (package name)
  "True if NAME, in either case, is PACKAGE's or a nickname of it."
  (member name (cons (package-name package) (package-nicknames package)) :test #'string-equal))

(defun listed-package-p (package list)
  (some (lambda (entry) (package-named-p package entry)) list))

(defun listed-p (symbol list)
  "True if LIST names SYMBOL or its home package. An entry with a colon names a symbol."
  (let ((home (symbol-package symbol)))
    (or (listed-package-p home list)
        (some (lambda (entry)
                (let ((colon (position #\: entry)))
                  (and colon
                       (package-named-p home (subseq entry 0 colon))
                       (string-equal (string-left-trim ":" (subseq entry colon))
                                     (symbol-name symbol)))))
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
                      (base-package-p home)))
             (refused "a form may not use the package ~A. `allow` in [policy] of world.toml ~
                       admits a package or a symbol."
                      (package-name home)))
            ((not (visible-p symbol))
             (refused "it is internal in the package ~A." (package-name home)))))))

(defun refused-name (symbol)
  (format nil "~A:~A" (package-name (symbol-package symbol)) (symbol-name symbol)))

(defun foreign-package-refusal (name)
  "Why the policy refuses a form that names the package NAME, NIL if it does not. A package that
does not exist yet is the form's own business."
  (let ((package (find-package name)))
    (cond ((null package) nil)
          ((listed-package-p package *deny*)
           (format nil "~A is refused: `deny` in [policy] of world.toml names that package."
                   (package-name package)))
          ((or (definable-package-p package)
               (member (package-name package) '("COMMON-LISP" "JITI" "KEYWORD") :test #'string=)
               (listed-package-p package *allow*))
           nil)
          (t
           (format nil "~A is refused: a form may not use that package. `allow` in [policy] of ~
                        world.toml admits a package."
                   (package-name package))))))

(defun own-package-refusal (name)
  "Why the policy refuses a form that enters or defines the package NAME, NIL if it does not."
  (let ((package (find-package name)))
    (and package
         (not (managed-package-p package))
         (format nil "~A is refused: the world does not manage that package."
                 (package-name package)))))

(defun package-definition-refusal (defpackage)
  "Why the policy refuses DEFPACKAGE, for the package that it defines or those that it names; NIL if
it does not."
  (or (own-package-refusal (second defpackage))
      (loop for option in (cddr defpackage)
            for names = (and (consp option)
                             (case (first option)
                               (:use (rest option))
                               (:local-nicknames (mapcar #'second (rest option)))
                               ((:import-from :shadowing-import-from)
                                (list (second option)))))
              thereis (some #'foreign-package-refusal names))))

(defun package-form-refusal (datum)
  "Why the policy refuses DATUM, a DEFPACKAGE or an IN-PACKAGE, NIL if it does not."
  (ecase (first datum)
    (in-package
     (if (find-package (second datum))
         (own-package-refusal (second datum))
         (format nil "There is no package ~A." (second datum))))
    (defpackage (package-definition-refusal datum))))

(defun spelled-out-p (call package)
  "True if CALL is INTERN or FIND-SYMBOL of a name and a package that stand there as literals, and
of a symbol that the policy allows. PACKAGE is the one in which CALL was read."
  (and (member (first call) '(intern find-symbol))
       (consp (rest call))
       (stringp (second call))
       (member (ignore-errors (list-length call)) '(2 3))
       (let* ((names (if (cddr call) (literal-names (third call)) (list package)))
              (package (and (= 1 (length names)) (find-package (first names))))
              (symbol (and package (find-symbol (second call) package))))
         (and package
              (null (foreign-package-refusal (package-name package)))
              (or (null symbol) (null (refusal symbol)))))))

(defun call-refusal (call)
  "Why the policy refuses CALL, a cons that may be a call, for the packages that it names, or for
the symbols that it finds in one."
  (cond ((and (eq (first call) 'defpackage) (ignore-errors (list-length call)))
         (ignore-errors (package-definition-refusal call)))
        ((loop-over-symbols-p call) (refusal 'do-symbols))
        (t (some #'foreign-package-refusal (named-packages call)))))

(defun string-refusal (string)
  "Why the policy refuses STRING, which calls functions by their names where FORMAT gets it."
  (loop for (package name) in (format-functions string)
        for symbol = (and (find-package package) (find-symbol name package))
          thereis (and symbol (refusal symbol))))

(defun first-refusal (datum package)
  "Why the policy refuses DATUM, which was read in PACKAGE, and what in it is refused: a symbol, a
string or a call; NIL if it does not."
  (walk-datum (lambda (part)
                (let ((reason (etypecase part
                                (symbol (refusal part))
                                (string (string-refusal part))
                                (cons (call-refusal part)))))
                  (when reason
                    (return-from first-refusal (values reason part))))
                (and (consp part) (spelled-out-p part package)))
              datum)
  nil)

(defun check-policy (forms text)
  "Signal REFUSED-FORM if one of FORMS, which were read from TEXT, names what the form policy does
not allow.

Allowed are COMMON-LISP without *REFUSED-OPERATORS*, the managed packages, what JITI exports,
keywords, and the packages of base code. `allow` and `deny` of world.toml change that."
  (dolist (form forms)
    (let* ((datum (form-datum form)) (package (form-package form))
           (reason (first-refusal datum package)))
      (when reason
        (multiple-value-bind (line column)
            (fault-place text form (lambda (again) (nth-value 1 (first-refusal again package))))
          (error 'refused-form :reason reason :line line :column column)))
      (when (and (consp datum) (member (first datum) '(defpackage in-package)))
        (let ((reason (package-form-refusal datum)))
          (when reason
            (error 'refused-form :reason reason
                                 :line (form-line form) :column (form-column form))))))))

;;; Entries of `allow` and `deny`

(defun entry-problem (entry)
  "What is wrong with ENTRY, a string of `allow` or `deny` that names a package or a symbol; NIL if
nothing is. A symbol of a managed package need not exist yet."
  (ensure-packages)
  (let* ((colon (position #\: entry))
         (package (find-package (string-upcase (subseq entry 0 colon))))
         (name (and colon (string-upcase (string-left-trim ":" (subseq entry colon))))))
    (cond ((or (eql colon 0) (equal name "") (and name (find #\: name)))
           "It is neither PACKAGE nor PACKAGE:SYMBOL.")
          ((null package)
           (format nil "There is no package ~A; `systems` or `load` may have to bring it."
                   (string-upcase (subseq entry 0 colon))))
          ((and name (not (managed-package-p package)) (not (find-symbol name package)))
           (format nil "The package ~A has no symbol ~A." (package-name package) name)))))

(defun policy-problem ()
  "What is wrong with `allow` or `deny`, the entry at fault, and the name of its list; NIL where
nothing is."
  (loop for (name . entries) in (list (cons "allow" *allow*) (cons "deny" *deny*))
        do (loop for entry in entries
                 for problem = (entry-problem entry)
                 when problem
                   do (return-from policy-problem (values problem entry name)))))
