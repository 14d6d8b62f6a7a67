(in-package #:jiti-kernel)

;;; A world as two texts, its definitions and its data, and the world that comes of them.

(defvar *definitions-header*
  ";;; The definitions of this world, in the order in which they load. JITI wrote this file, and
;;; a seal protects it: change the world, not the file.
"
  "How a text of definitions begins.")

(defvar *data-header*
  ";;; The data of this world: places and their values. JITI wrote this file, and a seal protects
;;; it: change the world, not the file.
"
  "How a text of data begins.")

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
      (dolist (definition (mapcan (lambda (adapter)
                                    (copy-list (export-world adapter :definitions)))
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

(defun world-entries (part reader)
  "What the adapters have of PART, as (TEXT-OF-PLACE . VALUE). READER is OBSERVE or EXPORT-WORLD."
  (loop for adapter in *adapters*
        nconc (loop for (place . value) in (funcall reader adapter part)
                    collect (cons (place-text adapter place) value))))

(defun place-text (adapter place)
  (cond ((not (typep adapter 'image-adapter))
         (format nil "(adapter ~A ~A)" (world-name (adapter-name adapter)) (world-name place)))
        ((consp place)
         (format nil "(~(~A~) ~A)" (first place) (world-name (second place))))
        (t (world-name place))))

(defun export-data (stream)
  "Write the data of the world to STREAM, one graph of values.

Returns a list of (NAME START END): a place, and the bounds of it and its value in characters.
Signals NOT-RECONSTRUCTIBLE with the way to what cannot be written."
  (ensure-packages)
  (let* ((entries (world-entries :data #'export-world))
         (shared (require-data entries)))
    (with-writer (writer stream shared)
      (write-string *data-header* stream)
      (setf (writer-position writer) (length *data-header*))
      (loop for (place . value) in entries
            for start = (writer-position writer)
            do (emit writer place)
               (emit writer " ")
               (if (eq value *unbound*)
                   (emit writer "#[unbound]")
                   (write-value writer value))
            collect (list place start (writer-position writer))
            do (emit-line-end writer)))))

(defun require-data (entries)
  "The shared objects among ENTRIES, which are (PLACE . VALUE). Signals NOT-RECONSTRUCTIBLE."
  (let ((values (mapcar #'rest entries)))
    (multiple-value-bind (shared culprit) (shared-objects values)
      (when culprit
        (multiple-value-bind (position steps) (path-to culprit values)
          (error 'not-reconstructible
                 :path (format nil "~A~A" (first (nth position entries)) (describe-steps steps))
                 :reason (obstacle culprit))))
      shared)))
