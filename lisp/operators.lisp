(in-package #:jiti-kernel)

;;; What the form policy refuses of COMMON-LISP. Every external symbol of that package was weighed:
;;; what is not named here computes, defines, prints to streams that the code has made, or changes
;;; the world in a way that a revision keeps or that rejects the attempt.

(defparameter *refused-operators*
  '(("it reaches files"
     open with-open-file load compile-file delete-file rename-file directory probe-file truename
     ensure-directories-exist file-author file-write-date load-logical-pathname-translations
     require dribble)
    ("it asks about the machine, which is another one where the world is opened next"
     machine-instance machine-version software-version short-site-name long-site-name
     user-homedir-pathname)
    ("it needs a person at a terminal, and there is none"
     ed inspect)
    ("it finds or makes symbols by names that the form policy cannot see"
     intern find-symbol find-all-symbols apropos apropos-list list-all-packages
     package-shadowing-symbols
     do-symbols do-external-symbols do-all-symbols with-package-iterator
     read read-preserving-whitespace read-from-string read-delimited-list
     get-macro-character get-dispatch-macro-character)
    ("it makes or renames a package behind the world's back; DEFPACKAGE makes one that is managed"
     make-package rename-package)
    ("it changes what no revision keeps"
     logical-pathname-translations set-pprint-dispatch set-macro-character
     set-dispatch-macro-character make-dispatch-macro-character set-syntax-from-char
     trace untrace))
  "Lists of a reason and the operators that are refused for it.")

(defun refused-operator-reason (symbol)
  (loop for (reason . operators) in *refused-operators*
        when (member symbol operators)
          return reason))

(defun loop-over-symbols-p (call)
  "True if CALL is a LOOP that goes through the symbols of a package (CLHS 6.1.2.1.7)."
  (flet ((one-of (names object)
           (and (symbolp object) (member object names :test #'string=))))
    (and (eq (first call) 'loop)
         (ignore-errors (list-length call))
         (loop for (being each what) on (rest call)
               thereis (and (one-of '("BEING") being)
                            (one-of '("EACH" "THE") each)
                            (one-of '("SYMBOL" "SYMBOLS" "PRESENT-SYMBOL" "PRESENT-SYMBOLS"
                                      "EXTERNAL-SYMBOL" "EXTERNAL-SYMBOLS")
                                    what))))))

(defparameter *package-arguments*
  '((find-package 1) (delete-package 1) (use-package 1 2) (unuse-package 1 2)
    (import 2) (shadowing-import 2) (export 2) (unexport 2) (unintern 2) (shadow 2) (gentemp 2)
    (package-use-list 1) (package-used-by-list 1) (package-nicknames 1)
    (intern 2) (find-symbol 2) (in-package 1))
  "Operators and the places, from 1, of their arguments that name packages.")

(defun literal-names (argument)
  "The names that ARGUMENT designates where it is a literal: a string, a keyword, or quoted names."
  (flet ((name (object)
           (typecase object
             (string (list object))
             (symbol (and object (list (symbol-name object)))))))
    (cond ((or (stringp argument) (keywordp argument)) (name argument))
          ((and (symbolp argument) (null (symbol-package argument))) (name argument))
          ((and (consp argument) (eq (first argument) 'quote) (consp (rest argument)))
           (let ((quoted (second argument)))
             (if (and (consp quoted) (ignore-errors (list-length quoted)))
                 (mapcan #'name quoted)
                 (name quoted)))))))

(defun named-packages (call)
  "The names of packages that CALL, a list with an operator of *PACKAGE-ARGUMENTS*, spells out."
  (let ((places (rest (assoc (first call) *package-arguments*))))
    (when (and places (ignore-errors (list-length call)))
      (loop for place in places
            append (literal-names (nth place call))))))

(defun format-functions (control)
  "The names of the functions that the string CONTROL calls where FORMAT gets it, as in
\"~/world:shout/\": lists of a package's name and a symbol's (CLHS 22.3.5.4)."
  (loop with end = (length control)
        for tilde = (position #\~ control) then (position #\~ control :start (1+ tilde))
        while tilde
        for slash = (directive-position control (1+ tilde))
        for close = (and (< slash end) (char= (char control slash) #\/)
                         (position #\/ control :start (1+ slash)))
        when close
          collect (let* ((name (string-upcase (subseq control (1+ slash) close)))
                         (colon (position #\: name)))
                    (list (if colon (subseq name 0 colon) "COMMON-LISP-USER")
                          (subseq name (if colon
                                           (or (position #\: name :start colon :test-not #'eql)
                                               (length name))
                                           0))))))

(defun directive-position (control start)
  "The position of the directive's own character, behind its parameters, which begin at START."
  (loop with end = (length control)
        with position = start
        while (and (< position end) (find (char control position) "0123456789+-,vV#:@'"))
        do (incf position (if (char= (char control position) #\') 2 1))
        finally (return (min position end))))
