(in-package #:jiti-kernel)

;;; What can be told of a form by looking at it: whether it only defines, and whether it says by
;;; itself what it defines.

(defparameter *renewable-kinds*
  '(:function :macro :method :compiler-macro :generic-function :class :structure :condition
    :type :symbol-macro :setf-expander :method-combination :constant
    :inline :ftype :variable-type)
  "Kinds of things that can be defined again without touching data.")

(defparameter *renewable-operators*
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
  "True if evaluating DATUM only defines: its forms are defining forms or uses of macros that are
not the standard's."
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
