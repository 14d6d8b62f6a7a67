(in-package #:jiti-kernel)

;;; What a view says of a definition without showing its source, and where the source can be had.

(defconstant +signature-characters+ 300)
(defconstant +documentation-characters+ 600)

(defun thing-signature (thing)
  "How THING is called, as in `(area shape &optional (scale 1))`; of a class, its name and slots;
NIL for other things."
  (destructuring-bind (kind name) thing
    (case kind
      ((:function :generic-function)
       (call-text name (and (fboundp name) (fdefinition name))))
      (:macro
       (call-text name (macro-function name)))
      ((:class :structure :condition)
       (let ((class (find-class name nil)))
         (when class
           (printed-plainly (cons name (mapcar #'sb-mop:slot-definition-name
                                               (sb-mop:class-direct-slots class))))))))))

(defun call-text (name function)
  (when (functionp function)
    (printed-plainly (cons name (function-lambda-list function)))))

(defun printed-plainly (datum)
  "DATUM in lower case, as in the reading package."
  (let ((*package* (reading-package)))
    (bounded-text (lambda (stream)
                    (let ((*print-case* :downcase))
                      (prin1 datum stream)))
                  +signature-characters+)))

(defun thing-documentation (thing)
  "The documentation string of THING, cut, or NIL."
  (let ((text (document-of thing)))
    (when (stringp text)
      (subseq text 0 (min (length text) +documentation-characters+)))))

(defun jiti:source (name)
  "The texts of the accepted definitions of the symbol NAME, of whatever kinds, as one string."
  (check-type name symbol)
  (format nil "~{~A~^~2%~}"
          (loop for definition in *definitions*
                when (find name (definition-provides definition) :key #'thing-symbol)
                  collect (definition-text definition))))
