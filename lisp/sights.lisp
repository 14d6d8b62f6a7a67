(in-package #:jiti-kernel)

;;; What a check saw: the values of the forms in it, so that one that fails says more than false.
;;;
;;; The form that decides is rewritten so that the values in it are noted as they come:
;;; - calls of functions of COMMON-LISP are looked into, as are AND, OR, IF, PROGN, LET and LET*;
;;; - any other call, and any variable, is noted with its value;
;;; - a call of COMMON-LISP in which nothing is noted is noted itself, unless it is a constant or
;;;   puts constants together;
;;; - where an AND fails, only what the last part that was tried noted counts.
;;; Each form is evaluated once, in the order in which it stands.

(defconstant +sight-count+ 5 "How many values a check shows.")
(defconstant +sight-characters+ 200 "How long each form and each value can be.")

(defvar *sights* '() "What was noted, newest first: (FORM . VALUE).")
(defvar *settled* '() "The tail of *SIGHTS* from before the part of an AND that was tried last.")

(defun note (form value)
  (push (cons form value) *sights*)
  value)

(defun noting (form)
  `(note ',form ,form))

(defun standard-function-p (name)
  (and (symbolp name)
       (eq (symbol-package name) (find-package '#:common-lisp))
       (fboundp name)
       (not (macro-function name))
       (not (special-operator-p name))))

(defun rewrite-last (forms)
  "FORMS of a body with notes in the last one, whose value is that of the body."
  (append (butlast forms) (mapcar #'rewrite (last forms))))

(defun rewrite-call (form)
  "FORM, a call of a function of COMMON-LISP, with notes."
  (let ((arguments (mapcar #'rewrite (rest form))))
    (cond ((notevery #'eq arguments (rest form)) (cons (first form) arguments))
          ((and (member (first form) '(list list* cons vector)) (every #'constantp arguments)) form)
          (t (noting form)))))

(defun rewrite (form)
  "FORM with notes of what is seen in it; FORM itself where there is nothing to see."
  (if (constantp form)
      form
      (destructuring-bind (&optional operator &rest rest)
          (and (consp form) (ignore-errors (list-length form)) form)
        (case operator
          ((function lambda declare) form)
          (and `(and ,@(loop for part in rest
                             collect `(progn (setq *settled* *sights*) ,(rewrite part)))))
          ((or if) `(,operator ,@(mapcar #'rewrite rest)))
          (progn `(progn ,@(rewrite-last rest)))
          ((let let*) `(,operator ,(first rest) ,@(rewrite-last (rest rest))))
          (t (if (standard-function-p operator)
                 (rewrite-call form)
                 (noting form)))))))

(defvar *written* '()
  "The text of the check that runs, and where the lists in it stand: (TEXT . PLACES).")

(defun written-text (form)
  "FORM as it stands in the text of the check, NIL where it does not or has a comment in it."
  (destructuring-bind (&optional text . places) *written*
    (let ((place (and places (gethash form places))))
      (when place
        (let ((written (subseq text (car place) (cdr place))))
          (cond ((find #\; written) nil)
                ((<= (length written) +sight-characters+) written)
                (t (concatenate 'string (subseq written 0 (1- +sight-characters+)) "…"))))))))

(defun form-line-text (form)
  "FORM on one line: as it was written, else as a person writes it, lower case, 'X for (QUOTE X)."
  (one-line (or (written-text form)
                (bounded-text (lambda (stream)
                                (let ((*print-case* :downcase)
                                      (*print-pretty* t)
                                      (*print-right-margin* 10000))
                                  (prin1 form stream)))
                              +sight-characters+)
                (unprintable form))))

(defun seen-text (sight)
  (destructuring-bind (form . value) sight
    (format nil "~A => ~A" (form-line-text form) (printed value +sight-characters+))))

(defun sights-text (sights)
  "SIGHTS, newest first, as text: the oldest of them, in order."
  (let ((texts (loop for sight in (reverse sights)
                     repeat +sight-count+ collect (seen-text sight))))
    (format nil "~{~A~^; ~}" (remove-duplicates texts :test #'string= :from-end t))))

(defun failure-text ()
  "What was seen by a check that returned false."
  (let ((sights (ldiff *sights* *settled*)))
    (if sights (sights-text sights) "It returned NIL.")))
