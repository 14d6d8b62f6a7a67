(in-package #:jiti-kernel)

;;; Definitions and data that come into this process.

(defun load-failure (class file line)
  "A function that signals CLASS, a kind of LOAD-FAILED, for a condition."
  (lambda (condition)
    (error class :file file :line line
                 :reason (or (report-text condition) "")
                 :type (type-text condition))))

(defun import-definitions (text)
  "Evaluate TEXT, which EXPORT-DEFINITIONS wrote, form by form. Signals IMPORT-FAILED.

A definition may stand above one that it needs, since it took the place of an earlier one. What
fails is tried again when the rest is there; the order of the text stays."
  (let ((source (make-source text)) (waiting '()))
    (loop for form = (next-definition source)
          while form
          do (let ((failure (import-form form)))
               (when failure (push (list form failure) waiting))))
    (setf waiting (nreverse waiting))
    (loop while waiting
          do (let ((failed (loop for (form) in waiting
                                 for failure = (import-form form)
                                 when failure collect (list form failure))))
               (when (= (length failed) (length waiting))
                 (destructuring-bind (form failure) (first failed)
                   (funcall (load-failure 'import-failed "world.lisp" (form-line form)) failure)))
               (setf waiting failed)))
    (with-world-syntax
      (call-until-condition (lambda () (renew-imported *definitions*))
                            (load-failure 'import-failed "world.lisp" nil)))
    (setf *definitions* (sort *definitions* #'< :key #'definition-line))))

(defun next-definition (source)
  (handler-case (call-with-source source (lambda () (next-form source)))
    (invalid-text (condition)
      (error 'import-failed :file "world.lisp" :line (condition-line condition)
                            :reason (condition-reason condition)
                            :type (type-text condition)))))

(defun import-form (form)
  "Evaluate FORM and record what it defines. Returns the condition that stopped it, or NIL."
  (block import
    (with-world-syntax
      (let ((*package* (find-package (form-package form))))
        (call-until-condition
         (lambda ()
           (call-recording-form form (lambda () (eval (form-datum form))))
           nil)
         (lambda (condition)
           (return-from import condition)))))))
