(in-package #:jiti-kernel)

;;; Definitions that were compiled with another one. When that changes, they are evaluated again, so
;;; that the live world behaves as the one that comes back from disk.

(defvar *compiled-in-kinds*
  '(:macro :compiler-macro :symbol-macro :constant :type :structure :setf-expander)
  "Kinds of things that the compiler looks at when it compiles a use of them.")

(defun compiled-in-p (thing)
  (destructuring-bind (kind name) thing
    (or (member kind *compiled-in-kinds*)
        (and (eq kind :function)
             (string= (sb-int:info :function :inlinep name) "INLINE")))))

(defun definitions-below (changed)
  "The definitions that stand below what the form under evaluation replaces by CHANGED, if that
is a thing that others are compiled with. An import compiles them with the new one."
  (rest (member-if (lambda (definition)
                     (let ((provides (definition-provides definition)))
                       (and (some (lambda (thing)
                                    (and (compiled-in-p thing)
                                         (member thing changed :test #'equal)))
                                  provides)
                            (or (member (definition-main definition) changed :test #'equal)
                                (subsetp provides changed :test #'equal)))))
                   *definitions*)))

(defvar *function-kinds* '(:function :macro :method :compiler-macro)
  "Kinds of things that can be defined again without touching what they work on.")

(defun defining-form-p (datum)
  "True if evaluating DATUM only defines functions: it is a defining form, a use of a macro that is
not the standard's, or such forms in a lexical environment."
  (and (consp datum)
       (symbolp (first datum))
       (case (first datum)
         ((defun defmacro defmethod define-compiler-macro) t)
         ((let let* flet labels macrolet symbol-macrolet eval-when)
          (every #'defining-form-p (remove 'declare (cddr datum) :key #'operator)))
         ((locally progn)
          (every #'defining-form-p (remove 'declare (rest datum) :key #'operator)))
         (t (and (macro-function (first datum))
                 (not (eq (symbol-package (first datum))
                          (load-time-value (find-package "COMMON-LISP")))))))))

(defun operator (datum)
  (and (consp datum) (first datum)))

(defun function-like-form (definition)
  "The datum of DEFINITION if evaluating it again only defines functions, macros or methods."
  (when (loop for (kind) in (definition-provides definition)
              always (member kind *function-kinds*))
    (let* ((source (make-source (definition-text definition) (definition-package definition)))
           (form (call-with-source source (lambda () (next-form source)))))
      (and (defining-form-p (form-datum form))
           (form-datum form)))))

(defun renew-dependents ()
  "Evaluate again the functions, macros and methods that an import would compile with what the
form under evaluation has changed. Variables stay as they are."
  (settle)
  (let* ((changed (mapcar #'first (recording-changed *recording*)))
         (below (definitions-below changed))
         (*recording* nil))
    (when below
      (dolist (definition below)
        (let ((datum (function-like-form definition)))
          (when datum
            (let ((*package* (find-package (definition-package definition))))
              (evaluate-datum datum)))))
      (settle))))
