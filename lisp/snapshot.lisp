(in-package #:jiti-kernel)

;;; What is defined, and what of it has changed since the last look. Each thing has a token, a list
;;; of objects of which at least one is another object once the thing is defined again.
;;;
;;; SBCL keeps what it knows of a symbol in one object that it copies to change: where that object
;;; and the symbol's function are the same as before, nothing about the symbol was defined.

(defstruct entry
  "What was last seen of a symbol. THINGS is an alist from things to tokens."
  information function status volatile things (pass 0))

(defvar *entries* (make-hash-table :test 'eq)
  "From symbols of the watched packages to their ENTRY.")
(defvar *global-things* '()
  "An alist like that of an ENTRY: what was last seen of packages and of the compiler's policy.")
(defvar *pass* 0 "Number of the snapshot under way.")

(defun function-things (name)
  "What NAME, a symbol or (SETF symbol), is as the name of a function."
  (let ((things '()))
    (cond ((and (symbolp name) (special-operator-p name)))
          ((and (symbolp name) (macro-function name))
           (push (list (list :macro name) (macro-function name)) things))
          ((fboundp name)
           (let ((function (fdefinition name)))
             (push (if (typep function 'generic-function)
                       (list (list :generic-function name) function (source-stamp function))
                       (list (list :function name) function))
                   things))))
    (when (compiler-macro-function name)
      (push (list (list :compiler-macro name) (compiler-macro-function name)) things))
    (when (sb-int:info :function :inlinep name)
      (push (list (list :inline name) (sb-int:info :function :inlinep name)) things))
    (when (eq (sb-int:info :function :where-from name) :declared)
      (push (list (list :ftype name) (sb-int:info :function :type name)) things))
    things))

(defun variable-things (symbol)
  "What SYMBOL is as the name of a variable."
  (let ((things '()))
    (case (sb-int:info :variable :kind symbol)
      ((:special :global)
       (push (list (list :variable symbol) (sb-int:info :source-location :variable symbol)
                   (sb-int:info :variable :kind symbol))
             things))
      (:constant
       (push (list (list :constant symbol) (sb-int:info :source-location :constant symbol)
                   (symbol-value symbol))
             things))
      (:macro
       (push (list (list :symbol-macro symbol)
                   (sb-int:info :source-location :symbol-macro symbol))
             things)))
    (when (eq (sb-int:info :variable :where-from symbol) :declared)
      (push (list (list :variable-type symbol) (sb-int:info :variable :type symbol)) things))
    things))

(defun class-stamp (kind name class)
  "An object that is another one when the class NAME has been defined again."
  (ecase kind
    (:structure (sb-kernel:find-defstruct-description name))
    (:condition (funcall *condition-source* (sb-kernel:find-classoid name)))
    (:class (source-stamp class))))

(defun type-things (symbol)
  "What SYMBOL is as the name of a type, a place of SETF or a declaration."
  (let ((things '())
        (class (find-class symbol nil)))
    (when class
      (let ((kind (typecase class
                    (structure-class :structure)
                    (standard-class :class)
                    (sb-mop:funcallable-standard-class :class)
                    (t (and (subtypep class 'condition) :condition)))))
        (when kind
          (push (list (list kind symbol) class (class-stamp kind symbol class)) things))))
    (let ((typed (sb-int:info :typed-structure :info symbol)))
      (when typed
        (push (list (list :structure symbol) typed) things)))
    (let ((expander (sb-int:info :type :expander symbol)))
      (when expander
        (push (list (list :type symbol) expander) things)))
    (let ((expander (sb-int:info :setf :expander symbol)))
      (when expander
        (push (list (list :setf-expander symbol) expander) things)))
    (let ((declaration (sb-int:info :declaration :known symbol)))
      (when declaration
        (push (list (list :declaration symbol) declaration) things)))
    things))

(defun symbol-things (symbol status)
  "Everything that SYMBOL names, as an alist from things to tokens."
  (nconc (when (eq status :external)
           (list (list (list :export symbol))))
         (function-things symbol)
         (function-things (list 'setf symbol))
         (variable-things symbol)
         (type-things symbol)))

(defun package-things (package)
  "PACKAGE, and what it uses, is called and shadows."
  (let ((name (package-name package)))
    (append (list (list (list :package name) package))
            (loop for used in (package-use-list package)
                  collect (list (list :use (list name (package-name used)))))
            (loop for nickname in (package-nicknames package)
                  collect (list (list :nickname (list name nickname))))
            (loop for (nickname . actual) in (sb-ext:package-local-nicknames package)
                  collect (list (list :local-nickname (list name nickname)) actual))
            (loop for symbol in (package-shadowing-symbols package)
                  collect (list (list :shadow (list name symbol)))))))

(defun policy-things ()
  "The optimization qualities that have been proclaimed. The compiler keeps them in one object."
  (loop for (quality value) in (funcall *policy-qualities* sb-c::*policy*)
        collect (list (list :optimize quality) value)))

(defun hash-table-test-things ()
  "The tests of hash tables that DEFINE-HASH-TABLE-TEST has made. SBCL keeps them in one list."
  (loop for (name . functions) in sb-impl::*user-hash-table-tests*
        when (member (symbol-package name) (watched-packages))
          collect (list* (list :hash-table-test name) functions)))

(defun method-combination-things ()
  "The method combinations of watched packages. SBCL keeps them in a table."
  (loop with packages = (watched-packages)
        for symbol being the hash-keys of *method-combinations* using (hash-value combination)
        when (member (symbol-package symbol) packages)
          collect (cons (list :method-combination symbol) (combination-stamp combination))))

(defun watched-packages ()
  "The packages in which definitions are noticed: those of the world and those of its base."
  (append (managed-packages) (base-packages)))

(defun token-same-p (before after)
  (and (= (length before) (length after))
       (every #'eql before after)))

(defun note-differences (before after changed gone)
  "Call CHANGED with each thing of AFTER that BEFORE lacks or has another token for, GONE with each
thing of BEFORE that AFTER lacks. Both get the thing and its token."
  (loop for (thing . token) in after
        for old = (assoc thing before :test #'equal)
        unless (and old (token-same-p (rest old) token))
          do (funcall changed thing token))
  (loop for (thing . token) in before
        unless (assoc thing after :test #'equal)
          do (funcall gone thing token)))

(defun look-at-symbol (symbol status changed gone)
  "Tell CHANGED and GONE, as SNAPSHOT does, what became of all that SYMBOL names."
  (let ((entry (gethash symbol *entries*))
        (information (funcall *information* symbol))
        (function (and (fboundp symbol) (symbol-function symbol))))
    (unless entry
      (setf entry (make-entry :information :none)
            (gethash symbol *entries*) entry))
    (setf (entry-pass entry) *pass*)
    (unless (and (eq information (entry-information entry))
                 (eq function (entry-function entry))
                 (eq status (entry-status entry))
                 (not (entry-volatile entry)))
      (let ((things (symbol-things symbol status)))
        (note-differences (entry-things entry) things changed gone)
        (setf (entry-information entry) information
              (entry-function entry) function
              (entry-status entry) status
              (entry-things entry) things
              ;; The function of a SETF name changes without a trace at its symbol.
              (entry-volatile entry) (and (assoc `(:function (setf ,symbol)) things :test #'equal)
                                          t))))))

(defun snapshot (changed gone)
  "Look at everything in the watched packages, and tell what has changed since the last time.

Calls CHANGED with each thing, and its token, that is new or was defined again, then GONE with each
that is no more."
  (incf *pass*)
  (let ((packages (watched-packages)) (looked-at 0) (losses '())
        (things (nconc (policy-things) (hash-table-test-things) (method-combination-things))))
    (flet ((lose (thing token) (push (cons thing token) losses)))
      (dolist (package packages)
        (setf things (nconc (package-things package) things))
        (do-present-symbols (symbol package status)
          (cond ((eq (symbol-package symbol) package)
                 (incf looked-at)
                 (look-at-symbol symbol status changed #'lose))
                (t
                 (push (list (list :import (list (package-name package) symbol))) things)))))
      (note-differences (shiftf *global-things* things) things changed #'lose)
      (when (/= looked-at (hash-table-count *entries*))
        (loop for symbol being the hash-keys of *entries* using (hash-value entry)
              unless (= (entry-pass entry) *pass*)
                do (loop for (thing . token) in (entry-things entry)
                         do (lose thing token))
                   (remhash symbol *entries*)))
      (loop for (thing . token) in losses
            do (funcall gone thing token)))))
