(in-package #:jiti-kernel)

;;; What is compiled with what: which definitions are concerned when another one changes.

(defun changing-symbols (datum)
  "The symbols in DATUM that may come to stand for something else."
  (let ((symbols '()))
    (map-symbols (lambda (symbol)
                   (when (changing-symbol-p symbol)
                     (pushnew symbol symbols)))
                 datum)
    symbols))

(defun compiled-in-names (definition)
  "The symbols that DEFINITION provides and that uses of them are compiled with."
  (names-compiled-in (definition-provides definition)))

(defun names-compiled-in (things)
  "The symbols of THINGS, if one of them is a thing that uses of it are compiled with."
  (and (some #'compiled-in-p things)
       (remove nil (mapcar #'thing-symbol things))))

(defun declared-names (things)
  "The symbols that THINGS say something about which the compiler heeds in the definition itself, T
for all symbols."
  (loop for thing in things
        for (kind) = (thing-made thing)
        when (eq kind :optimize) collect t
        when (member kind '(:ftype :variable-type)) collect (thing-symbol thing)))

(defun declared-by (definition)
  (declared-names (definition-provides definition)))

(defun declared-p (definition names)
  "True if DEFINITION is compiled with what has been declared of NAMES, or T, everything."
  (and names
       (or (member t names)
           (intersection names (definition-mentions definition))
           (intersection names (mapcar #'thing-symbol (definition-makes definition))))))

(defun newly-special (changed)
  "The symbols of CHANGED that have just become variables: bindings of them are special now."
  (loop for (kind name) in changed
        when (and (eq kind :variable)
                  (not (gethash (list kind name) *providers*))
                  (not (gethash (list kind name) *base-things*)))
          collect name))

(defun dependents (names definitions &optional declared)
  "Those of DEFINITIONS that are compiled with one of NAMES, or with what has been declared of
DECLARED, directly or through another one."
  (let ((found '()))
    (loop
      (let ((more (remove-if-not (lambda (definition)
                                   (and (not (member definition found))
                                        (or (intersection (definition-mentions definition) names)
                                            (declared-p definition declared))))
                                 definitions)))
        (when (null more)
          (return found))
        (setf found (append more found)
              names (mapcan #'compiled-in-names more)
              declared (mapcan #'declared-by more))))))

(defun callers (functions definitions)
  "Those of DEFINITIONS that may call FUNCTIONS, symbols, directly or through other functions."
  (let ((names functions) (callers '()))
    (loop
      (let ((more (remove-if-not (lambda (definition)
                                   (and (not (member definition callers))
                                        (intersection (definition-mentions definition) names)))
                                 definitions)))
        (when (null more)
          (return callers))
        (setf callers (append more callers)
              names (loop for definition in more
                          nconc (loop for thing in (definition-provides definition)
                                      when (eq (first thing) :function)
                                        collect (thing-symbol thing))))))))

(defun reached-symbols (symbols definitions)
  "SYMBOLS and those by which DEFINITIONS of them refer to others, and so on."
  (let ((reached symbols) (next symbols) (seen '()))
    (loop
      (let ((more (remove-if-not (lambda (definition)
                                   (and (not (member definition seen))
                                        (loop for thing in (definition-makes definition)
                                              thereis (member (thing-symbol thing) next))))
                                 definitions)))
        (when (null more)
          (return reached))
        (setf seen (append more seen)
              next (set-difference (reduce #'union more :key #'definition-mentions) reached)
              reached (append next reached))))))

(defun early-fingerprint (symbols)
  "A fingerprint of the data that code which names SYMBOLS may read now, NIL if that is none. An
import sets data after all definitions: there, code that runs earlier finds the first values."
  (let ((places (and symbols
                     (sort (remove-if-not (lambda (symbol)
                                            (or (eq symbol 'value) (variable-p symbol)))
                                          (reached-symbols symbols *definitions*))
                           #'string<))))
    (when places
      (loose-fingerprint
       (lambda (walk)
         (dolist (place places)
           (visit walk place)
           (visit walk (if (eq place 'value)
                           (hash-table-count (table-data *table*))
                           (global-value place)))))))))

(defun in-renewal-order (definitions)
  "DEFINITIONS so that each comes behind those that it is compiled with."
  (let ((ordered '()) (seen '()))
    (labels ((visit (definition)
               (unless (member definition seen)
                 (push definition seen)
                 (dolist (other definitions)
                   (when (or (intersection (compiled-in-names other)
                                           (definition-mentions definition))
                             (declared-p definition (declared-by other)))
                     (visit other)))
                 (push definition ordered))))
      (mapc #'visit definitions))
    (nreverse ordered)))
