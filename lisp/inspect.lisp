(in-package #:jiti-kernel)

;;; What a throwaway fork tells of its world: the value of an expression, or a view.

(defun inspect-forms (forms)
  "The reply that tells the primary value of the last of FORMS, or the condition that stopped them."
  (let ((output (make-collector *output-limit*)))
    (with-world-syntax
      (with-captured-streams (output)
        (handler-bind ((warning #'muffle))
          (let ((value nil))
            (dolist (form forms)
              (let ((*package* (or (find-package (form-package form)) (reading-package))))
                (setf value
                      (with-evaluation ((lambda (condition)
                                          (leaving
                                            (return-from inspect-forms
                                              (list :signalled
                                                    :condition (report-text condition
                                                                            +report-characters+)
                                                    :type (type-text condition)
                                                    :output (collected-text output))))))
                        (evaluate-datum (form-datum form))))))
            (list :inspected :value (printed value *output-limit*)
                             :output (collected-text output))))))))

(define-request :inspect (:runner) ((expression string) (milliseconds natural))
  (with-valid (forms (or (read-checked expression)
                         (error 'unreadable :reason "There is no form to evaluate.")))
    (start-clock milliseconds)
    (call-with-stack (lambda () (inspect-forms forms)))))

(define-request :observe (:runner) ((characters natural))
  (handler-case (list* :observed (observe-world characters))
    (adapter-failed (condition)
      (list :failed :reason (condition-reason condition)))))
