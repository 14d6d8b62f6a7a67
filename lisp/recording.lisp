(in-package #:jiti-kernel)

;;; What a form under evaluation changes. Forms nest: a repair runs inside the form that it repairs.

(defstruct recording
  "A form under evaluation and what it has changed so far."
  form
  (changed '()) ; alist from things to tokens
  (gone '())
  expansions)

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

(defun declared-things (defpackage)
  "What DEFPACKAGE, which has been evaluated, says of its package."
  (let* ((name (package-name (find-package (second defpackage))))
         (things (list (list :package name))))
    (flet ((symbol-named (designator)
             (find-symbol (string designator) name)))
      (loop for (option . arguments) in (remove-if-not #'consp (cddr defpackage))
            do (case option
                 (:use
                  (loop for used in arguments
                        do (push (list :use (list name (package-name (find-package used))))
                                 things)))
                 (:nicknames
                  (loop for nickname in arguments
                        do (push (list :nickname (list name (string nickname))) things)))
                 (:export
                  (loop for symbol in arguments
                        do (push (list :export (symbol-named symbol)) things)))
                 (:shadow
                  (loop for symbol in arguments
                        do (push (list :shadow (list name (symbol-named symbol))) things)))
                 (:import-from
                  (loop for symbol in (rest arguments)
                        do (push (list :import (list name (symbol-named symbol))) things)))
                 (:shadowing-import-from
                  (loop for symbol in (rest arguments)
                        do (push (list :shadow (list name (symbol-named symbol))) things)
                           (push (list :import (list name (symbol-named symbol))) things))))))
    things))

(defun forget (things)
  "Let the next snapshot see THINGS, of a package, anew."
  (dolist (thing things)
    (if (eq (first thing) :export)
        (let ((entry (gethash (second thing) *entries*)))
          (when entry
            (setf (entry-things entry) (remove thing (entry-things entry)
                                               :key #'first :test #'equal)
                  (entry-status entry) nil)))
        (setf *global-things* (remove thing *global-things* :key #'first :test #'equal)))))

(defun call-recording-definitions (form thunk)
  "Call THUNK, which evaluates FORM, and take what it defines into the definitions of the world.

A form that is left by a transfer of control is recorded too. A form evaluated inside another,
as a repair is, has a record of its own. Returns the values of THUNK."
  (settle)
  (let* ((recording (make-recording :form form))
         (datum (form-datum form))
         (outer *recording*)
         (documents (and (mentions-p 'documentation datum) (all-documents))))
    ;; A DEFPACKAGE took effect when it was read.
    (when (and (consp datum) (eq (first datum) 'defpackage))
      (forget (declared-things datum)))
    (unwind-protect (let ((*recording* recording))
                      (with-expansions (datum)
                        (setf (recording-expansions recording) *expansions*)
                        ;; The stamp gives a variable defined again another source location,
                        ;; whatever file is being loaded.
                        (with-compilation-unit (:source-plist (list :form form))
                          (funcall thunk))))
      (let ((*recording* recording))
        (settle))
      (when documents
        (note-documents recording documents))
      (let ((*recording* outer))
        (record recording)))))
