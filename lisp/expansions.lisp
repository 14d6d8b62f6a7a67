(in-package #:jiti-kernel)

;;; What macros make of a form while it is compiled. A revision keeps the text of a form alone: what
;;; its macros made of it must come back the same, and what it is compiled with is seen there.

(defstruct (expansions (:constructor make-expansions ()))
  "What was seen of macros while a form was compiled."
  (visible (make-hash-table :test 'eq)) ; conses of the form and of what macros made of it
  (walk (make-walk :loose t)) ; over what macros made that are not the standard's
  (mentions '()) ; symbols that forms may define in what macros made
  (defined '()) ; symbols that visible defining forms name
  (early '())) ; forms of LOAD-TIME-VALUE

(defvar *expansions* nil "What is seen of the form under evaluation, NIL if there is none.")

(defun see (expansions datum)
  "The conses of DATUM stand in the form, or in what macros made of it."
  (let ((visible (expansions-visible expansions)) (waiting (list datum)))
    (flet ((meet (object)
             (cond ((consp object)
                    (unless (gethash object visible)
                      (setf (gethash object visible) t)
                      (push object waiting)))
                   ((sb-int:comma-p object)
                    (push (sb-int:comma-expr object) waiting))
                   ((and object (symbolp object) (definable-symbol-p object))
                    (pushnew object (expansions-mentions expansions))))))
      (loop while waiting
            do (let ((next (pop waiting)))
                 (cond ((consp next)
                        (setf (gethash next visible) t)
                        (when (and (eq (car next) 'load-time-value) (consp (cdr next)))
                          (push (second next) (expansions-early expansions)))
                        (meet (car next))
                        (meet (cdr next)))
                       (t (meet next))))))))

(defun standard-symbol-p (symbol)
  (eq (symbol-package symbol) (load-time-value (find-package "COMMON-LISP"))))

(defun named-in (form)
  "The symbol that FORM, a defining form, names."
  (let ((name (ignore-errors (second form))))
    (cond ((symbolp name) name)
          ((not (consp name)) nil)
          ((eq (first name) 'setf) (ignore-errors (second name)))
          (t (first name)))))

(defun note-expansion (expansions form expansion)
  (let ((operator (and (consp form) (symbolp (first form)) (first form))))
    (when (or (symbolp form) (gethash form (expansions-visible expansions)))
      (see expansions expansion)
      (cond ((null operator))
            ((not (standard-symbol-p operator))
             (unless (sbcls-symbol-p operator)
               (visit (expansions-walk expansions) expansion)))
            ((eql 0 (search "DEF" (symbol-name operator)))
             (pushnew (named-in form) (expansions-defined expansions)))))))

(defun expand-macro (expander form environment)
  "The macroexpansion hook under which code of the world is compiled."
  (let ((expansion (expand-with-arities expander form environment)))
    (when *expansions*
      (note-expansion *expansions* form expansion))
    expansion))

(defmacro with-expansions ((datum) &body body)
  "Run BODY, which evaluates DATUM. *EXPANSIONS* has what is seen of macros meanwhile."
  `(let ((*expansions* (make-expansions))
         (*macroexpand-hook* #'expand-macro))
     (see *expansions* ,datum)
     ,@body))

(defun visit-type (expansions symbol)
  "Take what the type SYMBOL stands for now into the fingerprint, if it is one without arguments."
  (when (sb-int:info :type :expander symbol)
    (visit (expansions-walk expansions)
           (handler-case (sb-ext:typexpand-1 symbol)
             (error () nil)))))

(defun data-read-early (expansions)
  "A symbol by which a form of LOAD-TIME-VALUE reads data of the world, NIL if there is none."
  (map-symbols (lambda (symbol)
                 (when (or (eq symbol 'value)
                           (and (symbol-package symbol)
                                (not (keywordp symbol))
                                (not (standard-symbol-p symbol))
                                (not (sbcls-symbol-p symbol))
                                (variable-p symbol)))
                   (return-from data-read-early symbol)))
               (expansions-early expansions))
  nil)

(defun expansions-fingerprint (expansions)
  "A fingerprint of all that macros of the world and its base have made."
  (finish-walk (expansions-walk expansions)))
