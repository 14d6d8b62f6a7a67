(in-package #:jiti-kernel)

;;; The order of the definitions. A definition takes the place of the one that it replaces, unless
;;; an import would then end with something else than what is there now.

(defun thing-made (thing)
  "The thing of which THING, which may be (:removed THING), decides whether it is there."
  (if (eq (first thing) :removed) (second thing) thing))

(defun undoes-p (made thing)
  "True if making MADE after THING leaves something else in the place of THING."
  (let ((made (thing-made made)) (thing (thing-made thing)))
    (if (or (and (eq (first made) :method) (member (first thing) '(:method :generic-function)))
            (and (eq (first thing) :method) (eq (first made) :generic-function)))
        (equal made thing)
        (equal (thing-place made) (thing-place thing)))))

(defun place-definition (definition replaced)
  "Put DEFINITION in the place of the first of REPLACED that provides nothing any more, else last.

It comes last too if a text below that place would undo it, or if it would then be compiled before
something that is compiled in, and cannot be renewed."
  (flet ((hinders-p (other)
           (and (not (idle-p other))
                (or (some (lambda (made)
                            (some (lambda (thing) (undoes-p made thing))
                                  (definition-makes definition)))
                          (definition-makes other))
                    (and (not (definition-renewable definition))
                         (intersection (compiled-in-names other)
                                       (definition-mentions definition)))))))
    (let ((below (member-if (lambda (other) (and (member other replaced) (idle-p other)))
                            *definitions*)))
      (setf *definitions*
            (if (and below (notany #'hinders-p below))
                (substitute definition (first below) *definitions*)
                (append *definitions* (list definition)))))))

(defun idle-p (definition)
  (null (definition-provides definition)))

(defun removal (thing)
  "The thing that says that THING is taken away. For a function it is the same whatever its kind."
  (list :removed (if (member (first thing) '(:macro :generic-function))
                     (thing-place thing)
                     thing)))

(defun removals (lost things)
  "The removals that a form makes after which those in LOST are no more and THINGS are there."
  (loop with places = (mapcar #'thing-place things)
        for thing in lost
        when (and (comes-back-p thing *definitions*)
                  (not (member (thing-place thing) places :test #'equal)))
          collect (removal thing)))

(defun overridden-removals (things)
  "The removals that an import can do without once THINGS are there. A generic function is not among
them: it does not take the place of an ordinary function by itself."
  (loop for thing in things
        unless (eq (first thing) :generic-function)
          collect (removal thing)))

(defun comes-back-p (thing definitions)
  "True if an import would put something in the place of THING, which is no more: base code, or the
text of one of DEFINITIONS that is kept for something else."
  (flet ((there-p (made)
           (if (eq (first thing) :method)
               (equal made thing)
               (equal (thing-place made) (thing-place thing)))))
    (or (base-thing-p thing)
        (some (lambda (definition)
                (and (not (idle-p definition))
                     (some #'there-p (definition-makes definition))))
              definitions))))

(defun base-thing-p (thing)
  "True if base code has put something in the place of THING."
  (loop for kind in (if (member (first thing) '(:function :macro :generic-function))
                        '(:function :macro :generic-function)
                        (list (first thing)))
        thereis (gethash (list kind (second thing)) *base-things*)))

(defun drop-idle-definitions ()
  "Drop what provides nothing any more, and then the removals of what nothing above brings back."
  (setf *definitions* (remove-if #'idle-p *definitions*))
  (let ((needless (mapcan #'needless-removals *definitions*)))
    (when needless
      (withdraw-all needless)
      (drop-idle-definitions))))

(defun needless-removals (definition)
  "The removals that DEFINITION provides of what no text above it, and no base code, brings back."
  (when (find :removed (definition-provides definition) :key #'first)
    (let ((above (ldiff *definitions* (member definition *definitions*))))
      (remove-if-not (lambda (thing)
                       (and (eq (first thing) :removed)
                            (not (comes-back-p (second thing) above))))
                     (definition-provides definition)))))
