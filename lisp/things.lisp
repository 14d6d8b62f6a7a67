(in-package #:jiti-kernel)

;;; A thing that can be defined is a list (KIND NAME), compared with EQUAL: (:function f),
;;; (:function (setf f)), (:method (g (:around) (integer t))), (:class c), (:use ("P" "USED")).

(defun thing-text (thing)
  "The name of THING as a person would write it: of a method `area :around (square t)`."
  (destructuring-bind (kind name) thing
    (case kind
      ((:package) name)
      ((:use :nickname :local-nickname :shadow :import)
       (destructuring-bind (package part) name
         (format nil "~A in ~A" (if (stringp part) part (world-name part)) package)))
      (:documentation
       (thing-text name))
      (:registration
       (format nil "~{~A ~A in ~A~}" (mapcar #'world-name name)))
      (:removed
       (format nil "~(~A~) ~A" (first name) (thing-text name)))
      (:method
       (destructuring-bind (function qualifiers specializers) name
         (format nil "~A~{ ~(~S~)~} (~{~A~^ ~})" (world-name function) qualifiers
                 (mapcar #'specializer-text specializers))))
      (t (world-name name)))))

(defun specializer-text (specializer)
  "SPECIALIZER, as in the name of a method, printed. An EQL specializer can be any object."
  (cond ((symbolp specializer) (world-name specializer))
        ((and (consp specializer) (typep (second specializer) '(or symbol number character string)))
         (world-name specializer))
        ((consp specializer) (format nil "(eql ~A)" (printed (second specializer) 100)))
        (t (printed specializer 100))))

(defun thing-symbol (thing)
  "The symbol by which code refers to THING, NIL if it does so by none."
  (destructuring-bind (kind name) thing
    (let ((name (if (eq kind :method) (first name) name)))
      (cond ((symbolp name) name)
            ((and (consp name) (eq (first name) 'setf)) (second name))))))

(defun thing-place (thing)
  "What THING occupies: two things with the same place cannot both be there."
  (destructuring-bind (kind name) thing
    (case kind
      ((:function :macro :generic-function) (list :function name))
      ((:class :structure :condition :type) (list :type name))
      ((:variable :constant :symbol-macro) (list :variable name))
      ;; A method goes with its generic function.
      (:method (list :function (first name)))
      (t thing))))

(defparameter *compiled-in-kinds*
  '(:macro :compiler-macro :symbol-macro :constant :type :structure :setf-expander :inline)
  "Kinds of things that the compiler looks at when it compiles a use of them.")

(defun compiled-in-p (thing)
  "True if a use of THING is compiled with what THING is, not with its name alone."
  (destructuring-bind (kind name) thing
    (or (member kind *compiled-in-kinds*)
        (and (eq kind :function)
             (string= (sb-int:info :function :inlinep name) "INLINE")))))
