(in-package #:jiti-kernel)

;;; Definitions that were compiled with another one. When that changes, they are evaluated again, in
;;; the live world and in an import alike, so that both behave the same: each is compiled with what
;;; is there in the end, wherever it stands.

(defvar *renewable-kinds*
  '(:function :macro :method :compiler-macro :generic-function :class :structure :condition
    :type :symbol-macro :setf-expander :method-combination :constant
    :inline :ftype :variable-type)
  "Kinds of things that can be defined again without touching data.")

(defvar *compiled-kinds*
  '(:function :macro :method :compiler-macro :class :structure :condition :registration)
  "Kinds of things that hold compiled code.")

(defvar *renewable-operators*
  '(defun defmacro defmethod defgeneric define-compiler-macro defclass defstruct define-condition
    deftype define-symbol-macro defsetf define-setf-expander define-modify-macro defconstant
    define-method-combination declaim))

(defun operator (datum)
  (and (consp datum) (first datum)))

(defun every-form-p (predicate datum &optional local)
  "True if PREDICATE is true of the operator of DATUM, or of that of each form in it if DATUM is a
lexical environment and the like. It gets the names of the local macros, too."
  (flet ((body-p (body &optional (local local))
           (loop for form in body
                 always (or (eq (operator form) 'declare)
                            (every-form-p predicate form local)))))
    (let ((operator (operator datum)))
      (case operator
        (macrolet
         (body-p (cddr datum) (append (mapcar #'operator (second datum)) local)))
        ((let let* flet labels symbol-macrolet eval-when)
         (body-p (cddr datum)))
        ((locally progn)
         (body-p (rest datum)))
        (t
         (and operator
              (symbolp operator)
              (funcall predicate operator local)))))))

(defun plain-form-p (datum)
  "True if DATUM itself says what it defines, whatever data it finds."
  (every-form-p (lambda (operator local)
                  (and (not (member operator local))
                       (or (member operator *renewable-operators*)
                           (member operator '(defvar defparameter defpackage)))
                       t))
                datum))

(defun defining-form-p (datum)
  "True if evaluating DATUM only defines: its forms are defining forms or uses of macros that are not
the standard's."
  (every-form-p (lambda (operator local)
                  (or (member operator *renewable-operators*)
                      (member operator local)
                      (and (macro-function operator)
                           (not (standard-symbol-p operator)))))
                datum))

(defun renewable-p (form things)
  "True if FORM, which defined THINGS, can be evaluated again without touching data."
  (and (loop for (kind) in things always (member kind *renewable-kinds*))
       (defining-form-p (form-datum form))))

(defun changing-symbols (datum)
  "The symbols in DATUM that may come to stand for something else."
  (let ((symbols '()))
    (map-symbols (lambda (symbol)
                   (when (changing-symbol-p symbol)
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

(defun declared-by (definition)
  (declared-names (definition-provides definition)))

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

(defun dependents (names definitions &optional declared)
  "Those of DEFINITIONS that are compiled with one of NAMES, or with what has been declared of
DECLARED, directly or through another one."
  (let ((found '()))
    (loop
      (let ((more (remove-if-not (lambda (definition)
                                   (and (not (member definition found))
                                        (or (intersection (definition-mentions definition) names)
                                            (declared-p definition declared))))
                                 definitions)))
        (when (null more)
          (return found))
        (setf found (append more found)
              names (mapcan #'compiled-in-names more)
              declared (mapcan #'declared-by more))))))

(defun callers (functions definitions)
  "Those of DEFINITIONS that may call FUNCTIONS, symbols, directly or through other functions."
  (let ((names functions) (callers '()))
    (loop
      (let ((more (remove-if-not (lambda (definition)
                                   (and (not (member definition callers))
                                        (intersection (definition-mentions definition) names)))
                                 definitions)))
        (when (null more)
          (return callers))
        (setf callers (append more callers)
              names (loop for definition in more
                          nconc (loop for thing in (definition-provides definition)
                                      when (eq (first thing) :function)
                                        collect (thing-symbol thing))))))))

(defun reached-symbols (symbols definitions)
  "SYMBOLS and those by which DEFINITIONS of them refer to others, and so on."
  (let ((reached symbols) (next symbols) (seen '()))
    (loop
      (let ((more (remove-if (lambda (definition)
                               (or (member definition seen)
                                   (null (intersection next (mapcar #'thing-symbol
                                                                    (definition-makes definition))))))
                             definitions)))
        (when (null more)
          (return reached))
        (setf seen (append more seen)
              next (set-difference (reduce #'union more :key #'definition-mentions) reached)
              reached (append next reached))))))

(defun early-fingerprint (symbols)
  "A fingerprint of the data that code which names SYMBOLS may read now, NIL if that is none. An import
sets data after all definitions: there, code that runs while it is loaded finds the first values."
  (let ((places (and symbols
                     (sort (remove-if-not (lambda (symbol)
                                            (or (eq symbol 'value) (variable-p symbol)))
                                          (reached-symbols symbols *definitions*))
                           #'string<))))
    (when places
      (loose-fingerprint
       (lambda (walk)
         (dolist (place places)
           (visit walk place)
           (visit walk (if (eq place 'value)
                           (hash-table-count (table-data *table*))
                           (global-value place)))))))))

(defun in-renewal-order (definitions)
  "DEFINITIONS so that each comes behind those that it is compiled with."
  (let ((ordered '()) (seen '()))
    (labels ((visit (definition)
               (unless (member definition seen)
                 (push definition seen)
                 (dolist (other definitions)
                   (when (or (intersection (compiled-in-names other)
                                           (definition-mentions definition))
                             (declared-p definition (declared-by other)))
                     (visit other)))
                 (push definition ordered))))
      (mapc #'visit definitions))
    (nreverse ordered)))

(defun read-definition (definition)
  "The form that the text of DEFINITION is."
  (let ((source (make-source (definition-text definition) (definition-package definition))))
    (call-with-source source (lambda () (next-form source)))))

(defun renew (definitions cause &optional (concerned definitions))
  "Evaluate DEFINITIONS again. One of CONCERNED that cannot be is marked: CAUSE, a symbol, has changed
under it. Where it makes a difference for another one, a fresh process will tell."
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

(defun undefine-leftovers ()
  "What belongs to a structure, class or the like goes at once when the form under evaluation has
defined that anew without it: nothing must be compiled with it any more."
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
  "Those of DEFINITIONS that are compiled with macros and method combinations that may call what has
changed among THINGS."
  (let ((callers (callers (loop for thing in things
                                when (member (first thing) '(:function :generic-function))
                                  collect (thing-symbol thing))
                          definitions)))
    (union (dependents (mapcan #'compiled-in-names callers) definitions)
           (remove-if-not #'combination-p callers))))

(defun combination-p (definition)
  (find :method-combination (definition-provides definition) :key #'first))

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
