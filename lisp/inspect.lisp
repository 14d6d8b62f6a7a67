(in-package #:jiti-kernel)

;;; What a throwaway fork tells of its world: the value of an expression, a frame, or a view.

(defun pause-frame (index)
  "The frame at INDEX of the pause that this process was forked from, and the pause of its level;
frames of outer levels count on from those of the inner ones. Signals INVALID-TEXT."
  (loop with left = index
        for pause = *pause* then (pause-outer pause)
        while pause
        do (let ((count (length (pause-frames pause))))
             (when (< left count)
               (return (values (nth left (pause-frames pause)) pause)))
             (decf left count))
        finally (error 'invalid-text
                       :reason (format nil "There is no frame ~D; the pause shows ~D." index
                                       (- index left)))))

(defun inspected-value (form frame)
  "The primary value of FORM; with FRAME, the variables of that have their values in it."
  (let ((*package* (package-of-form form)))
    (if frame
        (values (sb-di:eval-in-frame frame (form-datum form)))
        (evaluate-datum (form-datum form)))))

(defun inspect-forms (forms &optional frame)
  "The reply that tells the primary value of the last of FORMS, or the condition that stopped them.
With FRAME, its variables have their values in FORMS."
  (let ((output (make-collector *output-limit*)) (value nil))
    (flet ((tell-condition (condition)
             (leaving (return-from inspect-forms
                        (list :signalled :condition (report-text condition)
                                         :type (type-text condition)
                                         :output (collected-text output))))))
      (with-world-syntax
        (with-captured-streams (output)
          (handler-bind ((warning #'muffle))
            (dolist (form forms)
              (with-evaluation (#'tell-condition)
                (setf value (inspected-value form frame))))
            (list :inspected :value (printed value *output-limit*)
                             :output (collected-text output))))))))

(define-request :inspect (:runner)
    ((expression string) (frame (or null natural)) (milliseconds natural))
  (with-valid (forms (or (read-checked expression)
                         (error 'unreadable :reason "There is no form to evaluate.")))
    (with-valid (frame (and frame (values (pause-frame frame))))
      (start-clock milliseconds)
      (call-with-stack (lambda () (inspect-forms forms frame))))))

(define-request :frame (:runner) ((index natural) (milliseconds natural))
  (with-valid (found (multiple-value-list (pause-frame index)))
    (start-clock milliseconds)
    (call-with-stack
     (lambda ()
       (let* ((frame (first found)) (*pause* (second found)) (location (frame-location frame)))
         (list :framed :call (frame-text frame)
                       :place (location-place location) :line (location-line location)
                       :text (location-text location) :first (location-first location)
                       :locals (frame-locals frame)))))))

(define-request :observe (:runner) ((characters natural))
  (handler-case (list* :observed (observe-world characters))
    (adapter-failed (condition)
      (list :failed :reason (condition-reason condition)))))
