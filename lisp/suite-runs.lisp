(in-package #:jiti-kernel)

;;; A run of one test of a FiveAM suite, in a throwaway fork, and what is told of it.

(defconstant +failure-count+ 5 "How many failures of a test are told.")
(defconstant +failure-characters+ 500 "How long the text of a failure can be.")

(defun call-with-fiveam-settings (function)
  "Call FUNCTION while FiveAM neither enters a debugger nor prints, whatever base code has set."
  (let ((settings (loop for (name value) in '(("*ON-ERROR*" nil) ("*ON-FAILURE*" nil)
                                              ("*DEBUG-ON-ERROR*" nil) ("*DEBUG-ON-FAILURE*" nil)
                                              ("*RUN-TEST-WHEN-DEFINED*" nil)
                                              ("*PRINT-NAMES*" nil) ("*TEST-DRIBBLE*" t))
                        for symbol = (fiveam-symbol name)
                        when (and symbol (boundp symbol))
                          collect (cons symbol value))))
    (progv (mapcar #'first settings) (mapcar #'rest settings)
      (funcall function))))

(defun lower-start (text form)
  "TEXT, which FiveAM may have begun with FORM or a part of it in upper case, with that as a person
writes it."
  (labels ((parts (form)
             (and (consp form) (ignore-errors (list-length form))
                  (append form (mapcan #'parts (remove-if-not #'consp form))))))
    (dolist (part (cons form (parts form)) text)
      (let ((upper (and (consp part) (one-line (prin1-to-string part)))))
        (when (and upper (starts-with-p upper text))
          (return (concatenate 'string (form-line-text part) (subseq text (length upper)))))))))

(defun failure-line (result package)
  "What RESULT, a failure or a test left out, says. Its test was written in PACKAGE."
  (flet ((value (name)
           (and (slot-exists-p result (fiveam-symbol name))
                (slot-boundp result (fiveam-symbol name))
                (fiveam-slot result name))))
    (let* ((*package* package)
           (condition (value "ACTUAL-CONDITION"))
           (form (value "TEST-EXPR"))
           (reason (one-line (format nil "~@[~A~]" (value "REASON"))))
           (text (cond (condition
                        (format nil "unexpected ~A" (one-line (condition-text condition))))
                       ((typep result (fiveam-symbol "TEST-SKIPPED"))
                        (format nil "left out: ~A" reason))
                       ((not (string= reason (lower-start reason form)))
                        (lower-start reason form))
                       ((consp form)
                        (format nil "~A: ~A" (form-line-text form) reason))
                       (t reason))))
      (if (> (length text) +failure-characters+)
          (concatenate 'string (subseq text 0 (1- +failure-characters+)) "…")
          text))))

(defun passed-p (result)
  (typep result (fiveam-symbol "TEST-PASSED")))

(defun results-of (object results)
  "Those of RESULTS that are of the test OBJECT itself, not of one that it depends on."
  (remove-if-not (lambda (result) (eq object (fiveam-slot result "TEST-CASE"))) results))

(defun failures-text (results object)
  "What RESULTS, oldest first, say of the test OBJECT, which failed: its own failures, and those of
the tests it depends on if it was left out."
  (flet ((line (result)
           (let ((test (fiveam-slot result "TEST-CASE")))
             (format nil "~:[~A: ~;~*~]~A"
                     (eq test object)
                     (string-downcase (symbol-name (fiveam-slot test "NAME")))
                     (failure-line result (fiveam-slot test "RUNTIME-PACKAGE"))))))
    (let* ((bad (remove-if #'passed-p results))
           (own (results-of object bad))
           (left-out (find-if (lambda (result)
                                (typep result (fiveam-symbol "TEST-SKIPPED")))
                              own))
           (others (remove-if (lambda (result) (member result own)) bad))
           (told (if left-out (append own others) own)))
      (format nil "~{~A~^; ~}~[~:;; and ~:*~D more~]"
              (loop for result in told repeat +failure-count+ collect (line result))
              (max 0 (- (length told) +failure-count+))))))

(defun run-test (name)
  "Run the test NAME of the base: whether it passes, and what is told of it."
  (let* ((object (kept-test-object (gethash name (memory-tests *suite-memory*))))
         (results (reverse (call-with-fiveam-settings
                            (lambda () (funcall (fiveam-symbol "RUN") object)))))
         (own (results-of object results)))
    (cond ((notevery #'passed-p own)
           (values nil (failures-text results object)))
          ;; FiveAM sets the status at the end: code that leaves the test by one of its restarts or
          ;; by a throw has ended nothing.
          ((not (eq t (fiveam-slot object "STATUS")))
           (values nil "The test did not end."))
          (t
           (values t (format nil "~D check~:P" (length own)))))))

(defun suite-check (datum)
  "The function that runs DATUM, `(suite NAME)` or `(suite NAME TEST)`, with the values of RUN-TEST;
NIL when it is neither. A name that no suite of the base has is a failure."
  (when (and (consp datum) (named-p "SUITE" (first datum)) (ignore-errors (list-length datum)))
    (destructuring-bind (name &optional test &rest more) (rest datum)
      (declare (ignore more))
      (lambda ()
        (if (null (gethash test (memory-tests *suite-memory*)))
            (values nil (missing-suite-reason (world-name name)))
            (flet ((changed ()
                     (let ((changed (changed-test test)))
                       (and changed
                            (format nil "The test ~A was changed by the attempt: ~A is not what ~
                                         the base has left."
                                    (string-downcase (symbol-name test)) changed)))))
              (let ((before (changed)))
                (if before
                    (values nil before)
                    (multiple-value-bind (ok detail) (run-test test)
                      (let ((after (changed)))
                        (if after (values nil after) (values ok detail))))))))))))
