(in-package #:jiti-kernel)

;;; An attempt: the outer evaluation of a candidate, and the evaluations of its repairs.

(defun call-with-form-restarts (function)
  "The primary value of FUNCTION, with the restarts USE-VALUE and RETRY around it."
  (loop named form do
    (block attempt
      (restart-bind ((use-value
                       (lambda (value) (leaving (return-from form value)))
                       :report-function
                       (lambda (stream)
                         (write-string "Give a value for the whole top-level form." stream)))
                     (retry
                       (lambda () (leaving (return-from attempt)))
                       :report-function
                       (lambda (stream)
                         (write-string "Evaluate the top-level form again." stream))))
        (return-from form (values (funcall function)))))))

(declaim (notinline evaluate-datum))
(defun evaluate-datum (datum)
  "Evaluate DATUM. The frames of the world's code are those inside this function's."
  (values (eval datum)))

(defun package-of-form (form)
  "The package in which FORM was read and is evaluated; the reading package once that is no more."
  (or (find-package (form-package form))
      (reading-package)))

(defun evaluate-form (form pausing)
  "The primary value of FORM, evaluated and recorded. Unless PAUSING, a condition ends it; the
second value is then that condition."
  (let ((failure nil))
    (values
     (call-recording-form
      form
      (lambda ()
        (block recorded
          (flet ((fail (condition)
                   (setf failure condition)
                   (leaving (return-from recorded))))
            (let ((*package* (package-of-form form)))
              (call-with-form-restarts
               (lambda ()
                 (with-evaluation ((if pausing #'pause-evaluation #'fail))
                   (multiple-value-prog1
                       ;; A break on what the kernel signals afterwards would be nobody's.
                       (let ((*break-on-signals* *break-on-signals*)
                             (sb-ext:*evaluator-mode* :compile)) ; as an import has it
                         (evaluate-datum (form-datum form)))
                     (renew-dependents))))))))))
     failure)))

(defun end-evaluation (pausing)
  "Let nothing go on that an evaluation has started. Unless PAUSING, returns what forbids its end."
  (block nil
    (with-evaluation ((if pausing
                          #'pause-evaluation
                          (lambda (condition) (leaving (return condition)))))
      (refuse-what-is-left)
      nil)))

(defun evaluate-forms (forms pausing)
  "Evaluate FORMS: the primary value of the last one, printed. Unless PAUSING, the first condition
ends it; the second value is then that condition."
  (with-world-syntax
    (with-captured-streams (*output*)
      (with-collected-warnings
        (loop with value and failure
              for form in forms
              do (setf (values value failure) (evaluate-form form pausing))
              until failure
              finally (return (values (printed value *output-limit*)
                                      (or failure (end-evaluation pausing)))))))))

(define-request :evaluate (:idle) ((generation natural) (forms string) (milliseconds natural))
  (unless-stale (generation)
    (with-valid (forms (read-checked forms))
      (setf *repairs* 0
            *memory-damaged* nil
            *timers-before* (sb-ext:list-all-timers)
            *origins* '())
      (note-origin forms "proposal")
      (start-clock milliseconds)
      (unless-given-up
        (let ((value (evaluate-forms forms t)))
          (setf (worker-ready *worker*) t)
          (outcome :value :value value))))))

(defun repair (forms)
  "Evaluate FORMS inside the pause: the reply to send."
  (multiple-value-bind (value failure)
      (cond ((stack-low-p)
             ;; A pause in the helper could not be forked.
             (call-in-helper (lambda () (evaluate-forms forms nil))))
            (t
             (evaluate-forms forms (< (pause-level *pause*) +deepest-level+))))
    (cond (failure
           (invalid (make-condition
                     'invalid-text
                     :reason (format nil "The repair failed, and no pause can be opened inside ~
                                          this one: ~A"
                                     (condition-text failure)))))
          (t
           (step-generation)
           (outcome :repaired :value value
                              :restarts (mapcar #'choice-row (pause-menu *pause*)))))))

(define-request :repair (:paused) ((generation natural) (forms string) (milliseconds natural))
  (unless-stale (generation)
    (with-valid (forms (read-checked forms))
      (incf *repairs*)
      (note-origin forms "repair")
      (start-clock milliseconds)
      (unless-given-up
        (repair forms)))))

(define-request :accept (:ready) ((revision natural) (generation natural))
  (unless-stale (generation)
    (unless-given-up
      (promote-candidate)
      (setf (worker-revision *worker*) revision)
      (step-generation)
      (list :accepted :revision revision :generation (generation)))))
