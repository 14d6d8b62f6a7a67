(in-package #:jiti-kernel)

;;; Methods. They belong to no symbol, and those of a foreign generic function such as PRINT-OBJECT
;;; to no managed name at all, so they are noticed where they are added and removed.

(defvar *method-events* '()
  "What happened to methods since the last look, newest first: lists of generic function,
qualifiers and specializers.")

(defvar *methods* (make-hash-table :test 'equal)
  "From (NAME QUALIFIERS SPECIALIZERS) to (GENERIC-FUNCTION METHOD), for methods seen to be added.")

(defun sbcls-own-p (generic-function)
  "True if SBCL has made GENERIC-FUNCTION for itself, as it does for all slots of one name."
  (let ((name (sb-mop:generic-function-name generic-function)))
    (and (consp name)
         (eq (symbol-package (first name)) (find-package '#:sb-pcl)))))

(defun note-method (generic-function method)
  "Note that METHOD was added to GENERIC-FUNCTION, or removed."
  (unless (sbcls-own-p generic-function)
    (push (list generic-function
                (method-qualifiers method)
                (sb-mop:method-specializers method))
          *method-events*)))

(defmethod add-method :after ((generic-function standard-generic-function) (method standard-method))
  (note-method generic-function method))

(defmethod remove-method :after ((generic-function standard-generic-function)
                                 (method standard-method))
  (note-method generic-function method))

(defun specializer-name (specializer)
  (if (typep specializer 'sb-mop:eql-specializer)
      (list 'eql (sb-mop:eql-specializer-object specializer))
      (or (class-name specializer) specializer)))

(defun look-at-method (generic-function qualifiers specializers changed gone)
  "Tell CHANGED or GONE what became of the method of GENERIC-FUNCTION with QUALIFIERS and
SPECIALIZERS."
  (let* ((name (sb-mop:generic-function-name generic-function))
         (key (list name qualifiers (mapcar #'specializer-name specializers)))
         (thing (list :method key))
         (method (find-method generic-function qualifiers specializers nil))
         (known (gethash key *methods*)))
    (cond ((and method (not (eq method (second known))))
           (setf (gethash key *methods*) (list generic-function method))
           (funcall changed thing (list method)))
          ((and known (null method) (eq generic-function (first known)))
           (remhash key *methods*)
           (funcall gone thing known)))))

(defun look-at-methods (changed gone)
  "Tell CHANGED and GONE, as SNAPSHOT does, what became of methods."
  (loop for (generic-function qualifiers specializers) in (nreverse (shiftf *method-events* '()))
        do (look-at-method generic-function qualifiers specializers changed gone)))

(defun forget-methods (generic-function gone)
  "GENERIC-FUNCTION is no more. Tell GONE of each of its methods."
  (loop for key being the hash-keys of *methods* using (hash-value known)
        when (eq (first known) generic-function)
          do (remhash key *methods*)
             (funcall gone (list :method key) known)))
