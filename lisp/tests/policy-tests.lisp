(in-package #:jiti-kernel/tests)

(def-suite form-policy :in kernel :description "What a form may name, and why not.")
(in-suite form-policy)

(test policy
  (with-world ()
    (dolist (text '("(car '(1))" "`(a ,(b) ,@c)" ":keyword" "(jiti:value :x)" "#:uninterned"
                    "(eval '(+ 1 2))" "#(1 #\\a 2.0)"))
      (finishes (read-checked text)))
    (dolist (text '("(sb-ext:run-program \"ls\" ())" "(sb-ext:exit)" "(open \"x\")"
                    "(intern x)" "(find-symbol \"X\" :sb-ext)" "(read-from-string \"x\")"
                    "`(a ,(sb-ext:exit))" "#(sb-ext:exit)" "(jiti-kernel::serve)"
                    "(let ((f 'sb-ext:exit)) f)" "(list . sb-ext:exit)" "#1=(a #1# sb-ext:exit)"))
      (signals refused-form (read-checked text)))
    (with-complaint (c refused-form (read-checked "(a)
 (sb-ext:exit)"))
      (is (search "SB-EXT:EXIT" (condition-reason c)))
      (is (equal '(2 2) (list (condition-line c) (condition-column c)))))))

(test a-refusal-tells-the-place-of-what-is-refused
  (with-world ()
    (loop for (text line column)
            in '(("(list 1)
(defun f (x)
  (list x (sb-ext:exit)))" 3 11)
                 ("(list 'sb-ext:exit)" 1 7) ("(list #'sb-ext:exit)" 1 8)
                 ("(list `(a ,sb-ext:exit))" 1 11) ("(list `(a ,@sb-ext:exit))" 1 12)
                 ("#(1 sb-ext:exit)" 1 4) ("(a . sb-ext:exit)" 1 5) ("sb-ext:exit" 1 0)
                 ("(\"sb-ext:exit\" #\\( |a b| ; sb-ext:exit
   #|sb-ext:exit|# sb-ext:exit)" 2 19)
                 ("(list (car '(1)) \"~/sb-ext:exit/\")" 1 17)
                 ("(list (use-package :sb-ext))" 1 6)
                 ("(let ((x '(a b)))
  ; a comment
  (flet ((g () (list x
                     'SB-EXT::Exit))) (g)))" 4 22)
                 ("(progn
  (car '(1))
  (in-package :sb-ext))" 3 2)
                 ("(defpackage #:p (:use #:cl #:sb-ext))" 1 0)
                 ("(list 1 #+sbcl sb-ext:exit)" 1 15) ("(list #1=(a) #1# #2(1) sb-ext:exit)" 1 23)
                 ("(list (intern \"X\" :w) (intern x))" 1 23))
          do (with-complaint (c refused-form (read-checked text))
               (is (equal (list line column) (list (condition-line c) (condition-column c)))
                   "~A: ~A ~A" text (condition-line c) (condition-column c))))))

(test policy-of-the-world
  (with-world ()
    (open-world :packages '("W") :allow '("SB-POSIX" "sb-ext:posix-getenv" "cl:open")
                :deny '("CL:SLEEP" "w:forbidden"))
    (finishes (read-checked "(sb-ext:posix-getenv \"X\") (open \"x\")"))
    (signals refused-form (read-checked "(sb-ext:exit)"))
    (signals refused-form (read-checked "(sleep 1)"))
    (signals refused-form (read-checked "(forbidden)"))))

;;; CLHS's dictionaries of packages, files, the reader, system construction and the environment, and
;;; what else reaches files.

(defparameter *weighed*
  '((:refused
     ;; 11 Packages
     find-all-symbols find-symbol intern list-all-packages make-package rename-package
     package-shadowing-symbols do-symbols do-external-symbols do-all-symbols with-package-iterator
     ;; 19 Filenames
     logical-pathname-translations load-logical-pathname-translations
     ;; 20 Files
     directory probe-file ensure-directories-exist truename file-author file-write-date
     rename-file delete-file
     ;; 21 Streams
     open with-open-file
     ;; 22 Printer
     set-pprint-dispatch
     ;; 23 Reader
     read read-preserving-whitespace read-delimited-list read-from-string
     get-macro-character set-macro-character get-dispatch-macro-character
     set-dispatch-macro-character make-dispatch-macro-character set-syntax-from-char
     ;; 24 System construction
     compile-file load require
     ;; 25 Environment
     apropos apropos-list trace untrace inspect ed dribble user-homedir-pathname
     machine-instance machine-version software-version short-site-name long-site-name)
    (:allowed
     export find-package import unintern delete-package use-package unuse-package unexport shadow
     shadowing-import in-package defpackage package-name package-nicknames package-use-list
     package-used-by-list packagep *package* package-error package-error-package package
     file-error file-error-pathname
     copy-readtable readtable-case readtablep *read-base* *read-default-float-format* *read-eval*
     *read-suppress* *readtable* reader-error readtable
     compile-file-pathname with-compilation-unit *features* *compile-file-pathname*
     *compile-file-truename* *load-pathname* *load-truename* *compile-print* *compile-verbose*
     *load-print* *load-verbose* *modules* provide
     decode-universal-time encode-universal-time get-universal-time get-decoded-time sleep describe
     describe-object step time internal-time-units-per-second get-internal-real-time
     get-internal-run-time disassemble documentation room lisp-implementation-type
     lisp-implementation-version machine-type software-type))
  "Whether a form may name what these chapters define.")

(test each-operator-that-could-reach-out-is-decided
  (with-world ()
    (loop for (verdict . symbols) in *weighed*
          do (dolist (symbol symbols)
               (is (eq verdict (if (jiti-kernel::refusal symbol) :refused :allowed))
                   "~A" symbol)))
    (let ((refused '()))
      (do-external-symbols (symbol "COMMON-LISP")
        (when (jiti-kernel::refusal symbol) (push symbol refused)))
      (is (null (set-exclusive-or refused (rest (assoc :refused *weighed*))))
          "~A" (set-exclusive-or refused (rest (assoc :refused *weighed*)))))))

(test each-refusal-tells-why
  (with-world ()
    (dolist (symbol (rest (assoc :refused *weighed*)))
      (is (search (format nil "COMMON-LISP:~A is refused: it " (symbol-name symbol))
                  (jiti-kernel::refusal symbol))))))

(defmacro allows (&rest texts)
  `(dolist (text ',texts)
     (finishes (read-checked text))))

(defmacro refuses-to-name (name &rest texts)
  "Each of TEXTS is refused, and the reason names NAME."
  `(dolist (text ',texts)
     (with-complaint (c refused-form (read-checked text))
       (is (search ,name (condition-reason c)) "~A: ~A" text (condition-reason c)))))

(test names-that-stand-there-are-no-secret
  (with-world ()
    (allows "(intern \"FOO\")" "(intern \"FOO\" :w)" "(find-symbol \"CAR\" '#:cl)"
            "(find-symbol \"X\" :keyword)" "(eq 'x (find-symbol \"X\" \"W\"))")
    (refuses-to-name "INTERN" "(intern name)" "(intern \"FOO\" package)" "#'intern"
                     "(mapcar 'intern '(\"FOO\"))" "(intern (string-upcase \"x\") :w)")
    (allows "(loop for x being the hash-keys of table collect x)" "(loop for symbol in symbols)")
    (refuses-to-name "DO-SYMBOLS" "(loop for x being the external-symbols of package collect x)"
                     "(loop :for i :below 2 :for x :being :each :symbol :in (f) :return x)"
                     "(f '(loop for x being the present-symbols return x))")
    (refuses-to-name "SB-EXT" "(intern \"EXIT\" :sb-ext)" "(find-symbol \"EXIT\" \"SB-EXT\")")
    (refuses-to-name "FIND-SYMBOL" "(find-symbol \"OPEN\" :cl)" "(find-symbol \"OPEN\")")))

(test packages-that-forms-name
  (with-world ()
    (allows "(find-package :w)" "(find-package \"CL\")" "(find-package :not-made-yet)"
            "(use-package '(:cl) :w)" "(export 'a)" "(export '(a b) \"W\")" "(find-package name)")
    (refuses-to-name "SB-EXT"
                     "(find-package :sb-ext)" "(use-package \"SB-EXT\")"
                     "(use-package '(:cl #:sb-ext))" "(delete-package 'sb-ext)"
                     "(import 'a :sb-ext)" "(let () (in-package #:sb-ext))"
                     "(eval-when (:execute) (defpackage #:p (:use #:sb-ext)))"
                     "(defpackage #:p (:import-from #:sb-ext #:run-program))")
    (refuses-to-name "JITI-KERNEL" "(find-package '#:jiti-kernel)" "(use-package :jiti-kernel)")))

(test format-calls-functions-by-their-names
  (with-world ()
    (allows "(format nil \"~/w:shout/ ~/pprint-fill/ ~A/~A/sb-ext:exit/\" x)"
            "\"~/not-a-name\"" "\"~'/a/sb-ext:exit/\"" "\"~\"")
    (refuses-to-name "RUN-PROGRAM"
                     "(format nil \"~/sb-ext:run-program/\" x)"
                     "(format nil \"~A ~10,'x@:/SB-EXT::run-program/\" x)"
                     "(formatter \"~/run-program/\")" "`(a ,\"~v,#/sb-ext:run-program/\")")))

(test structures-that-the-reader-makes
  (with-world ()
    (run-forms "(defstruct box item)")
    (allows "#S(box :item 1)" "#P\"a/b\"")
    (refuses-to-name "SB-EXT:EXIT" "#S(box :item sb-ext:exit)" "'(#S(box :item (sb-ext:exit)))")
    (refuses-to-name "JITI-KERNEL:WORKER" "#S(jiti-kernel::worker)" "#(#S(jiti-kernel::worker))")))

(test a-library-can-be-admitted
  (with-world ()
    (open-world :packages '("W") :allow '("cl:intern" "CL:OPEN" "SB-EXT") :deny '("sb-ext:exit"))
    (allows "(intern name :w)" "(open file)" "(sb-ext:gc)" "(find-package :sb-ext)"
            "(defpackage #:p (:use #:sb-ext))" "(find-symbol \"GC\" :sb-ext)")
    (refuses-to-name "`deny`" "(sb-ext:exit)")
    (open-world :packages '("W") :allow '("CL:SLEEP" "SB-EXT") :deny '("CL" "SB-EXT"))
    (refuses-to-name "`deny`" "(sleep 1)" "(sb-ext:exit)" "(find-package :sb-ext)")))

(test entries-of-the-policy
  (with-world ()
    (dolist (entry '("SB-EXT" "sb-ext:exit" "cl::open" "COMMON-LISP" "w:later" "W"))
      (is (null (jiti-kernel::entry-problem entry)) "~A" entry))
    (dolist (entry '(":sb-ext" "cl:" "a:b:c" "cl:car:cdr" "nowhere" "nowhere:x" "cl:no-such" ":"))
      (is-true (jiti-kernel::entry-problem entry) "~A" entry))))
