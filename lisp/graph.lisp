(in-package #:jiti-kernel)

;;; What can be written down as data, what it holds, and where something stands that cannot be
;;; written.

(defun world-class-p (class)
  "True if CLASS was defined by the world or its base, so that import finds it again."
  (let ((name (class-name class)))
    (and (symbolp name)
         (definable-symbol-p name)
         (named-class-p class))))

(defun function-name (function)
  "The name by which FUNCTION was defined, NIL if that is none of a global function."
  (let* ((name (if (typep function 'generic-function)
                   (sb-mop:generic-function-name function)
                   (nth-value 2 (function-lambda-expression function))))
         (symbol (if (consp name) (second name) name)))
    (and (or (symbolp name) (typep name '(cons (eql setf) (cons symbol null))))
         symbol
         (symbol-package symbol)
         ;; Newer SBCLs make `(lambda ())` a function of their own with a name there.
         (not (eq (symbol-package symbol) (load-time-value (find-package "SB-IMPL"))))
         name)))

(defun function-designation (function)
  "The name under which import finds FUNCTION again, NIL if there is none."
  (let ((name (function-name function)))
    (and name
         (fboundp name)
         (eq (fdefinition name) function)
         (not (and (symbolp name) (macro-function name)))
         name)))

(defun atomic-p (object)
  "True if OBJECT is written by its name or its digits and has no identity of its own."
  (typecase object
    (symbol (symbol-package object))
    ((or number character pathname) t)
    (package (package-name object))
    (function (function-designation object))
    (class (named-class-p object))))

(defun named-class-p (class)
  (eq class (find-class (class-name class) nil)))

(defun bare-symbol-p (symbol)
  "True if SYMBOL has nothing but its name."
  (not (or (boundp symbol) (fboundp symbol) (symbol-plist symbol))))

(defun obstacle (object)
  "Why OBJECT cannot be written down and what to do, NIL if it can."
  (typecase object
    ((or number character cons pathname random-state) nil)
    (array
     (unless (array-element-type object)
       "An array of element type NIL cannot be written down: it can have no elements."))
    (hash-table (table-obstacle object))
    (symbol
     (unless (or (symbol-package object) (bare-symbol-p object))
       (format nil "A symbol of no package that has a value, a function or properties cannot be ~
                    written down. Use one of a package of the world.")))
    (package
     (unless (package-name object)
       "A package that was deleted cannot be written down."))
    (class
     (unless (named-class-p object)
       "A class without a name cannot be written down. Give it one with DEFCLASS."))
    (function
     (unless (function-designation object)
       (function-obstacle object)))
    (stream
     "An open stream cannot be written down. Open it where it is used.")
    (sb-thread:thread
     "A thread cannot be written down. Give the world an adapter that stops and starts it.")
    ((or structure-object standard-object condition)
     (object-obstacle object (class-name (class-of object))))
    (t (format nil "An object of type ~A cannot be written down." (type-of object)))))

(defun function-obstacle (function)
  "As OBSTACLE for a FUNCTION that is not what its name gives."
  (let ((name (function-name function)))
    (if (and name (fboundp name) (not (sb-kernel:closurep function)))
        (format nil "It is an earlier definition of ~A, which has been defined, or compiled, anew ~
                     since. Set it to #'~:*~A again, or keep the name there and call the function ~
                     by that."
                (world-name name))
        (format nil "A closure or a function without a name cannot be written down. Keep the name ~
                     of a function there, or what it can be made from."))))

(defun object-obstacle (object class)
  "As OBSTACLE for an OBJECT with slots, whose class has the name CLASS."
  (cond ((not (world-class-p (class-of object)))
         (format nil "An object of type ~A cannot be written down. Keep what it is made from."
                 class))
        ((not (typep object class))
         (format nil "An object was made before the structure ~A was defined anew, and no longer ~
                      fits it. Make it again or drop it."
                 class))))

(defun slot-names (object)
  "The names of the slots of OBJECT, but for those that a class keeps for all its objects."
  (loop with standardp = (typep object 'standard-object)
        for slot in (sb-mop:class-slots (class-of object))
        unless (and standardp (eq (sb-mop:slot-definition-allocation slot) :class))
          collect (sb-mop:slot-definition-name slot)))

(defun map-parts (function object)
  "Call FUNCTION with each object that OBJECT holds and a list that says where: (:car), (:cdr),
(:element INDEX), (:key KEY), (:value KEY), (:slot NAME), (:displaced-to)."
  (typecase object
    (cons
     (funcall function (car object) :car nil)
     (funcall function (cdr object) :cdr nil))
    (array
     (let ((target (array-displacement object)))
       (cond (target
              (funcall function target :displaced-to nil))
             ((eq (array-element-type object) t)
              (dotimes (index (array-total-size object))
                (funcall function (row-major-aref object index) :element index))))))
    (hash-table
     (loop for key being the hash-keys of object using (hash-value value)
           do (funcall function key :key key)
              (funcall function value :value key)))
    ((or pathname package class function))
    ((or structure-object standard-object condition)
     (dolist (name (slot-names object))
       (when (slot-boundp object name)
         (funcall function (slot-value object name) :slot name))))))

(defun path-to (culprit roots)
  "The way from one of ROOTS, a list of values, to CULPRIT: the position of that root and a list of
steps, each (STEP PLACE) as MAP-PARTS has them."
  (let ((origins (make-hash-table :test 'eq)) (front '()) (next '()))
    (flet ((way (object)
             (let ((steps '()))
               (loop
                 (destructuring-bind (origin step place) (gethash object origins)
                   (when (eq step :root)
                     (return (values place steps)))
                   (push (list step place) steps)
                   (setf object origin)))))
           (note (object origin step place)
             (unless (or (atomic-p object) (gethash object origins))
               (setf (gethash object origins) (list origin step place))
               (push object next))))
      (loop for root in roots
            for position from 0
            do (note root nil :root position))
      (loop while next
            do (setf front (nreverse (shiftf next '())))
               (dolist (object front)
                 (when (eq object culprit)
                   (return-from path-to (way object)))
                 (map-parts (lambda (part step place) (note part object step place)) object))))))

(defun describe-steps (steps)
  "STEPS as text: `hash table key :x -> car`. A run of CDRs and a CAR is the element of a list."
  (let ((words '()) (cdrs 0))
    (loop for ((step place) . more) on steps
          do (case step
               (:cdr (incf cdrs)
                (unless (and more (member (first (first more)) '(:car :cdr)))
                  (push (if (= cdrs 1) "cdr" (format nil "cdr ~D" cdrs)) words)
                  (setf cdrs 0)))
               (:car (push (if (zerop cdrs) "car" (format nil "element ~D" cdrs)) words)
                (setf cdrs 0))
               (:element (push (format nil "element ~D" place) words))
               (:key (push "hash table key" words))
               (:value (push (format nil "hash table key ~A" (short-name place)) words))
               (:slot (push (format nil "slot ~A" (short-name place)) words))
               (:displaced-to (push "what it is displaced to" words))))
    (format nil "~{ -> ~A~}" (nreverse words))))

(defun short-name (object)
  "OBJECT as part of a path: short, whatever it is."
  (typecase object
    ((or symbol number character) (world-name object))
    (string (world-name (if (> (length object) 40) (subseq object 0 40) object)))
    (t (format nil "of type ~(~A~)" (let ((type (type-of object)))
                                      (if (consp type) (first type) type))))))
