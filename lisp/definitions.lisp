(in-package #:jiti-kernel)

;;; The definitions of the world: the texts that accepted forms left, in an order that loads. What a
;;; form defined is what changed between two snapshots around it.

(defparameter *main-kinds*
  '((defstruct :structure) (defclass :class) (define-condition :condition)
    (defgeneric :generic-function) (defpackage :package))
  "Operators that define one thing and what belongs to it, with the kind of that thing.")

(defun resolve-package-names ()
  "Base code may have made a package under another name than the one world.toml knows it by."
  (setf *opened-packages*
        (remove-duplicates (loop for name in *opened-packages*
                                 for package = (find-package name)
                                 collect (if package (package-name package) name))
                           :test #'string= :from-end t)))

(defun note-base-thing (seen)
  "Remember SEEN, (THING . TOKEN), as base code's."
  (setf (gethash (first seen) *base-things*) seen))

(defun settle-base ()
  "Take all that is defined now for what base code has defined."
  (resolve-package-names)
  (let ((*recording* nil))
    (settle))
  (clrhash *base-things*)
  (loop for entry being the hash-values of *entries*
        do (mapc #'note-base-thing (entry-things entry)))
  (mapc #'note-base-thing *global-things*)
  (loop for key being the hash-keys of *methods* using (hash-value (nil method))
        do (note-base-thing (list (list :method key) method)))
  (remember-base-state))

(defun mentions-p (symbol datum)
  "True if SYMBOL stands in DATUM."
  (map-symbols (lambda (other)
                 (when (eq other symbol)
                   (return-from mentions-p t)))
               datum)
  nil)

(defun implicit-p (thing things form)
  "True if THING is a generic function that is there only because a method among THINGS is."
  (and (eq (first thing) :generic-function)
       (some (lambda (other)
               (and (eq (first other) :method)
                    (equal (first (second other)) (second thing))))
             things)
       (not (mentions-p 'defgeneric (form-datum form)))))

(defun main-thing (form things)
  "The thing among THINGS that the others belong to, given the FORM that defined them, or NIL."
  (let* ((datum (form-datum form))
         (kind (and (consp datum) (second (assoc (first datum) *main-kinds*)))))
    (and kind
         (find-if (lambda (thing)
                    (and (eq (first thing) kind)
                         (equal (second thing) (named-by datum))))
                  things))))

(defun named-by (datum)
  "The name in the defining form DATUM."
  (let ((name (second datum)))
    (cond ((eq (first datum) 'defpackage) (string name))
          ((and (eq (first datum) 'defstruct) (consp name)) (first name))
          (t name))))

(defun undefine (thing)
  "Make THING, a by-product of a definition that is no more, disappear from the image."
  (destructuring-bind (kind name) thing
    (case kind
      (:export
       (when (symbol-package name)
         (unexport name (symbol-package name))))
      (:use
       (destructuring-bind (package used) name
         (when (and (find-package package) (find-package used))
           (unuse-package used package))))
      (:nickname
       (destructuring-bind (name nickname) name
         (let ((package (find-package name)))
           (when package
             (rename-package package name
                             (remove nickname (package-nicknames package) :test #'string=))))))
      (:local-nickname
       (destructuring-bind (package nickname) name
         (when (find-package package)
           (sb-ext:remove-package-local-nickname nickname package))))
      ((:function :generic-function :macro)
       (when (and (fboundp name) (not (gethash thing *base-things*)))
         (fmakunbound name)))
      (:method
       (let ((known (gethash name *methods*)))
         (when known
           (remove-method (first known) (second known)))))
      (:setf-expander
       (sb-int:clear-info :setf :expander name)))))

(defun withdraw (thing)
  "Let no definition provide THING: another one is about to, or it is no more. Returns the
definition that provided it, if any."
  (let ((definition (gethash thing *providers*)))
    (when definition
      (remhash thing *providers*)
      (setf (definition-provides definition)
            (remove thing (definition-provides definition) :test #'equal)))
    definition))

(defun withdraw-main (definition)
  "Withdraw and undefine what DEFINITION provides besides its main thing, which was withdrawn."
  (dolist (part (shiftf (definition-provides definition) '()))
    (remhash part *providers*)
    (undefine part)))

(defun withdraw-all (things)
  "Withdraw THINGS. Returns the definitions that provided some of them."
  (let ((definitions '()))
    (dolist (thing things)
      (let ((definition (withdraw thing)))
        (when definition (pushnew definition definitions))))
    (dolist (definition definitions definitions)
      (when (member (definition-main definition) things :test #'equal)
        (withdraw-main definition)))))

(defparameter *composite-kinds* '(:structure :class :condition)
  "Kinds of things whose definition brings functions and methods along.")

(defun installed-outside-p (thing object expansions provides)
  "True if no definition form in the text has made OBJECT, which THING, one of PROVIDES, names."
  (destructuring-bind (kind name) thing
    (case kind
      ((:function :macro :compiler-macro :generic-function :method)
       (not (or (find-if (lambda (other) (member (first other) *composite-kinds*)) provides)
                (and (member (thing-symbol thing) (expansions-defined expansions))
                     (case kind
                       (:function
                        (equal (nth-value 2 (function-lambda-expression object)) name))
                       ((:macro :compiler-macro)
                        (typep (nth-value 2 (function-lambda-expression object))
                               '(cons (member macro-function compiler-macro))))
                       (t t)))))))))

(defun base-again-p (thing token)
  "True if THING, which has TOKEN, is what base code has left, and no text makes it otherwise."
  (let ((base (gethash thing *base-things*)))
    (and base
         (token-same-p (rest base) token)
         (loop for definition in *definitions*
               never (and (not (idle-p definition))
                          (find thing (definition-makes definition)
                                :key #'thing-made :test #'equal))))))

(defun record (recording)
  "Take what the form of RECORDING has changed into the definitions."
  (let* ((form (recording-form recording))
         (changed (recording-changed recording))
         (things (remove-duplicates (mapcar #'first changed) :test #'equal))
         (lost (recording-gone recording))
         (provides (remove-if (lambda (thing) (implicit-p thing things form)) things))
         (replaced (withdraw-all (append lost provides (overridden-removals things)
                                         (loop for thing in (append lost things)
                                               collect (list :documentation thing)))))
         (removals (removals lost things)))
    (setf replaced (union replaced (withdraw-all removals))
          provides (remove-if (lambda (thing)
                                (base-again-p thing (rest (assoc thing changed :test #'equal))))
                              provides))
    (when (or provides removals)
      (let ((definition (make-provider recording (append provides removals))))
        (drop-stale-documents definition replaced)
        (place-definition definition replaced)))
    (drop-idle-definitions)
    (drop-methods-of-lost-classes lost)
    (when (find :method lost :key #'first)
      (drop-empty-generic-functions))
    ;; What went with a replaced definition was not taken away by the next form.
    (when replaced
      (let ((*recording* nil))
        (settle)))))

(defun make-provider (recording provides)
  "The definition that the form of RECORDING has made."
  (let* ((form (recording-form recording))
         (expansions (recording-expansions recording))
         (definition (make-definition
                      :text (form-text form) :package (form-package form) :line (form-line form)
                      :main (main-thing form provides) :makes provides :provides provides
                      :reading (fingerprint (form-datum form))
                      :conditional (conditional-p (form-text form))
                      :plain (plain-form-p (form-datum form))
                      :renewable (renewable-p form provides))))
    (take-expansions definition form expansions)
    (dolist (thing provides definition)
      (setf (gethash thing *providers*) definition)
      (let ((object (second (assoc thing (recording-changed recording) :test #'equal)))
            (document (document-of thing)))
        (when (eq (first thing) :documentation)
          (push (cons (second thing) object) (definition-documents definition)))
        (when (installed-outside-p thing object expansions provides)
          (push thing (definition-outside definition)))
        (when (and document (not (base-documentation-p thing document)))
          (push (cons thing document) (definition-documents definition)))))))

(defun take-expansions (definition form expansions)
  "Note in DEFINITION what it was compiled with: what its FORM mentions, and what EXPANSIONS, seen
while that was compiled, show of macros and types."
  (setf (definition-mentions definition)
        (set-difference (union (changing-symbols (form-datum form))
                               (expansions-mentions expansions))
                        (mapcar #'thing-symbol (definition-makes definition)))
        (definition-homes definition) (mapcar #'symbol-package (definition-mentions definition))
        (definition-early definition) (early-fingerprint (early-symbols expansions)))
  (visit-types expansions (definition-mentions definition))
  (setf (definition-expansion definition) (expansions-fingerprint expansions)))

(defun conditional-p (text)
  "True if what is read of TEXT may depend on *FEATURES*."
  (or (search "#+" text) (search "#-" text)))

(defun lost-class-p (name)
  "True if methods for the class NAME are for no class that an import could make."
  (let ((class (and (symbolp name) (find-class name nil))))
    (or (null class)
        (and (typep class 'sb-mop:forward-referenced-class)
             (notany #'named-class-p (sb-mop:class-direct-subclasses class))))))

(defun orphan (definition)
  "A class of DEFINITION that is defined on one that is no more, as a thing, and that other class."
  (loop for thing in (definition-provides definition)
        for class = (and (member (first thing) '(:class :condition :structure))
                         (find-class (second thing) nil))
        for lost = (and class
                        (find-if-not #'named-class-p (sb-mop:class-direct-superclasses class)))
        when lost
          return (values thing lost)))

(defun drop-methods-of-lost-classes (lost)
  "Remove the methods for classes among LOST, things that are no more."
  (when (find-if (lambda (thing) (member (first thing) '(:class :structure :condition))) lost)
    (drop-lost-methods)))

(defun drop-lost-methods ()
  "Remove the methods that are for a class which its name no longer means."
  (let ((lost '()))
    (loop for key being the hash-keys of *methods* using (hash-value known)
          when (loop for specializer in (third key)
                     for class in (sb-mop:method-specializers (second known))
                     thereis (and (symbolp specializer)
                                  (or (lost-class-p specializer)
                                      (not (eq class (find-class specializer nil))))))
            do (push (list :method key) lost))
    (when lost
      (mapc #'undefine lost)
      (withdraw-all lost)
      (drop-idle-definitions)
      (let ((*recording* nil))
        (settle))
      (drop-empty-generic-functions))))

(defun drop-empty-generic-functions ()
  "Remove the generic functions without methods that no form and no base code defined: each was made
by its first method."
  (loop for entry being the hash-values of *entries*
        do (loop for (thing function) in (entry-things entry)
                 when (and (eq (first thing) :generic-function)
                           (null (sb-mop:generic-function-methods function))
                           (not (gethash thing *providers*))
                           (not (gethash thing *base-things*)))
                   do (fmakunbound (second thing)))))

(defun definition-headline (definition)
  "The things that a person would say DEFINITION defines: not what its main thing brings along."
  (let ((main (definition-main definition)))
    (if (member main (definition-provides definition) :test #'equal)
        (list main)
        (sort (copy-list (definition-provides definition)) #'string< :key #'thing-text))))
