(in-package #:jiti-kernel)

;;; What the text of a revision does not say and has to come back all the same, as fingerprints: a
;;; process that has imported the revision must have equal ones. So a change of what a function
;;; closes over, of a literal or of a documentation string is noticed, and so is a form that makes
;;; something else when it is evaluated again.

(defun fast-function (method)
  "The function that runs when METHOD is called, not the one that adapts it."
  (let ((inner (find-symbol "%METHOD-FUNCTION-FAST-FUNCTION" "SB-PCL"))
        (function (sb-mop:method-function method)))
    (or (and inner (typep function 'sb-kernel:funcallable-instance)
             (funcall inner function))
        function)))

(defun functions-in (object)
  "The functions in OBJECT, which is one or a list that may hold some."
  (cond ((functionp object) (list object))
        ((consp object) (append (functions-in (car object)) (functions-in (cdr object))))))

(defun thing-functions (thing object)
  "The functions that THING, whose token begins with OBJECT, is made of."
  (remove-if
   (lambda (function) (typep function 'sb-kernel:funcallable-instance))
   (case (first thing)
     ((:function :macro :compiler-macro :type :setf-expander) (functions-in object))
     (:method
      ;; What SBCL makes of a slot's accessor depends on whether it has been used.
      (unless (typep object 'sb-mop:standard-accessor-method)
        (list (fast-function object))))
     ((:class :condition)
      (append (loop for slot in (sb-mop:class-direct-slots object)
                    nconc (functions-in (sb-mop:slot-definition-initfunction slot)))
              (loop for (nil nil function) in (sb-mop:class-direct-default-initargs object)
                    nconc (functions-in function))
              (and (eq (first thing) :condition)
                   (functions-in (sb-kernel::condition-classoid-report
                                  (sb-kernel:find-classoid (second thing))))))))))

(defun loose-fingerprint (visitor)
  "The fingerprint of what VISITOR visits in a walk, NIL if that is nothing."
  (let ((walk (make-walk :loose t)))
    (funcall visitor walk)
    (let ((fingerprint (finish-walk walk)))
      (unless (zerop fingerprint)
        fingerprint))))

(defun closed-over-fingerprint (functions)
  "A fingerprint of what FUNCTIONS close over, NIL if that is nothing."
  (loose-fingerprint
   (lambda (walk)
     (dolist (function functions)
       (when (sb-kernel:closurep function)
         (dolist (value (sb-kernel:%closure-values function))
           (visit walk value)))))))

(defun literals-fingerprint (functions)
  "A fingerprint of the literals in the code of FUNCTIONS, NIL if there are none."
  (loose-fingerprint
   (lambda (walk)
     (dolist (function functions)
       (visit-literals walk function)))))

(defun visit-added-slots (walk metaobject)
  "Visit what the classes of the world or its base have added to METAOBJECT."
  (dolist (class (sb-mop:class-precedence-list (class-of metaobject)))
    (when (world-class-p class)
      (dolist (slot (sb-mop:class-direct-slots class))
        (let ((name (sb-mop:slot-definition-name slot)))
          (visit walk name)
          (when (slot-boundp metaobject name)
            (visit walk (slot-value metaobject name))))))))

(defun added-slots-fingerprint (object)
  "A fingerprint of what metaclasses of the world have added to OBJECT, and to its slots if it is a
class; NIL if that is nothing."
  (loose-fingerprint
   (lambda (walk)
     (dolist (metaobject (cons object (and (typep object 'class)
                                           (sb-mop:class-direct-slots object))))
       (when (world-class-p (class-of metaobject))
         (visit-added-slots walk metaobject))))))

(defun map-aspects (function thing object)
  "Call FUNCTION with each aspect of THING, whose token begins with OBJECT, and its fingerprint."
  (flet ((tell (aspect fingerprint)
           (when fingerprint
             (funcall function aspect fingerprint))))
    (let ((functions (thing-functions thing object))
          (document (document-of thing)))
      (when functions
        (tell :closed-over (closed-over-fingerprint functions))
        (tell :literals (literals-fingerprint functions)))
      (when document
        (tell :documentation (fingerprint document)))
      (when (typep object 'sb-mop:metaobject)
        (tell :added-slots (added-slots-fingerprint object)))
      (case (first thing)
        (:constant
         (tell :value (fingerprint (symbol-value (second thing)))))
        ((:class :structure :condition)
         (when (and (typep object 'class) (not (eq (class-name object) (second thing))))
           (tell :name (fingerprint (class-name object)))))
        ;; What a method is for is found out when its form is evaluated.
        (:method
         (when (find-if #'consp (third (second thing)))
           (tell :shape 1)))
        ((:inline :optimize)
         (tell :shape (fingerprint object)))))))

(defun map-things (function)
  "Call FUNCTION with each thing in the watched packages and the first object of its token."
  (loop for entry being the hash-values of *entries*
        do (loop for (thing object) in (entry-things entry)
                 do (funcall function thing object)))
  (loop for (thing object) in *global-things*
        do (funcall function thing object))
  (loop for key being the hash-keys of *methods* using (hash-value (nil method))
        do (funcall function (list :method key) method)))

(defun map-keyword-definitions (function)
  "Call FUNCTION with each keyword that names a function, a class or a type, which no form is kept
for, and a fingerprint."
  (do-external-symbols (symbol "KEYWORD")
    (when (or (fboundp symbol) (find-class symbol nil) (sb-int:info :type :expander symbol))
      (funcall function symbol 1))))

(defun remember-base-state ()
  "Remember the fingerprints of all state as base code, which has been loaded, has left it. What
differs from here on was changed by the world."
  (clrhash *base-state*)
  (remember-base-places)
  (map-things (lambda (thing object)
                (map-aspects (lambda (aspect fingerprint)
                               (setf (gethash (list aspect thing) *base-state*) fingerprint))
                             thing object)))
  (map-keyword-definitions (lambda (symbol fingerprint)
                             (setf (gethash (list :keyword symbol) *base-state*) fingerprint))))

(defun aspect-text (aspect thing)
  "ASPECT of THING as messages call it."
  (let ((name (thing-text thing)))
    (ecase aspect
      (:closed-over (format nil "what ~A closes over" name))
      (:literals (format nil "a literal in ~A" name))
      (:added-slots (format nil "what slots of its metaclass hold of ~A" name))
      (:documentation (format nil "the documentation of ~A" name))
      (:value (format nil "the value of ~A" name))
      (:name (format nil "the name of the class ~A" name))
      (:shape (format nil "the ~(~A~) ~A" (substitute #\Space #\- (symbol-name (first thing)))
                      name)))))

(defun place-state-text (place)
  (if (symbolp place)
      (format nil "the variable ~A" (world-name place))
      (format nil "~:[a slot that all objects share of~;the property list of~] ~A"
              (eq (first place) 'plist) (world-name (second place)))))

(defun map-definition-state (function)
  "Call FUNCTION with names and fingerprints of what definitions have been made of."
  (let ((walks '())) ; alist from names of packages to walks over what is read there
    (dolist (definition *definitions*)
      (let ((package (definition-package definition)))
        (flet ((tell (control fingerprint)
                 (let ((name (thing-text (first (definition-headline definition)))))
                   (funcall function (format nil control name) fingerprint))))
          (unless (zerop (definition-expansion definition))
            (tell "what macros make of the definition of ~A" (definition-expansion definition)))
          (when (definition-early definition)
            (tell "what LOAD-TIME-VALUE in ~A may read" (definition-early definition)))
          (unless (definition-plain definition)
            (dolist (thing (definition-provides definition))
              (funcall function (aspect-text :shape thing) (shape-fingerprint thing))))
          (cond ((reads-abroad-p definition)
                 (tell "what the text of ~A is read as" (definition-reading definition)))
                (t
                 (unless (assoc package walks :test #'string=)
                   (push (cons package (make-walk)) walks))
                 (mix (rest (assoc package walks :test #'string=))
                      (definition-reading definition)))))))
    (loop for (package . walk) in walks
          do (funcall function (format nil "what the texts in the package ~A are read as" package)
                      (finish-walk walk)))))

(defun reads-abroad-p (definition)
  "True if DEFINITION refers to symbols of another package of the world than the one it is read in."
  (loop for symbol in (definition-mentions definition)
        for home = (symbol-package symbol)
        thereis (and home
                     (string/= (package-name home) (definition-package definition))
                     (managed-package-p home))))

(defun map-state (function begin)
  "Call FUNCTION with the name and the fingerprint of all that must come back the same, and BEGIN
with each thing before it is looked at."
  (dolist (place (changed-places))
    (unless (writable-p (place-value place))
      (funcall function (place-state-text place) (fingerprint (place-value place)))))
  (unless (equal *features* *base-features*)
    (funcall function (place-state-text '*features*) (fingerprint *features*)))
  (map-things
   (lambda (thing object)
     (funcall begin thing)
     (map-aspects (lambda (aspect fingerprint)
                    (unless (and (not (gethash thing *providers*))
                                 (eql fingerprint (gethash (list aspect thing) *base-state*)))
                      (funcall function (aspect-text aspect thing) fingerprint)))
                  thing object)))
  (funcall begin nil)
  (map-keyword-definitions
   (lambda (symbol fingerprint)
     (unless (gethash (list :keyword symbol) *base-state*)
       (funcall function (format nil "the definition of ~A" (world-name symbol)) fingerprint))))
  (map-definition-state function)
  (let ((traced (trace)))
    (when traced
      (funcall function "the list of functions that TRACE follows" (fingerprint traced)))))

(defun fingerprint-text (fingerprint)
  (let ((*print-base* 36) (*print-radix* nil))
    (princ-to-string fingerprint)))

(defun state-rows ()
  "What must come back the same, as a list of (NAME FINGERPRINT), two strings each, by name."
  (let ((rows '()) (thing nil))
    (flet ((add (name fingerprint)
             (push (list name (fingerprint-text fingerprint)) rows)))
      (call-until-condition
       (lambda ()
         (map-state #'add (lambda (next) (setf thing next))))
       (lambda (condition)
         (refuse-revision (if thing (thing-text thing) "")
                          "Code of the world did not let a revision look at it: ~A"
                          (condition-text condition)))
       :heap-limited nil))
    (sort rows #'string< :key #'first)))
