(in-package #:jiti-kernel)

;;; Definitions that were compiled with another one. When that changes, they are evaluated again, in
;;; the live world and in an import alike, so that both behave the same: each is compiled with what
;;; is there in the end, wherever it stands.

(defvar *renewable-kinds*
  '(:function :macro :method :compiler-macro :generic-function :class :structure :condition
    :type :symbol-macro :setf-expander :constant)
  "Kinds of things that can be defined again without touching data.")

(defvar *compiled-kinds*
  '(:function :macro :method :compiler-macro :class :structure :condition)
  "Kinds of things that hold compiled code.")

(defvar *renewable-operators*
  '(defun defmacro defmethod defgeneric define-compiler-macro defclass defstruct define-condition
    deftype define-symbol-macro defsetf define-setf-expander define-modify-macro defconstant))

(defun operator (datum)
  (and (consp datum) (first datum)))

(defun defining-form-p (datum)
  "True if evaluating DATUM only defines: it is a defining form, a use of a macro that is not the
standard's, or such forms in a lexical environment."
  (flet ((body-defines-p (body)
           (every #'defining-form-p (remove 'declare body :key #'operator))))
    (let ((operator (operator datum)))
      (cond ((not (and operator (symbolp operator))) nil)
            ((member operator *renewable-operators*) t)
            ((member operator '(let let* flet labels macrolet symbol-macrolet eval-when))
             (body-defines-p (cddr datum)))
            ((member operator '(locally progn))
             (body-defines-p (rest datum)))
            (t
             (and (macro-function operator)
                  (not (eq (symbol-package operator)
                           (load-time-value (find-package "COMMON-LISP"))))))))))

(defun renewable-p (form things)
  "True if FORM, which defined THINGS, can be evaluated again without touching data."
  (and (loop for (kind) in things always (member kind *renewable-kinds*))
       (defining-form-p (form-datum form))))

(defun definable-symbols (datum)
  "The symbols in DATUM that forms of the world may define."
  (let ((symbols '()))
    (map-symbols (lambda (symbol)
                   (when (definable-symbol-p symbol)
                     (pushnew symbol symbols)))
                 datum)
    symbols))

(defun compiled-in-names (definition)
  "The symbols that DEFINITION provides and that uses of them are compiled with."
  (names-compiled-in (definition-provides definition)))

(defun names-compiled-in (things)
  "The symbols of THINGS, if one of them is a thing that uses of it are compiled with."
  (and (some #'compiled-in-p things)
       (remove nil (mapcar #'thing-symbol things))))

(defun declared-names (things)
  "The symbols that THINGS say something about which the compiler heeds in the definition itself, T
for all symbols."
  (loop for thing in things
        for (kind) = (thing-made thing)
        when (eq kind :optimize) collect t
        when (member kind '(:ftype :variable-type)) collect (thing-symbol thing)))

(defun declared-p (definition names)
  "True if DEFINITION is compiled with what has been declared of NAMES, or T, everything."
  (or (member t names)
      (intersection names (definition-mentions definition))
      (intersection names (mapcar #'thing-symbol (definition-makes definition)))))

(defun newly-special (changed)
  "The symbols of CHANGED that have just become variables: bindings of them are special now."
  (loop for (kind name) in changed
        when (and (eq kind :variable)
                  (not (gethash (list kind name) *providers*))
                  (not (gethash (list kind name) *base-things*)))
          collect name))

(defun dependents (names &optional (definitions *definitions*))
  "Those of DEFINITIONS that are compiled with one of NAMES, directly or through another one."
  (let ((found '()))
    (loop
      (let ((more (remove-if-not (lambda (definition)
                                   (and (not (member definition found))
                                        (intersection (definition-mentions definition) names)))
                                 definitions)))
        (when (null more)
          (return found))
        (setf found (append more found)
              names (mapcan #'compiled-in-names more))))))

(defun macros-that-call (functions definitions)
  "The symbols whose uses are compiled by code of DEFINITIONS that may call FUNCTIONS, or others
that do."
  (let ((names functions) (macros '()) (seen '()))
    (loop
      (let ((more (remove-if-not (lambda (definition)
                                   (and (not (member definition seen))
                                        (intersection (definition-mentions definition) names)))
                                 definitions)))
        (when (null more)
          (return macros))
        (setf seen (append more seen)
              macros (append (mapcan #'compiled-in-names more) macros)
              names (loop for definition in more
                          nconc (loop for thing in (definition-provides definition)
                                      when (eq (first thing) :function)
                                        collect (thing-symbol thing))))))))

(defun in-renewal-order (definitions)
  "DEFINITIONS so that each comes behind those that it is compiled with."
  (let ((ordered '()) (seen '()))
    (labels ((visit (definition)
               (unless (member definition seen)
                 (push definition seen)
                 (dolist (other definitions)
                   (when (intersection (compiled-in-names other) (definition-mentions definition))
                     (visit other)))
                 (push definition ordered))))
      (mapc #'visit definitions))
    (nreverse ordered)))

(defun read-definition (definition)
  "The form that the text of DEFINITION is."
  (let ((source (make-source (definition-text definition) (definition-package definition))))
    (call-with-source source (lambda () (next-form source)))))

(defun renew (definitions &optional cause)
  "Evaluate DEFINITIONS again. One that cannot be is marked if CAUSE, a symbol, has surely changed
under it."
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
             (setf (definition-stale definition) (or cause (definition-stale definition))))))
    (settle)))

(defun renew-dependents ()
  "Evaluate again what was compiled with something that the form under evaluation has changed."
  (settle)
  (drop-methods-of-lost-classes (recording-gone *recording*))
  (let* ((changed (mapcar #'first (recording-changed *recording*)))
         (touched (append changed (recording-gone *recording*)))
         (names (append (names-compiled-in touched) (newly-special changed)))
         (declared (declared-names touched))
         (others (remove-if (lambda (definition)
                              (intersection (definition-provides definition) touched :test #'equal))
                            *definitions*))
         (early (remove-if-not (lambda (definition) (declared-p definition declared)) others)))
    (renew-users-of-functions touched others)
    (when (or names early)
      (renew (union early (dependents (append names (mapcan #'compiled-in-names early)) others))
             (or (first names) (thing-symbol (first touched)))))))

(defun renew-users-of-functions (things definitions)
  "Macros may call what has changed among THINGS: evaluate again those of DEFINITIONS that use them.
Where that makes a difference and cannot be done, a fresh process will tell."
  (let ((macros (macros-that-call (loop for thing in things
                                        when (member (first thing) '(:function :generic-function))
                                          collect (thing-symbol thing))
                                  definitions)))
    (when macros
      (renew (dependents macros definitions)))))

(defun renew-imported (definitions)
  "DEFINITIONS were evaluated in this order. Evaluate again those compiled with a later one."
  (let ((early (loop for (definition . later) on definitions
                     when (some (lambda (other)
                                  (or (intersection (definition-mentions definition)
                                                    (append (compiled-in-names other)
                                                            (special-names other)))
                                      (declared-p definition
                                                  (declared-names (definition-provides other)))))
                                later)
                       collect definition)))
    (when early
      (renew (union early (dependents (mapcan #'compiled-in-names early) definitions))
             (first (definition-mentions (first early)))))))

(defun special-names (definition)
  (loop for (kind name) in (definition-provides definition)
        when (eq kind :variable)
          collect name))
