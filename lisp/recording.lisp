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
  "Take a snapshot. What has changed since the last one is the innermost recording's; where no form
is under evaluation, it is only noted as seen."
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
  "What DEFPACKAGE, which has been evaluated, says of its package; nothing if that is no more."
  (let* ((package (or (find-package (second defpackage))
                      (return-from declared-things '())))
         (name (package-name package))
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
                 (:local-nicknames
                  (loop for (nickname) in arguments
                        do (push (list :local-nickname (list name (string nickname))) things)))
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

(defun proclaimed-things (specification)
  "What SPECIFICATION, which has been proclaimed, says."
  (destructuring-bind (kind . arguments) specification
    (flet ((things (kind names)
             (loop for name in names collect (list kind name))))
      (case kind
        ((inline notinline sb-ext:maybe-inline) (things :inline arguments))
        (ftype (things :ftype (rest arguments)))
        (type (things :variable-type (rest arguments)))
        (declaration (things :declaration arguments))
        (optimize (things :optimize (loop for quality in arguments
                                          collect (if (consp quality) (first quality) quality))))
        ;; SBCL would warn that no type is called so.
        ((special sb-ext:global sb-ext:always-bound) '())
        (t
         (when (sb-ext:valid-type-specifier-p kind)
           (things :variable-type arguments)))))))

(defun forget (things)
  "Let the next snapshot see THINGS, which a form says again, anew."
  (dolist (thing things)
    (if (member (first thing) '(:export :inline :ftype :variable-type :declaration))
        (let ((entry (gethash (thing-symbol thing) *entries*)))
          (when entry
            (setf (entry-things entry) (remove thing (entry-things entry)
                                               :key #'first :test #'equal)
                  (entry-status entry) nil)))
        (setf *global-things* (remove thing *global-things* :key #'first :test #'equal)))))

;; A later text that says the same once more counts: an import ends with what was said last.
(sb-int:encapsulate 'sb-c::%proclaim 'jiti-kernel
                    (lambda (function specification &rest more)
                      (multiple-value-prog1 (apply function specification more)
                        (when *recording*
                          (forget (proclaimed-things specification))))))

(defun registry-marks (datum)
  "What variables of base code hold, as an alist from symbols to fingerprints, if DATUM, a use of a
macro, may register something there; else nothing."
  (and (operator datum)
       (symbolp (operator datum))
       (macro-function (operator datum))
       (not (standard-symbol-p (operator datum)))
       (loop for symbol in (world-symbols #'variable-p (base-packages))
             collect (cons symbol (fingerprint (global-value symbol))))))

(defun note-registrations (recording marks)
  "A form that has changed what a variable of base code holds, so that it cannot be written down,
has registered something there. It is kept like a definition, until the same macro does so again by
the same name. MARKS are as REGISTRY-MARKS returned them before."
  (let* ((datum (form-datum (recording-form recording)))
         (name (and (consp (rest datum)) (second datum))))
    (loop for (symbol . mark) in marks
          for value = (global-value symbol)
          for thing = (list :registration (list (operator datum) name symbol))
          when (and (or (gethash thing *providers*)
                        (not (eql mark (fingerprint value))))
                    (not (writable-p value)))
            do (push (list thing) (recording-changed recording)))))

(defun call-recording-definitions (form thunk)
  "Call THUNK, which evaluates FORM, and take what it defines into the definitions of the world.

A form that is left by a transfer of control is recorded too. A form evaluated inside another,
as a repair is, has a record of its own. Returns the values of THUNK."
  (settle)
  (let* ((recording (make-recording :form form))
         (datum (form-datum form))
         (outer *recording*)
         (registries (registry-marks datum))
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
      (when registries
        (note-registrations recording registries))
      (when documents
        (note-documents recording documents))
      (let ((*recording* outer))
        (record recording)))))
