(in-package #:jiti-kernel)

;;; The world as a person or a model sees it: definitions with their text, data as printed values.

(defconstant +observed-entries+ 1000 "How many entries of the data table a view shows.")

(defun observed-table ()
  "Entries of the data table as (TEXT-OF-PLACE . VALUE), in the order of their keys: at most
+OBSERVED-ENTRIES+, whichever come first."
  (loop for datum in (in-key-order
                      (loop for datum being the hash-values of (table-data *table*)
                            repeat +observed-entries+
                            collect datum))
        collect (cons (entry-text datum) (datum-value datum))))

(defconstant +observed-base+ 300 "How many things of base code a view names.")

(defparameter *observed-base-kinds*
  '(:function :generic-function :macro :class :structure :condition :variable :constant)
  "Kinds of things of base code that a view names.")

(defun base-symbols ()
  "The symbols of the managed packages, then those that packages of base code export."
  (append (world-symbols (constantly t))
          (world-symbols (lambda (symbol)
                           (eq (nth-value 1 (find-symbol (symbol-name symbol)
                                                         (symbol-package symbol)))
                               :external))
                         (base-packages))))

(defun base-things ()
  "What base code has defined and no accepted definition has replaced: at most +OBSERVED-BASE+."
  (loop with count = 0
        for symbol in (base-symbols)
        nconc (loop for (thing) in (append (function-things symbol) (variable-things symbol)
                                           (type-things symbol))
                    while (< count +observed-base+)
                    when (and (member (first thing) *observed-base-kinds*)
                              (not (gethash thing *providers*)))
                      collect thing and do (incf count))
        while (< count +observed-base+)))

(defun observe-world (characters)
  "What the world holds: (:definitions ((KIND NAME PACKAGE TEXT SIGNATURE DOCUMENTATION) ...)
:base ((KIND NAME SIGNATURE DOCUMENTATION) ...) :data ((NAME VALUE) ...)).

A value is printed and cut to CHARACTERS. Run it in a process that is thrown away: printing a value
runs the world's code."
  (ensure-packages)
  (list :definitions
        (loop for definition in (loop for adapter in *adapters*
                                      append (call-reader 'observe adapter :definitions))
              nconc (loop for thing in (definition-headline definition)
                          collect (list (first thing) (thing-text thing)
                                        (definition-package definition)
                                        (definition-text definition)
                                        (thing-signature thing)
                                        (thing-documentation thing))))
        :base
        (loop for thing in (base-things)
              collect (list (first thing) (thing-text thing) (thing-signature thing)
                            (thing-documentation thing)))
        :data
        (loop for (place . value) in (append (observed-table) (world-entries :data 'observe))
              collect (list place
                            (if (eq value *unbound*)
                                "unbound"
                                (printed value characters))))))
