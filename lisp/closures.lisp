(in-package #:jiti-kernel)

;;; What functions close over. A revision keeps the text of a definition: it brings back what the
;;; text closes over, and not what became of that since. So a change must be noticed.

(defun closed-over (function)
  "The values that FUNCTION closes over, those that closures among them close over included."
  (let ((seen '()) (values '()) (waiting (list function)))
    (loop while waiting
          do (let ((next (pop waiting)))
               (unless (member next seen)
                 (push next seen)
                 (dolist (value (sb-kernel:%closure-values next))
                   (let ((value (if (= (sb-kernel:widetag-of value) sb-vm:value-cell-widetag)
                                    (sb-kernel:value-cell-ref value)
                                    value)))
                     (if (and (functionp value) (sb-kernel:closurep value))
                         (push value waiting)
                         (push value values)))))))
    values))

(defun closure-state (function)
  "What FUNCTION closes over as something that can be compared by EQUAL, NIL if it is no closure.

Values are compared as text, those that cannot be written by identity."
  (when (sb-kernel:closurep function)
    (multiple-value-bind (live written)
        (loop for value in (closed-over function)
              if (nth-value 1 (shared-objects (list value)))
                collect value into live
              else
                collect value into written
              finally (return (values live written)))
      (cons (with-output-to-string (stream)
              (with-writer (writer (lambda (text) (write-string text stream))
                             (shared-objects (list written)))
                (write-value writer written)))
            live))))

(defun require-unchanged-closures (definition)
  "Signal NOT-RECONSTRUCTIBLE if a function of DEFINITION has changed what it closes over."
  (loop for (thing . state) in (definition-states definition)
        when (and (eq (gethash thing *providers*) definition)
                  (not (equal state (closure-state (fdefinition (second thing))))))
          do (error 'not-reconstructible
                    :path (format nil "#'~A -> closed-over variable" (thing-text thing))
                    :reason (format nil "The function ~A has changed what it closes over, and a ~
                                         revision does not keep that. Keep it in a variable of the ~
                                         world or in the data table."
                                    (thing-text thing)))))

(defun require-definition-form (definition)
  "Signal NOT-RECONSTRUCTIBLE if a function of DEFINITION was installed by other means."
  (dolist (thing (definition-outside definition))
    (when (eq (gethash thing *providers*) definition)
      (error 'not-reconstructible
             :path (format nil "#'~A" (thing-text thing))
             :reason (format nil "The function ~A was not made by a definition form, so a revision ~
                                  cannot bring it back. Define it with DEFUN."
                             (thing-text thing))))))
