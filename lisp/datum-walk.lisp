(in-package #:jiti-kernel)

;;; A walk through a datum that was read: a form, or a literal in one.

(defun walk-datum (function datum)
  "Call FUNCTION with each symbol, string and cons of DATUM, which may be circular and deep. Where
FUNCTION returns true for a cons, its CAR is left out."
  (let ((seen (make-hash-table :test 'eq)) (waiting (list datum)))
    (flet ((wait (object)
             (unless (or (null object) (numberp object) (characterp object) (pathnamep object)
                         (gethash object seen))
               (when (typep object '(or cons array structure-object))
                 (setf (gethash object seen) t))
               (push object waiting))))
      (loop while waiting
            do (let ((object (pop waiting)))
                 (typecase object
                   (symbol (when object (funcall function object)))
                   (string (funcall function object))
                   (cons (unless (funcall function object)
                           (wait (car object)))
                         (wait (cdr object)))
                   (array (when (eq t (array-element-type object))
                            (dotimes (index (array-total-size object))
                              (wait (row-major-aref object index)))))
                   (structure-object
                    (if (sb-int:comma-p object) ; what SBCL's reader makes of a comma
                        (wait (sb-int:comma-expr object))
                        (walk-structure #'wait object)))))))))

(defun walk-structure (function structure)
  "Call FUNCTION with the name of the type of STRUCTURE, which was read as #S, and its slots."
  (funcall function (type-of structure))
  (dolist (slot (sb-mop:class-slots (class-of structure)))
    (funcall function (slot-value structure (sb-mop:slot-definition-name slot)))))

(defun map-symbols (function datum)
  "Call FUNCTION with each symbol of DATUM, which may be circular and deep."
  (walk-datum (lambda (part)
               (when (symbolp part) (funcall function part))
               nil)
             datum))
