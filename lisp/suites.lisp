(in-package #:jiti-kernel)

;;; FiveAM suites of the base, whose tests are goals. What base code has left of them is remembered:
;;; a test counts only as long as it, and what runs it, are still that. The kernel does without
;;; FiveAM, so everything of it is found by name.

(defstruct (suite (:constructor make-suite (name tests)))
  "A suite, or one within it: its name, a symbol, and the names of all its tests, in order."
  name tests)

(defstruct (kept-test (:constructor make-kept-test (object slots packages)))
  "A test as base code has left it. What it runs lies in PACKAGES, as far as it is a test's own."
  object
  slots ; alist from names of slots to values
  packages)

(defstruct memory
  "What base code has left of FiveAM's suites."
  (suites '())
  (tests (make-hash-table :test 'eq)) ; from names to KEPT-TESTs
  (functions (make-hash-table :test 'equal))) ; from names of functions to a list of objects

(defvar *suite-memory* (make-memory))

(defun fiveam ()
  (find-package "FIVEAM"))

(defun fiveam-symbol (name)
  (find-symbol name (fiveam)))

(defun fiveam-slot (object name)
  (slot-value object (fiveam-symbol name)))

(defun fiveam-test-p (object)
  (typep object (fiveam-symbol "TEST-CASE")))

(defun registered (name)
  "The test or suite that FiveAM knows by NAME, or NIL."
  (values (gethash name (symbol-value (fiveam-symbol "*TEST*")))))

(defun tests-within (suite)
  "The names of the tests of SUITE, one of FiveAM's objects, and of the suites in it."
  (loop for value being the hash-values of (fiveam-slot suite "TESTS")
        for object = (if (symbolp value) (registered value) value)
        if (fiveam-test-p object)
          collect (fiveam-slot object "NAME")
        else
          append (and object (tests-within object))))

(defun slots-of (test)
  "What decides about TEST, one of FiveAM's objects: all that a run of it does not set."
  (loop for slot in (sb-mop:class-slots (class-of test))
        for name = (sb-mop:slot-definition-name slot)
        unless (or (member (symbol-name name) '("STATUS" "PROFILING-INFO") :test #'string=)
                   (not (slot-boundp test name)))
          collect (cons name (slot-value test name))))

(defun function-objects (name)
  "What runs when the function NAME is called: the function, and its methods if it is generic."
  (let ((function (global-function name)))
    (and function
         (cons function
               (and (typep function 'generic-function)
                    (copy-list (sb-mop:generic-function-methods function)))))))

(defun map-function-names (function package)
  "Call FUNCTION with each symbol of PACKAGE, and each list (SETF symbol), that names a function."
  (do-present-symbols (symbol package)
    (when (eq (symbol-package symbol) package)
      (dolist (name (list symbol (list 'setf symbol)))
        (when (fboundp name)
          (funcall function name))))))

(defun remember-functions (package)
  (let ((functions (memory-functions *suite-memory*)))
    (map-function-names (lambda (name)
                          (setf (gethash name functions) (function-objects name)))
                        package)))

(defun remember-suites ()
  "Remember FiveAM's suites and tests as base code, which has been loaded, has left them."
  (setf *suite-memory* (make-memory))
  (when (and (fiveam) (fiveam-symbol "*TEST*"))
    (let ((packages (list (fiveam))))
      (maphash (lambda (name object)
                 (if (fiveam-test-p object)
                     (let ((own (remove nil (list (symbol-package name)
                                                  (fiveam-slot object "RUNTIME-PACKAGE")))))
                       (setf (gethash name (memory-tests *suite-memory*))
                             (make-kept-test object (slots-of object) own)
                             packages (union own packages)))
                     (push (make-suite name (tests-within object)) (memory-suites *suite-memory*))))
               (symbol-value (fiveam-symbol "*TEST*")))
      (mapc #'remember-functions packages))))

(defun dependencies (name)
  "The names of the tests that the test NAME depends on, directly or through others."
  (let ((found '()))
    (labels ((visit (test)
               (map-symbols (lambda (symbol)
                              (let ((other (gethash symbol (memory-tests *suite-memory*))))
                                (when (and other (not (member symbol found)))
                                  (push symbol found)
                                  (visit other))))
                            (rest (assoc "DEPENDS-ON" (kept-test-slots test)
                                         :key #'symbol-name :test #'string=)))))
      (visit (gethash name (memory-tests *suite-memory*))))
    (remove name found)))

(defun same-objects-p (before after)
  (and (= (length before) (length after))
       (subsetp before after)))

(defun changed-function (package)
  "The name of a function of PACKAGE that is another one than base code has left, or NIL."
  (map-function-names (lambda (name)
                        (unless (same-objects-p (gethash name (memory-functions *suite-memory*))
                                                (function-objects name))
                          (return-from changed-function name)))
                      package)
  (loop for name being the hash-keys of (memory-functions *suite-memory*)
        when (and (eq (symbol-package (if (consp name) (second name) name)) package)
                  (not (fboundp name)))
          return name))

(defun changed-test (name)
  "What of the test NAME is not as base code has left it, as text, or NIL.

Functions in the packages of its name and of its code count, unless the world manages the package:
there they are what is tested. FiveAM itself counts, and so do the tests it depends on."
  (dolist (name (cons name (dependencies name)))
    (let* ((test (gethash name (memory-tests *suite-memory*)))
           (object (kept-test-object test)))
      (unless (and (eq (registered name) object)
                   (equal (slots-of object) (kept-test-slots test)))
        (return-from changed-test (world-name name)))
      (dolist (package (cons (fiveam) (remove-if #'managed-package-p (kept-test-packages test))))
        (let ((function (changed-function package)))
          (when function
            (return-from changed-test (world-name function))))))))

(defun suite-named (text)
  "The suite that TEXT names as in a goals file: a symbol or a keyword. NIL if the base has none."
  (let* ((colon (position #\: text))
         (package (cond ((null colon) (reading-package))
                        ((zerop colon) (find-package "KEYWORD"))
                        (t (find-package (string-upcase (subseq text 0 colon))))))
         (name (string-upcase (string-left-trim ":" (subseq text (or colon 0)))))
         (symbol (and package (find-symbol name package))))
    (and symbol
         (find symbol (memory-suites *suite-memory*) :key #'suite-name))))

(defun missing-suite-reason (text)
  "Why TEXT names no suite with tests."
  (let ((names (sort (loop for suite in (memory-suites *suite-memory*)
                           when (and (suite-name suite) (suite-tests suite))
                             collect (world-name (suite-name suite)))
                     #'string<)))
    (cond ((suite-named text)
           (format nil "The suite ~A has no tests." text))
          (names
           (format nil "The base has no suite ~A; it has ~{~A~^, ~}." text names))
          (t
           (format nil "The base has no suite ~A: name the ASDF system of its tests in `systems` ~
                        of world.toml, or its file in `load`."
                   text)))))

(defun suite-goals (text line)
  "The goals that `(suite TEXT)` at LINE of a goals file stands for, as INDEX-CHECKS returns them."
  (let* ((suite (suite-named text))
         (short (string-downcase (string-left-trim ":" (subseq text (or (position #\: text) 0)))))
         (group (format nil "suite ~A" short))
         (taken '()))
    (flet ((goal-name (test)
             (let ((name (string-downcase (symbol-name test))))
               (when (member name taken :test #'string=)
                 (setf name (world-name test)))
               (push name taken)
               (format nil "~A: ~A" short name)))
           (form-text (test)
             (with-standard-io-syntax
               (let ((*package* (find-package "KEYWORD")))
                 (format nil "(suite ~A ~S)" text test)))))
      (or (loop for test in (and suite (suite-tests suite))
                collect (list :goal (goal-name test) line (form-text test) group))
          (list (list :goal group line (format nil "(suite ~A)" text) group))))))
