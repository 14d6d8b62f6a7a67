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

(defconstant +named-exports+ 40
  "How many symbols a package of base code can export that a view names; of more, it names the
package.")

(defun exports (package)
  "The symbols of its own that PACKAGE exports, by name."
  (world-symbols (lambda (symbol)
                   (eq (nth-value 1 (find-symbol (symbol-name symbol) package)) :external))
                 (list package)))

(defun base-things-of (symbol)
  "What base code has defined of SYMBOL that no accepted definition has replaced."
  (loop for (thing) in (append (function-things symbol) (variable-things symbol)
                               (type-things symbol))
        when (and (member (first thing) *observed-base-kinds*)
                  (not (gethash thing *providers*)))
          collect thing))

(defun base-things ()
  "What base code has defined, as far as forms of the world can name it: in managed packages, then
in those of its own."
  (append (mapcan #'base-things-of (world-symbols (constantly t)))
          (loop for package in (base-packages)
                for exports = (exports package)
                nconc (if (<= (length exports) +named-exports+)
                          (mapcan #'base-things-of exports)
                          (list (list :package (package-name package)))))))

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
              repeat +observed-base+
              collect (list (first thing) (thing-text thing) (thing-signature thing)
                            (thing-documentation thing)))
        :data
        (loop for (place . value) in (append (observed-table) (world-entries :data 'observe))
              collect (list place
                            (if (eq value *unbound*)
                                "unbound"
                                (printed value characters))))))
