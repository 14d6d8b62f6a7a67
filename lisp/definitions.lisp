(in-package #:jiti-kernel)

;;; The definitions of the world: the texts that accepted forms left, in an order that loads. What a
;;; form defined is what changed between two snapshots around it.

(defstruct definition
  "The text of a form and what it defines. A thing (:removed THING) says that it takes THING away."
  text
  package ; name of the package in which the text is read
  (line 0) ; where the text stood in what was imported
  main ; the thing that the rest of PROVIDES belongs to, or NIL
  makes ; the things that the text defines when it is evaluated
  provides ; those of them that nothing has replaced or removed
  mentions ; the symbols by which the text refers to others of the world
  renewable ; true if the text can be evaluated again without touching data
  (stale nil) ; what has changed since the text was compiled with it, if that cannot be undone
  (outside '()) ; provided things that no definition form has made
  (states '())) ; alist from provided closures to their CLOSURE-STATE as the form left it

(defvar *definitions* '() "The definitions of the world, in the order in which they are written.")
(defvar *providers* (make-hash-table :test 'equal)
  "From a thing to the DEFINITION that provides it.")
(defvar *base-things* (make-hash-table :test 'equal) "The things that base code has defined.")

(defvar *main-kinds*
  '((defstruct :structure) (defclass :class) (define-condition :condition)
    (defgeneric :generic-function) (defpackage :package))
  "Operators that define one thing and what belongs to it, with the kind of that thing.")

(defun settle-base ()
  "What is defined by now was defined by base code."
  (let ((*recording* nil))
    (settle))
  (clrhash *base-things*)
  (loop for entry being the hash-values of *entries*
        do (loop for (thing) in (entry-things entry)
                 do (setf (gethash thing *base-things*) t)))
  (loop for (thing) in *global-things*
        do (setf (gethash thing *base-things*) t))
  (loop for key being the hash-keys of *methods*
        do (setf (gethash (list :method key) *base-things*) t)))

(defun mentions-p (symbol datum)
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
  "THING is provided anew or no more. Returns the definition that provided it, if any."
  (let ((definition (gethash thing *providers*)))
    (when definition
      (remhash thing *providers*)
      (setf (definition-provides definition)
            (remove thing (definition-provides definition) :test #'equal)))
    definition))

(defun withdraw-main (definition)
  "The main thing of DEFINITION was withdrawn: what else it provides goes too."
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

(defun installed-outside-p (thing function)
  "True if FUNCTION, which THING names, has another name in the image: no DEFUN has made it."
  (not (equal (nth-value 2 (function-lambda-expression function)) (second thing))))

(defun record (recording)
  "Take what the form of RECORDING has changed into the definitions."
  (let* ((form (recording-form recording))
         (changed (recording-changed recording))
         (things (remove-duplicates (mapcar #'first changed) :test #'equal))
         (lost (recording-gone recording))
         (provides (remove-if (lambda (thing) (implicit-p thing things form)) things))
         (replaced (withdraw-all (append lost provides (overridden-removals things))))
         (removals (removals lost things)))
    (setf replaced (union replaced (withdraw-all removals)))
    (when (or provides removals)
      (place-definition (make-provider form changed (append provides removals)) replaced))
    (drop-idle-definitions)
    (when (find :method lost :key #'first)
      (drop-empty-generic-functions))
    ;; What went with a replaced definition was not taken away by the next form.
    (when replaced
      (let ((*recording* nil))
        (settle)))))

(defun make-provider (form changed provides)
  "The definition that FORM has made. CHANGED is an alist from things to tokens."
  (let ((definition (make-definition
                     :text (form-text form) :package (form-package form) :line (form-line form)
                     :main (main-thing form provides) :makes provides :provides provides
                     :mentions (mentioned-symbols (form-datum form) provides)
                     :renewable (renewable-p form provides))))
    (dolist (thing provides definition)
      (setf (gethash thing *providers*) definition)
      (when (eq (first thing) :function)
        (let* ((function (second (assoc thing changed :test #'equal)))
               (state (closure-state function)))
          ;; The copier of a structure that is a list is COPY-LIST.
          (when (and (installed-outside-p thing function)
                     (not (find :structure provides :key #'first)))
            (push thing (definition-outside definition)))
          (when state
            (push (cons thing state) (definition-states definition))))))))

(defun drop-empty-generic-functions ()
  "A generic function that no form defined goes with its last method."
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
