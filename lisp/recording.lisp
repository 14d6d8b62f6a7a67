(in-package #:jiti-kernel)

;;; What a form under evaluation changes. Forms nest: a repair runs inside the form that it repairs.

(defstruct recording
  "A form under evaluation and what it has changed so far."
  form
  (changed '()) ; alist from things to tokens
  (gone '()))

(defvar *recording* nil "The innermost form under evaluation, NIL if there is none.")

(defun settle ()
  "Put down what has changed since the last snapshot to the innermost form under evaluation."
  (flet ((changed (thing token)
           (when *recording*
             (setf (recording-gone *recording*)
                   (remove thing (recording-gone *recording*) :test #'equal))
             (push (cons thing token) (recording-changed *recording*))))
         (gone (thing token)
           (declare (ignore token))
           (when *recording*
             (setf (recording-changed *recording*)
                   (remove thing (recording-changed *recording*) :key #'first :test #'equal))
             (push thing (recording-gone *recording*)))))
    (snapshot #'changed
              (lambda (thing token)
                (when (eq (first thing) :generic-function)
                  (forget-methods (first token) #'gone))
                (gone thing token)))
    (look-at-methods #'changed #'gone)))

(defun forget-package (name)
  "Let the next snapshot see anew what belongs to the package NAME itself."
  (setf *global-things*
        (remove-if (lambda (entry)
                     (let ((thing-name (second (first entry))))
                       (equal name (if (consp thing-name) (first thing-name) thing-name))))
                   *global-things*))
  (let ((package (find-package name)))
    (when package
      (loop for symbol being the external-symbols of package
            do (remhash symbol *entries*)))))

(defun call-recording-definitions (form thunk)
  "Call THUNK, which evaluates FORM, and take what it defines into the definitions of the world.

A form that is left by a transfer of control is recorded too. A form evaluated inside another,
as a repair is, has a record of its own. Returns the values of THUNK."
  (settle)
  (let* ((recording (make-recording :form form))
         (datum (form-datum form))
         (outer *recording*))
    ;; A DEFPACKAGE took effect when it was read.
    (when (and (consp datum) (eq (first datum) 'defpackage))
      (forget-package (string (second datum))))
    (unwind-protect (let ((*recording* recording))
                      ;; The stamp gives a variable defined again another source location, whatever
                      ;; file is being loaded.
                      (with-compilation-unit (:source-plist (list :form recording))
                        (funcall thunk)))
      (let ((*recording* recording))
        (settle))
      (let ((*recording* outer))
        (record recording)))))
