(in-package #:jiti-kernel)

;;; The definitions of a world as a text.

(defparameter *definitions-header*
  ";;; The definitions of this world, in the order in which they load. JITI wrote this file, and
;;; a seal protects it: change the world, not the file.
"
  "How a text of definitions begins.")

(defun export-definitions (stream)
  "Write the definitions of the world to STREAM as Lisp source.

Returns a list of (KIND NAME START END): what is defined, and the bounds of its text in characters.
Signals NOT-RECONSTRUCTIBLE when what the world does not manage was defined anew."
  (ensure-packages)
  (require-standard-functions)
  (let ((position 0) (package nil) (index '()))
    (flet ((put (text)
             (write-string text stream)
             (incf position (length text))))
      (put *definitions-header*)
      (dolist (form (feature-forms))
        (put (format nil "~%~A~%" (world-name form))))
      (dolist (definition (mapcan (lambda (adapter)
                                    (copy-list (call-reader 'export-world adapter :definitions)))
                                  *adapters*))
        (unless (equal package (definition-package definition))
          (setf package (definition-package definition))
          (put (format nil "~%(in-package ~A)~%" (world-name (make-symbol package)))))
        (put (string #\Newline))
        (let ((start position))
          (put (definition-text definition))
          (dolist (thing (definition-headline definition))
            (push (list (first thing) (thing-text thing) start position) index)))
        (put (string #\Newline))))
    (nreverse index)))
