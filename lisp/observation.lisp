(in-package #:jiti-kernel)

;;; The world as a person or a model sees it: definitions with their text, data as printed values.

(defun observe-world (characters)
  "What the world holds: (:definitions ((KIND NAME PACKAGE TEXT) ...) :data ((NAME VALUE) ...)).

A value is printed and cut to CHARACTERS. Run it in a process that is thrown away: printing a value
runs the world's code."
  (ensure-packages)
  (list :definitions
        (loop for definition in (loop for adapter in *adapters*
                                      append (observe adapter :definitions))
              nconc (loop for thing in (definition-headline definition)
                          collect (list (first thing) (thing-text thing)
                                        (definition-package definition)
                                        (definition-text definition))))
        :data
        (loop for (place . value) in (world-entries :data #'observe)
              collect (list place
                            (if (eq value *unbound*)
                                "unbound"
                                (printed value characters))))))
