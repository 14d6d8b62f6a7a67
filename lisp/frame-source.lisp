(in-package #:jiti-kernel)

;;; Where a frame stands: the text of the top-level form that its code was compiled from, and the
;;; line. What is evaluated is stamped with its form; SBCL knows the part of that by its number.

(defvar *origins* '()
  "An alist from the forms of this attempt to what they came in: \"proposal\" or \"repair\".")

(defun note-origin (forms origin)
  "Remember that FORMS of this attempt came in ORIGIN, \"proposal\" or \"repair\"."
  (dolist (form forms)
    (push (cons form origin) *origins*)))

(defstruct location
  "A frame's place. LINE counts from 1 in PLACE, NIL where it is not known; TEXT begins at FIRST."
  (place "")
  (line nil)
  (text "")
  (first 1))

(defun frame-source (frame)
  "What SBCL calls the debug source of FRAME's code, NIL if it has none."
  (and (typep (sb-di:frame-debug-fun frame) 'sb-di::compiled-debug-fun)
       (sb-di:code-location-debug-source (sb-di:frame-code-location frame))))

(defun frame-form (frame)
  "The form that FRAME's code was compiled from, NIL if it is not the world's."
  (let ((source (frame-source frame)))
    (and source (getf (sb-c::debug-source-plist source) :form))))

(defun frame-path (frame datum)
  "The way from DATUM to the form that FRAME evaluates, as the indices to follow; NIL if unknown."
  (handler-case
      (let* ((number (sb-di:code-location-form-number (sb-di:frame-code-location frame)))
             ;; EVAL compiles the form as the body of a function.
             (ways (sb-di:form-number-translations (list 'lambda '() datum) 0)))
        (and (< number (length ways))
             (nthcdr 2 (reverse (rest (aref ways number))))))
    ((or error sb-di:debug-condition) () nil)))

(defun read-again (form)
  "The datum in FORM's text, and where the lists in it stand; NIL where it reads no longer."
  (let ((*places* (make-hash-table :test 'eq)))
    (handler-case
        (let ((source (make-source (form-text form) (form-package form))))
          (values (form-datum (call-with-source source (lambda () (next-form source)))) *places*))
      (error () nil))))

(defun compiled-whole-p (datum)
  "True if EVAL compiles DATUM as it stands. What it takes apart is numbered anew in each part."
  (let ((operator (operator datum)))
    (and (symbolp operator)
         (or (macro-function operator) (special-operator-p operator))
         (not (member operator '(progn eval-when locally macrolet symbol-macrolet
                                 if setq function quote))))))

(defun lines-before (text position)
  (count #\Newline text :end position))

(defun line-in-form (frame form)
  "The line of FRAME in FORM's text, from 0, and that of the datum in it; NIL where unknown."
  (multiple-value-bind (datum places) (read-again form)
    (let ((start (and datum (first (gethash datum places)))))
      (when start
        (let ((reached start))
          (when (compiled-whole-p datum)
            (loop for index in (frame-path frame datum)
                  for part = (nth index datum) then (and (listp part) (nth index part))
                  for place = (and (consp part) (gethash part places))
                  when place
                    do (setf reached (first place))))
          (values (lines-before (form-text form) reached)
                  (lines-before (form-text form) start)))))))

(defun frame-location (frame)
  "The LOCATION of FRAME. Code of a file has no text here."
  (let ((source (frame-source frame)) (form (frame-form frame)))
    (if (form-p form)
        (let ((origin (rest (assoc form *origins*))))
          (multiple-value-bind (line start) (line-in-form frame form)
            ;; The lines of a proposal are those of the whole; a definition stands alone.
            (let ((first (if (and origin start) (- (form-line form) start) 1)))
              (make-location :place (or origin "definition") :text (form-text form)
                             :first first :line (and line (+ first line))))))
        (make-location :place (or (and source (sb-di:debug-source-namestring source)) "")))))
