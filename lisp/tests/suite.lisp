(defpackage #:jiti-kernel/tests
  (:use #:common-lisp #:fiveam)
  (:import-from #:jiti #:value #:form-text)
  (:import-from #:jiti-kernel
                #:read-forms #:read-checked #:call-recording-form #:open-world #:load-base
                #:export-definitions #:export-data #:import-definitions #:import-data
                #:import-block #:process-gone-p
                #:state-rows #:fingerprint #:observe-world #:index-checks #:reading-package
                #:call-in-fresh-world
                #:form-datum #:form-package #:form-line #:form-column
                #:invalid-text #:unreadable #:refused-form
                #:not-reconstructible #:import-failed #:base-failed
                #:condition-reason #:condition-line #:condition-column #:condition-path
                #:condition-file #:condition-type
                #:encode-frame #:decode-header #:decode-message #:wire-error
                #:evaluate-forms #:out-of-reach #:collected-warnings
                #:make-collector #:collected-text #:restart-arity #:read-argument #:restart-misused
                #:printed #:report-text #:run-check)
  (:export #:kernel))

(in-package #:jiti-kernel/tests)

(def-suite kernel
  :description "What the Lisp side promises, tried inside one process.")

(defmacro with-world ((&key (packages ''("W"))) &body body)
  "Run BODY in an empty world of its own."
  `(call-in-fresh-world (lambda () ,@body) ,packages))

(defun run-forms (text)
  "Read, check and evaluate TEXT as a candidate does: the primary value of its last form."
  (let ((forms (read-checked text)) (value nil))
    (dolist (form forms value)
      (setf value
            (call-recording-form
             form
             (lambda ()
               (let ((*package* (find-package (form-package form))))
                 (handler-bind ((warning #'muffle-warning))
                   (multiple-value-prog1 (eval (form-datum form))
                     (jiti-kernel::renew-dependents))))))))))

(defmacro continuing (form)
  "The value of FORM, whose errors are answered with CONTINUE, as an operator may in a pause."
  `(handler-bind ((error #'continue))
     ,form))

(defun evaluated (text)
  "The value of the expression in TEXT, in the reading package."
  (let ((*package* (reading-package)))
    (eval (read-from-string text))))

(defun defined ()
  "The names of what is defined, in order: a list of strings such as \"function f\"."
  (loop for (kind name) in (getf (observe-world 100) :definitions)
        collect (format nil "~(~A~) ~A" kind name)))

(defun exported (exporter)
  (with-output-to-string (out)
    (funcall exporter out)))

(defun body-of (text)
  "TEXT of an export without its header."
  (subseq text (loop for start = 0 then (1+ (position #\Newline text :start start))
                     while (and (< start (length text)) (char= (char text start) #\;))
                     finally (return start))))

(defun definitions-text ()
  (string-trim '(#\Newline) (body-of (exported #'export-definitions))))

(defun exported-data ()
  "The text of data.sexp, a table from the names of those blocks that were written to their texts,
and what EXPORT-DATA returned."
  (let* ((loose (make-string-output-stream))
         (blocks (make-hash-table :test 'equal))
         (export (export-data (lambda (name text)
                                (if name
                                    (push text (gethash name blocks))
                                    (write-string text loose))))))
    (loop for name being the hash-keys of blocks using (hash-value pieces)
          do (setf (gethash name blocks) (apply #'concatenate 'string (reverse pieces))))
    (values (get-output-stream-string loose) blocks export)))

(defun export-all-data ()
  "As EXPORTED-DATA, with all blocks written."
  (loop for datum being the hash-values of (jiti-kernel::table-data jiti-kernel::*table*)
        do (jiti-kernel::touch datum :new))
  (exported-data))

(defun import-all-data (loose blocks)
  (loop for name being the hash-keys of blocks using (hash-value text)
        do (import-block name text))
  (import-data loose))

(defun data-index ()
  "The index of data.sexp."
  (jiti-kernel::data-export-index (export-data (constantly nil))))

(defun data-text ()
  (string-trim '(#\Newline) (body-of (exported-data))))

(defvar *policy* sb-c::*policy* "The compiler's policy as a process finds it.")

(defun call-in-reopened-world (function packages)
  "Call FUNCTION in a world that was imported from this one's export. It exports the same."
  (let ((definitions (exported #'export-definitions))
        (data (multiple-value-list (export-all-data)))
        (state (state-rows)))
    (dolist (name packages)
      (when (find-package name)
        (rename-package name (gensym "OLD"))))
    (let ((sb-c::*policy* *policy*))
      (call-in-fresh-world
       (lambda ()
         (import-definitions definitions)
         (import-all-data (first data) (second data))
         (is (string= definitions (exported #'export-definitions)))
         (is (equalp (subseq data 0 2) (subseq (multiple-value-list (exported-data)) 0 2)))
         (is (equal state (state-rows)))
         (funcall function))
       packages))))

(defmacro reopened ((&key (packages ''("W"))) &body body)
  "Run BODY in a world that was imported from the export of the one around it."
  `(call-in-reopened-world (lambda () ,@body) ,packages))

(defmacro with-complaint ((variable type form) &body body)
  "Run BODY with the condition of TYPE that FORM signals."
  `(let ((,variable (handler-case (progn ,form nil)
                      (,type (condition) condition))))
     (is-true ,variable "~S signalled no ~A" ',form ',type)
     (when ,variable ,@body)))

(defmacro as-in-a-worker (form)
  "The value of FORM, out of reach of the test framework's handlers: a worker has none."
  `(let ((sb-kernel:*handler-clusters* sb-kernel::**initial-handler-clusters**))
     ,form))
