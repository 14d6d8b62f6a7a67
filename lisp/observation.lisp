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

(defun observe-world (characters)
  "What the world holds: (:definitions ((KIND NAME PACKAGE TEXT SIGNATURE DOCUMENTATION) ...)
:data ((NAME VALUE) ...)).

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
        :data
        (loop for (place . value) in (append (observed-table) (world-entries :data 'observe))
              collect (list place
                            (if (eq value *unbound*)
                                "unbound"
                                (printed value characters))))))
