(in-package #:jiti-kernel)

;;; How many arguments a restart takes.
;;;
;;; RESTART-CASE hides the lambda list of a clause behind a function that takes anything, unless it
;;; is () or (X). A wrong number of arguments would show only after the stack has been left. So
;;; while code of the world is expanded, such a clause gets an :INTERACTIVE function, which does
;;; what the clause's own did, and whose lambda list carries the numbers.

(defun lambda-list-arity (lambda-list)
  "The least and the greatest number of arguments that LAMBDA-LIST takes; NIL means any number."
  (let* ((keyword (position-if (lambda (item) (member item lambda-list-keywords)) lambda-list))
         (required (or keyword (length lambda-list)))
         (optional (and keyword (eq (nth keyword lambda-list) '&optional)
                        (nthcdr (1+ keyword) lambda-list)))
         (end (or (position-if (lambda (item) (member item lambda-list-keywords)) optional)
                  (length optional))))
    (values required
            (if (intersection '(&rest &key &body) lambda-list)
                nil
                (+ required end)))))

(defun clause-with-arity (clause)
  "The restart clause CLAUSE, with the numbers of arguments in the lambda list of its :INTERACTIVE."
  (handler-case
      (destructuring-bind (name lambda-list &rest body) clause
        (multiple-value-bind (least most) (lambda-list-arity lambda-list)
          (let* ((options (loop for (key value) on body by #'cddr
                                while (member key '(:interactive :report :test))
                                append (list key value)))
                 (interactive (getf options :interactive)))
            (if (null lambda-list)
                clause
                `(,name ,lambda-list
                        :interactive (lambda (&optional (arity '(restart-arity ,least ,most)))
                                       (declare (ignore arity))
                                       ,(and interactive `(funcall (function ,interactive))))
                        ,@(loop for (key value) on options by #'cddr
                                unless (eq key :interactive)
                                  append (list key value))
                        ,@(nthcdr (length options) body))))))
    ;; A malformed clause is the business of RESTART-CASE itself.
    (error () clause)))

(defun expand-with-arities (expander form environment)
  "The macroexpansion hook under which code of the world is compiled."
  (funcall expander
           (if (and (consp form) (eq (first form) 'restart-case) (consp (rest form))
                    (ignore-errors (list-length form)))
               `(restart-case ,(second form) ,@(mapcar #'clause-with-arity (cddr form)))
               form)
           environment))

(defun restart-arity (restart)
  "The least and the greatest number of arguments that RESTART takes; NIL means any number."
  (let* ((interactive (sb-kernel::restart-interactive-function restart))
         (marked (and interactive (find 'restart-arity (function-lambda-list interactive)
                                        :key (lambda (item)
                                               (and (consp item) (consp (second item))
                                                    (consp (second (second item)))
                                                    (first (second (second item)))))))))
    (if marked
        (values-list (rest (second (second marked))))
        (lambda-list-arity (function-lambda-list (sb-kernel::restart-function restart))))))
