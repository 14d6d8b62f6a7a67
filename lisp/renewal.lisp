(in-package #:jiti-kernel)

;;; Definitions that were compiled with another one. When that changes, they are evaluated again, in
;;; the live world and in an import alike, so that both behave the same: each is compiled with what
;;; is there in the end, wherever it stands.

(defparameter *compiled-kinds*
  '(:function :macro :method :compiler-macro :class :structure :condition :registration)
  "Kinds of things that hold compiled code.")

(defun read-definition (definition)
  "The form that the text of DEFINITION is."
  (let ((source (make-source (definition-text definition) (definition-package definition))))
    (call-with-source source (lambda () (next-form source)))))

(defun renew (definitions cause &optional (concerned definitions))
  "Evaluate DEFINITIONS again. One of CONCERNED that cannot be is marked: CAUSE, a symbol, has
changed under it. Where it makes a difference for another one, a fresh process will tell."
  (let ((*recording* nil))
    (dolist (definition (in-renewal-order definitions))
      (cond ((orphan definition)) ; REQUIRE-SUPERCLASSES refuses it
            ((and (definition-renewable definition)
                  (equal (definition-provides definition) (definition-makes definition)))
             (let ((form (read-definition definition))
                   (*package* (find-package (definition-package definition))))
               (with-expansions ((form-datum form))
                 (keeping-documents ((definition-provides definition))
                   (handler-bind ((warning #'muffle)) ; it was heard when the text was accepted
                     (with-compilation-unit (:override t :source-plist (list :form form))
                       (evaluate-datum (form-datum form)))))
                 (take-expansions definition form *expansions*))))
            ((loop for (kind) in (definition-provides definition)
                   thereis (member kind *compiled-kinds*))
             (when (member definition concerned)
               (setf (definition-stale definition) cause)))))
    (settle)))

(defun note-copier (thing)
  "If THING is a structure of :TYPE LIST or VECTOR, note that the form under evaluation has defined
its copier again. SBCL takes COPY-LIST or COPY-SEQ itself for that, so no snapshot shows it."
  (let* ((typed (and (eq (first thing) :structure)
                     (sb-int:info :typed-structure :info (second thing))))
         (name (and typed (sb-kernel::dd-copier-name typed))))
    (when (and name (fboundp name))
      (pushnew (list (list :function name) (fdefinition name)) (recording-changed *recording*)
               :key #'first :test #'equal))))

(defun undefine-leftovers ()
  "Undefine what an earlier definition brought along with a structure, class or the like that the
form under evaluation has defined anew without it. Nothing must be compiled with it from here on."
  (mapc #'note-copier (mapcar #'first (recording-changed *recording*)))
  (loop for (thing) in (recording-changed *recording*)
        for definition = (gethash thing *providers*)
        when (and definition (equal thing (definition-main definition)))
          do (dolist (part (definition-provides definition))
               (unless (assoc part (recording-changed *recording*) :test #'equal)
                 (undefine part))))
  (settle))

(defun renew-dependents ()
  "Evaluate again what was compiled with something that the form under evaluation has changed."
  (settle)
  (undefine-leftovers)
  (drop-methods-of-lost-classes (recording-gone *recording*))
  (let* ((changed (mapcar #'first (recording-changed *recording*)))
         (touched (append changed (recording-gone *recording*)))
         (names (append (names-compiled-in touched) (newly-special changed)))
         (others (remove-if (lambda (definition)
                              (intersection (definition-provides definition) touched :test #'equal))
                            *definitions*))
         (concerned (dependents names others (declared-names touched))))
    (when touched
      (renew (union concerned (users-of-functions touched others))
             (or (first names) (thing-symbol (first touched)))
             concerned))))

(defun users-of-functions (things definitions)
  "Those of DEFINITIONS that are compiled with macros that may call what has changed among THINGS,
and those that hold functions that do."
  (let ((callers (callers (loop for thing in things
                                when (member (first thing) '(:function :generic-function))
                                  collect (thing-symbol thing))
                          definitions)))
    (union (dependents (mapcan #'compiled-in-names callers) definitions)
           (remove-if-not #'holds-functions-p callers))))

(defun holds-functions-p (definition)
  "True if DEFINITION keeps the functions themselves that it names, or what they have made."
  (find-if (lambda (kind) (member kind '(:method-combination :hash-table-test)))
           (definition-provides definition) :key #'first))

(defun renew-imported (definitions)
  "DEFINITIONS were evaluated in this order. Evaluate again those compiled with a later one."
  (let ((early (loop for (definition . later) on definitions
                     when (some (lambda (other)
                                  (or (intersection (definition-mentions definition)
                                                    (append (compiled-in-names other)
                                                            (special-names other)))
                                      (declared-p definition (declared-by other))))
                                later)
                       collect definition)))
    (when early
      (renew (union early (dependents (mapcan #'compiled-in-names early) definitions
                                      (mapcan #'declared-by early)))
             (first (definition-mentions (first early)))))))

(defun special-names (definition)
  (loop for (kind name) in (definition-provides definition)
        when (eq kind :variable)
          collect name))
