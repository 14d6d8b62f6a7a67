(in-package #:jiti-kernel)

;;; State that is not the world's own, and that its code can change all the same: variables,
;;; property lists and shared slots of base code and of the standard. What base code has left is
;;; remembered by fingerprints. What differs since is kept as data where it can be written down.

(defvar *base-state* (make-hash-table :test 'equal)
  "From places to fingerprints of what base code has left there.")

(defvar *base-features* '() "The value of *FEATURES* that base code has left.")

(defparameter *moving-variables*
  (list* '*features* '*gensym-counter* '*random-state*
         ;; What belongs to the process. Not all are there in every version.
         (loop for name in '("*AFTER-GC-HOOKS*" "*CORE-PATHNAME*" "*GC-REAL-TIME*" "*GC-RUN-TIME*"
                             "*DEFAULT-C-STRING-EXTERNAL-FORMAT*" "*DEFAULT-EXTERNAL-FORMAT*"
                             "*DEFAULT-SOURCE-EXTERNAL-FORMAT*" "*INVOKE-DEBUGGER-HOOK*"
                             "*POSIX-ARGV*" "*RUNTIME-PATHNAME*" "*STEPPER-HOOK*")
               for symbol = (find-symbol name "SB-EXT")
               when symbol collect symbol))
  "Variables of COMMON-LISP and SB-EXT that are not compared: they move by themselves, or are kept
otherwise.")

(defun global-value (symbol)
  "The value of SYMBOL outside of all bindings, *UNBOUND* if it has none."
  (handler-case (sb-ext:symbol-global-value symbol)
    (unbound-variable () *unbound*)))

(defvar *kept-places* '()
  "Places outside of the world that a revision has kept. They are kept from then on, whatever they
hold: a process that holds a revision must hear of it when they hold again what base code left.")

(defun note-outer-place (place)
  "Have all later revisions keep PLACE, unless it is the world's own. Called for each place that is
written or imported."
  (let ((symbol (if (consp place) (second place) place)))
    (unless (or (and (consp place) (not (member (first place) '(plist class))))
                (managed-symbol-p symbol))
      (pushnew place *kept-places* :test #'equal))))

(defun outer-places ()
  "The places that are not the world's own: symbols of variables, (PLIST SYMBOL), (CLASS NAME)."
  (let ((places '()))
    (flet ((look (symbol)
             (let ((plist (list 'plist symbol)) (class (list 'class symbol)))
               (when (and (variable-p symbol) (not (member symbol *moving-variables*)))
                 (push symbol places))
               (when (or (symbol-plist symbol) (gethash plist *base-state*)
                         (member plist *kept-places* :test #'equal))
                 (push plist places))
               (when (and (find-class symbol nil) (class-data-p symbol))
                 (push class places)))))
      (dolist (package (base-packages))
        (do-present-symbols (symbol package)
          (when (eq (symbol-package symbol) package)
            (look symbol))))
      (dolist (package '("COMMON-LISP" "KEYWORD" "SB-EXT"))
        (do-external-symbols (symbol package)
          (look symbol))))
    (mapcar #'rest (sort (loop for place in places collect (cons (place-key place) place))
                         #'string< :key #'first))))

(defun place-key (place)
  "Text by which places are ordered, the same in every process."
  (destructuring-bind (kind symbol) (if (consp place) place (list 'variable place))
    (format nil "~A:~A ~A" (package-name (symbol-package symbol)) (symbol-name symbol) kind)))

(defun place-value (place)
  "What PLACE, one of OUTER-PLACES, holds now."
  (if (symbolp place)
      (global-value place)
      (destructuring-bind (kind symbol) place
        (ecase kind
          (plist (symbol-plist symbol))
          (class (class-data (find-class symbol)))))))

(defun remember-base-places ()
  "Take what base code has left in the places of OUTER-PLACES for what is there without the world."
  (dolist (place (outer-places))
    (setf (gethash place *base-state*) (fingerprint (place-value place))))
  (setf *base-features* (copy-list *features*)))

(defun changed-places ()
  "The places that are not the world's own and hold, or held once, something else than base code has
left there."
  (loop for place in (outer-places)
        when (or (member place *kept-places* :test #'equal)
                 (not (eql (gethash place *base-state*) (fingerprint (place-value place)))))
          collect place))

(defun writable-p (value)
  (or (eq value *unbound*)
      (null (nth-value 1 (shared-objects (list value))))))

(defun changed-data ()
  "What a revision keeps of CHANGED-PLACES: a list of (PLACE . VALUE)."
  (loop for place in (changed-places)
        for value = (place-value place)
        when (writable-p value)
          collect (cons place value)
          and do (note-outer-place place)))

(defun feature-forms ()
  "Forms that make *FEATURES* of what base code has left of it what it is now. They are written
before all definitions, since the reading of these depends on it."
  (let* ((gone (set-difference *base-features* *features*))
         (kept (set-difference *base-features* gone))
         (count (- (length *features*) (length kept))))
    (append (loop for feature in gone
                  collect `(setf *features* (remove ,feature *features*)))
            (when (plusp count)
              (loop for feature in (reverse (subseq *features* 0 count))
                    collect `(push ,feature *features*))))))
