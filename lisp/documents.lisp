(in-package #:jiti-kernel)

;;; Documentation strings.

(defvar *documentation-methods* (sb-mop:generic-function-methods #'documentation)
  "The standard's methods of DOCUMENTATION.")

(defun standard-documentation (object type)
  "What the standard's methods of DOCUMENTATION return, whatever methods the world has."
  (if (eq (sb-mop:generic-function-methods #'documentation) *documentation-methods*)
      (documentation object type)
      (let ((method (find-if (lambda (method) (member method *documentation-methods*))
                             (compute-applicable-methods #'documentation (list object type)))))
        (and method
             (funcall (sb-mop:method-function method) (list object type) '())))))

(defun document-of (thing)
  "The documentation string of THING, NIL if it has none."
  (destructuring-bind (kind name) thing
    (ecase kind
      ((:function :macro :generic-function) (standard-documentation name 'function))
      (:compiler-macro (standard-documentation name 'compiler-macro))
      (:method
       (let ((known (gethash name *methods*)))
         (and known (standard-documentation (second known) t))))
      ((:variable :constant :symbol-macro) (standard-documentation name 'variable))
      ((:class :structure :condition :type) (standard-documentation name 'type))
      (:setf-expander (standard-documentation name 'setf))
      (:method-combination (standard-documentation name 'method-combination))
      (:package
       (let ((package (find-package name)))
         (and package (standard-documentation package t))))
      ((:inline :ftype :variable-type :declaration :optimize :export :use :nickname :local-nickname
        :shadow :import :hash-table-test :registration :documentation :removed)
       nil))))

(defun all-documents ()
  "A table from the things in the watched packages to their documentation strings."
  (let ((documents (make-hash-table :test 'equal)))
    (map-things (lambda (thing object)
                  (declare (ignore object))
                  (setf (gethash thing documents) (document-of thing))))
    documents))

(defun note-documents (recording before)
  "Note in RECORDING what documentation its form has set by itself. BEFORE is what there was."
  (maphash (lambda (thing document)
             (unless (or (eq document (gethash thing before))
                         (assoc thing (recording-changed recording) :test #'equal))
               (push (list (list :documentation thing) document) (recording-changed recording))))
           (all-documents)))

(defun set-document (thing document)
  "Give THING, which a form has documented by itself, the string DOCUMENT."
  (destructuring-bind (kind name) thing
    (if (eq kind :method)
        (setf (documentation (second (gethash name *methods*)) t) document)
        (setf (documentation name (ecase kind
                                    ((:function :macro :generic-function) 'function)
                                    (:compiler-macro 'compiler-macro)
                                    ((:variable :constant :symbol-macro) 'variable)
                                    ((:class :structure :condition :type) 'type)
                                    (:setf-expander 'setf)
                                    (:method-combination 'method-combination)))
              document))))

(defmacro keeping-documents ((things) &body body)
  "Run BODY, which defines THINGS again, and let them have what forms of their own have documented."
  (let ((documents (gensym "DOCUMENTS")))
    `(let ((,documents (loop for thing in ,things
                             when (gethash (list :documentation thing) *providers*)
                               collect (cons thing (document-of thing)))))
       (prog1 (progn ,@body)
         (loop for (thing . document) in ,documents
               do (set-document thing document))))))

(defun base-documentation-p (thing document)
  "True if base code has given THING this DOCUMENT, or an equal one."
  (eql (fingerprint document) (gethash (list :documentation thing) *base-state*)))

(defparameter *lasting-documents*
  '((:generic-function function) (:variable variable) (:constant variable) (:class type)
    (:structure type) (:type type))
  "Kinds of things whose documentation outlives a new definition that has none, and what
DOCUMENTATION calls them.")

(defun drop-stale-documents (definition replaced)
  "Let what DEFINITION defines have the documentation that its text gives, and not what is left from
one of REPLACED: a revision would not keep that."
  (loop for (thing . document) in (definition-documents definition)
        for type = (second (assoc (first thing) *lasting-documents*))
        when (and type
                  (loop for other in replaced
                        thereis (eq document (rest (assoc thing (definition-documents other)
                                                          :test #'equal)))))
          do (setf (documentation (second thing) type) nil
                   (definition-documents definition)
                   (remove thing (definition-documents definition) :key #'first :test #'equal))))
