(in-package #:jiti-kernel)

;;; The definitions of the world: the texts that accepted forms left, in an order that loads. What a
;;; form defined is what changed between two snapshots around it.

(defstruct definition
  "The text of a form and the things that it still provides."
  text
  package ; name of the package in which the text is read
  main ; the thing that the rest of PROVIDES belongs to, or NIL
  provides
  (outside '())) ; provided things that no definition form has made

(defvar *definitions* '() "The definitions of the world, in the order in which they are written.")
(defvar *providers* (make-hash-table :test 'equal) "From a thing to the DEFINITION that provides it.")
(defvar *base-things* (make-hash-table :test 'equal) "The things that base code has defined.")

(defstruct recording
  "A form under evaluation and what it has changed so far."
  form
  (changed '()) ; alist from things to tokens
  (gone '()))

(defvar *recording* nil "The innermost form under evaluation, NIL if there is none.")

(defvar *main-kinds*
  '((defstruct :structure) (defclass :class) (define-condition :condition)
    (defgeneric :generic-function) (defpackage :package))
  "Operators that define one thing and what belongs to it, with the kind of that thing.")

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

(defun settle-base ()
  "What is defined by now was defined by base code."
  (let ((*recording* nil))
    (settle))
  (clrhash *base-things*)
  (loop for entry being the hash-values of *entries*
        do (loop for (thing) in (entry-things entry)
                 do (setf (gethash thing *base-things*) t)))
  (loop for (thing) in *package-things*
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
            (remove thing (definition-provides definition) :test #'equal)
            (definition-outside definition)
            (remove thing (definition-outside definition) :test #'equal))
      (when (equal thing (definition-main definition))
        (dolist (part (shiftf (definition-provides definition) '()))
          (remhash part *providers*)
          (undefine part))))
    definition))

(defun place-definition (definition replaced)
  "Put DEFINITION in the place of the first of REPLACED that provides nothing any more, else last."
  (let* ((idle (remove-if #'definition-provides replaced))
         (first (find-if (lambda (other) (member other idle)) *definitions*)))
    (setf *definitions*
          (if first
              (substitute definition first *definitions*)
              (append *definitions* (list definition))))
    (setf *definitions* (set-difference-in-order *definitions* idle))))

(defun set-difference-in-order (list others)
  (if others
      (remove-if (lambda (element) (member element others)) list)
      list))

(defun installed-outside-p (thing token)
  "True if THING is a function whose name in the image is not THING's: no DEFUN has made it."
  (and (eq (first thing) :function)
       (not (equal (nth-value 2 (function-lambda-expression (first token))) (second thing)))))

(defun record (recording)
  "Take what the form of RECORDING has changed into the definitions."
  (let* ((form (recording-form recording))
         (changed (recording-changed recording))
         (things (remove-duplicates (mapcar #'first changed) :test #'equal))
         (lost (recording-gone recording))
         (provides (append (remove-if (lambda (thing) (implicit-p thing things form)) things)
                           ;; Base code would bring it back: the form that took it away stays.
                           (loop for thing in lost
                                 when (gethash thing *base-things*)
                                   collect (list :removed thing)))))
    (let ((replaced (remove nil (mapcar #'withdraw (append lost provides)))))
      (dolist (thing things)
        (let ((removal (withdraw (list :removed thing))))
          (when removal (push removal replaced))))
      (cond (provides
             (let ((definition (make-definition
                                :text (form-text form)
                                :package (form-package form)
                                :main (main-thing form provides)
                                :provides provides
                                :outside (loop for (thing . token) in changed
                                               when (installed-outside-p thing token)
                                                 collect thing))))
               (dolist (thing provides)
                 (setf (gethash thing *providers*) definition))
               (place-definition definition replaced)))
            (t
             (setf *definitions*
                   (set-difference-in-order *definitions*
                                            (remove-if #'definition-provides replaced)))))
      (when (or replaced lost)
        (drop-empty-generic-functions)))))

(defun drop-empty-generic-functions ()
  "A generic function that no form defined goes with its last method."
  (let ((dropped nil))
    (loop for entry being the hash-values of *entries*
          do (loop for (thing function) in (entry-things entry)
                   when (and (eq (first thing) :generic-function)
                             (null (sb-mop:generic-function-methods function))
                             (not (gethash thing *providers*))
                             (not (gethash thing *base-things*)))
                     do (fmakunbound (second thing))
                        (setf dropped t)))
    (when dropped
      (let ((*recording* nil))
        (settle)))))

(defun definition-headline (definition)
  "The things that a person would say DEFINITION defines: not what its main thing brings along."
  (let ((main (definition-main definition)))
    (if (member main (definition-provides definition) :test #'equal)
        (list main)
        (sort (copy-list (definition-provides definition)) #'string< :key #'thing-text))))

(defun forget-package (name)
  "Let the next snapshot see anew what belongs to the package NAME itself."
  (setf *package-things*
        (remove name *package-things*
                :test (lambda (name thing)
                        (equal name (if (consp (second thing)) (first (second thing)) (second thing))))
                :key #'first))
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
