(in-package #:jiti-kernel)

;;; Objects of the world as text. Printing one runs the world's code: it can fail, loop and nest.

(defun print-once (function limit circle)
  "The text that FUNCTION writes to the stream it is given, at most LIMIT characters of it, and what
became of it: :WHOLE, :CUT, :FAILED or :STOPPED. CIRCLE is the value of *PRINT-CIRCLE*."
  (let* ((state :failed)
         (collector nil))
    (block printing
      (setf collector (make-collector limit (lambda ()
                                              (setf state :cut)
                                              (leaving (return-from printing)))))
      (with-evaluation ((lambda (condition)
                          (typecase condition
                            (time-limit (setf state :stopped))
                            ;; What is nested too deep for the stack is shown as far as it went.
                            (storage-condition (setf state :cut)))
                          (leaving (return-from printing))))
        (out-of-reach
          (with-standard-text
            (with-captured-streams ((make-collector 0))
              (let ((*print-circle* circle))
                (funcall function collector))))))
      (setf state :whole))
    (values (collected-text collector) state)))

(defun longer-p (object limit)
  "True if OBJECT has so many conses and elements that its text is longer than LIMIT in any case."
  (let ((seen (make-hash-table :test 'eq)) (elements 0) (waiting '()))
    (flet ((size (array)
             (if (vectorp array) (length array) (array-total-size array))))
      (flet ((visit (part)
               (when (and (typep part '(or cons array)) (not (stringp part))
                          (not (gethash part seen)))
                 (setf (gethash part seen) t)
                 (push part waiting)
                 (incf elements (if (arrayp part) (size part) 1)))))
        (visit object)
        (loop while (and waiting (<= elements limit))
              do (let ((next (pop waiting)))
                   (cond ((consp next)
                          (visit (car next))
                          (visit (cdr next)))
                         ((eq t (array-element-type next))
                          (dotimes (index (size next))
                            (visit (row-major-aref next index)))))))))
    (> elements limit)))

(defun bounded-text (function limit &optional object)
  "The text that FUNCTION writes to the stream it is given, cut to LIMIT characters; NIL when it
cannot be printed. OBJECT is what it prints, where that may be large. Labels of shared structure are
used only where it would not end without them."
  (let ((longest nil))
    (dolist (circle '(nil t) longest)
      (multiple-value-bind (text state) (print-once function limit circle)
        (ecase state
          (:whole (return text))
          (:cut
           (unless (and longest (string= text ""))
             (setf longest (concatenate 'string (subseq text 0 (min (1- limit) (length text)))
                                        "…")))
           ;; To find what needs a label, SBCL would walk all of it.
           (when (longer-p object limit)
             (return longest)))
          (:failed)
          (:stopped (return longest)))))))

(defun type-text (object)
  "The name of the type of OBJECT."
  (let ((type (class-name (class-of object))))
    (with-standard-text (prin1-to-string type))))

(defun unprintable (object)
  (format nil "#<unprintable ~A>" (type-text object)))

(defun printed (object limit)
  "OBJECT under PRIN1, cut to LIMIT characters."
  (or (bounded-text (lambda (stream) (prin1 object stream)) limit object)
      (unprintable object)))

(defconstant +report-characters+ 1000 "How long a report can be.")

(defun report-text (object &optional (limit +report-characters+))
  "The report of a condition or restart, cut to LIMIT characters."
  (or (bounded-text (lambda (stream) (princ object stream)) limit)
      (unprintable object)))

(defun condition-text (condition)
  "The type and the report of CONDITION; of a time limit that is over, how long it was."
  (if (and (typep condition 'time-limit) (not (time-limit-stopped condition)))
      (format nil "timed out~@[ after ~A s~]" (time-limit-seconds condition))
      (format nil "~A: ~A" (type-text condition) (report-text condition))))
