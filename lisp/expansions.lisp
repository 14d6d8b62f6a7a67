(in-package #:jiti-kernel)

;;; What macros make of a form while it is compiled. A revision keeps the text of a form alone: what
;;; its macros made of it must come back the same, and what it is compiled with is seen there.

(defstruct (expansions (:constructor make-expansions ()))
  "What was seen of macros while a form was compiled."
  (visible (make-hash-table :test 'eq)) ; conses of the form and of what macros made of it
  (walk (make-walk :loose t)) ; over what macros made that are not the standard's
  (mentions '()) ; symbols that forms may define in what macros made
  (defined '()) ; symbols that visible defining forms name
  (calls '()) ; visible lists that begin with a symbol that forms may define
  (early '())) ; forms of LOAD-TIME-VALUE

(defvar *expansions* nil "What is seen of the form under evaluation, NIL if there is none.")

(defun changing-symbol-p (symbol)
  "True if what SYMBOL stands for may change: forms of the world may define it, or it reads data."
  (or (eq symbol 'value)
      (definable-symbol-p symbol)))

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
                   ((and object (symbolp object) (changing-symbol-p object))
                    (pushnew object (expansions-mentions expansions))))))
      (loop while waiting
            do (let ((next (pop waiting)))
                 (cond ((consp next)
                        (setf (gethash next visible) t)
                        (note-operator expansions next)
                        (meet (car next))
                        (meet (cdr next)))
                       (t (meet next))))))))

(defun note-operator (expansions form)
  "FORM, a visible cons, may be one whose value is found while it is compiled."
  (let ((operator (car form)))
    (cond ((not (and operator (symbolp operator))))
          ((eq operator 'load-time-value)
           (when (consp (cdr form))
             (push (second form) (expansions-early expansions))))
          ((definable-symbol-p operator)
           (push form (expansions-calls expansions))))))

(defun named-in (form)
  "The symbol that FORM, a defining form, names."
  (let ((name (ignore-errors (second form))))
    (cond ((symbolp name) name)
          ((not (consp name)) nil)
          ((eq (first name) 'setf) (ignore-errors (second name)))
          (t (first name)))))

(defun expanded-place-p (form)
  "True if FORM is a place for which the world, or its base, has an expander of SETF."
  (let ((operator (and (consp form) (car form))))
    (and operator
         (symbolp operator)
         (not (standard-symbol-p operator))
         (sb-int:info :setf :expander operator))))

(defun note-expansion (expansions form expansion)
  "Note in EXPANSIONS that FORM has expanded to EXPANSION. That counts if FORM stands in the text,
or in what its macros made; not if the compiler has made FORM up."
  (let ((operator (and (consp form) (symbolp (first form)) (first form))))
    (when (or (symbolp form) (gethash form (expansions-visible expansions)))
      (see expansions expansion)
      (cond ((null operator))
            ((not (or (standard-symbol-p operator) (sbcls-symbol-p operator)))
             (visit (expansions-walk expansions) expansion))
            ((starts-with-p "DEF" (symbol-name operator))
             (pushnew (named-in form) (expansions-defined expansions)))
            ((loop for (part) on (rest form) thereis (expanded-place-p part))
             (visit (expansions-walk expansions) expansion))))))

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

(defun visit-types (expansions symbols)
  "Take what types stand for now into the fingerprint: those of SYMBOLS that need no arguments, and
those that were seen with arguments."
  (flet ((type-p (object)
           (sb-int:info :type :expander (if (consp object) (car object) object))))
    (dolist (type (remove-if-not #'type-p (append (reverse (expansions-calls expansions)) symbols)))
      (multiple-value-bind (expansion known)
          (call-until-condition (lambda () (sb-ext:typexpand-1 type)) (constantly nil))
        (when known
          (visit (expansions-walk expansions) expansion))))))

(defun early-symbols (expansions)
  "The symbols by which forms of LOAD-TIME-VALUE call functions or read data."
  (let ((symbols '()))
    (map-symbols (lambda (symbol)
                   (unless (or (null (symbol-package symbol)) (keywordp symbol)
                               (standard-symbol-p symbol) (sbcls-symbol-p symbol))
                     (pushnew symbol symbols)))
                 (expansions-early expansions))
    symbols))

(defun expansions-fingerprint (expansions)
  "A fingerprint of all that macros of the world and its base have made."
  (finish-walk (expansions-walk expansions)))
