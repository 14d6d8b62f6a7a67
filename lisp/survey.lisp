(in-package #:jiti-kernel)

;;; How values hang together: which objects are met more than once and so need a label, and which
;;; values share an object with others. A value is a root here, known by its index.

(defconstant +joined+ 1 "Flag of a root that shares an object with another root.")
(defconstant +held+ 2 "Flag of a root that shares an object with something that no revision keeps.")
(defconstant +names+ 4 "Flag of a root whose text depends on symbols, classes or packages.")
(defconstant +functions+ 8 "Flag of a root whose text or order depends on functions.")

(defstruct (survey (:constructor make-survey (roots)))
  "ROOTS is a vector of values."
  (roots #() :type simple-vector)
  (flags (make-array 0 :element-type '(unsigned-byte 8)) :type (simple-array (unsigned-byte 8) (*)))
  (starts (make-array 0 :element-type 'fixnum) ; the number of the first object met from each root
   :type (simple-array fixnum (*)))
  (shared (make-hash-table :test 'eq) :type hash-table) ; what needs a label
  (tables '()) ; the hash tables that were met, inner ones first as a rule
  (culprit nil) ; a list of an object that cannot be written, if there is one
  (holders '()) ; lists of a place that no revision keeps and a root that shares an object with it
  (captured nil)) ; a thing that closes over an object of a root, and the index of that

(defun flag (survey index flag)
  (setf (aref (survey-flags survey) index)
        (logior flag (aref (survey-flags survey) index))))

(defun flagged-p (survey index flag)
  (logtest flag (aref (survey-flags survey) index)))

(defun owner-of (survey number count)
  "The index of the root among the first COUNT from which the object NUMBER was met first."
  (let ((starts (survey-starts survey)) (low 0) (high count))
    (declare (fixnum low high number))
    (loop while (< (1+ low) high)
          do (let ((middle (ash (+ low high) -1)))
               (if (<= (aref starts middle) number)
                   (setf low middle)
                   (setf high middle))))
    low))

(defun name-flag (object)
  "What the text of OBJECT depends on."
  (typecase object
    (symbol (if (or (keywordp object) (standard-symbol-p object)) 0 +names+))
    ((or package class) +names+)
    (function (logior +names+ +functions+))
    (hash-table (if (standard-test-p object)
                    0
                    (logior +names+ +functions+)))
    ((or structure-object standard-object condition) (if (typep object 'random-state) 0 +names+))
    (t 0)))

(defvar *root-at-hand* 0
  "The index of the root that is looked at, which may run code of the world.")

(defun survey (roots &optional hidden closures)
  "Survey the graph of the values in the vector ROOTS.

HIDDEN is a list of conses (PLACE . VALUE), whose values no revision keeps, but by which code of the
world can reach objects; PLACE may be NIL. CLOSURES is a list of lists (THING VALUE ...): what
functions of the world close over. The survey ends at the first object that cannot be written."
  (let* ((survey (make-survey roots))
         (walk (make-walk))
         (count (length roots)))
    (setf (survey-flags survey)
          (make-array count :element-type '(unsigned-byte 8) :initial-element 0)
          (survey-starts survey) (make-array count :element-type 'fixnum))
    (dotimes (index count)
      (setf (aref (survey-starts survey) index) (walk-count walk)
            *root-at-hand* index)
      (survey-root survey walk index)
      (when (survey-culprit survey)
        (return-from survey survey)))
    (let ((limit (walk-count walk)))
      (loop for (place . value) in hidden
            do (explore walk (list value) limit
                        (lambda (number)
                          (let ((owner (owner-of survey number count)))
                            (flag survey owner +held+)
                            ;; Nobody changes a string in its place, as a rule, and many have a name
                            ;; or a text of base code.
                            (unless (or (stringp (svref (walk-objects walk) number))
                                        (assoc place (survey-holders survey) :test #'equal))
                              (push (list place owner) (survey-holders survey)))))))
      (loop for (name . values) in closures
            until (survey-captured survey)
            do (explore walk values limit
                        (lambda (number)
                          (setf (survey-captured survey)
                                (list name (owner-of survey number count)))))))
    survey))

(defun survey-root (survey walk index)
  "Meet all that can be reached from the root at INDEX, and note in SURVEY how it hangs together."
  (declare (type walk walk))
  (let ((first (walk-count walk)) (flags 0))
    (declare (fixnum first flags))
    (labels ((see (object &optional step place)
               (declare (ignore step place))
               (typecase object
                 ((or fixnum null character))
                 (cons (see-composite object))
                 (t (setf flags (logior flags (name-flag object)))
                    (unless (atomic-p object)
                      (see-composite object)))))
             (see-composite (object)
               (let ((number (meet walk object)))
                 (when number
                   (setf (gethash object (survey-shared survey)) t)
                   (when (< number first)
                     (flag survey index +joined+)
                     (flag survey (owner-of survey number index) +joined+))))))
      (see (svref (survey-roots survey) index))
      (loop for next of-type fixnum from first
            while (< next (walk-count walk))
            do (let ((object (svref (walk-objects walk) next)))
                 (cond ((consp object)
                        (see (car object))
                        (see (cdr object)))
                       ((obstacle object)
                        (setf (survey-culprit survey) (list object))
                        (return))
                       (t
                        (when (hash-table-p object)
                          (push object (survey-tables survey)))
                        (map-parts #'see object))))))
    (flag survey index flags)))

(defun explore (walk values limit function)
  "Call FUNCTION with the number of each object that can be reached from VALUES and that was among
the first LIMIT that WALK has met."
  (let ((first (walk-count walk)))
    (flet ((see (object &optional step place)
             (declare (ignore step place))
             (unless (atomic-p object)
               (let ((number (meet walk object)))
                 (when (and number (< number limit))
                   (funcall function number))))))
      (mapc #'see values)
      (loop for next of-type fixnum from first
            while (< next (walk-count walk))
            do (let ((object (svref (walk-objects walk) next)))
                 (cond ((typep object 'function)
                        (mapc #'see (closed-over-values object)))
                       ((or (typep object '(or cons array hash-table))
                            (plain-object-p object)
                            (member object values :test #'eq))
                        (map-parts #'see object))))))))

(defun closed-over-values (function)
  "What FUNCTION closes over. A variable that is assigned is in a cell of its own."
  (and (sb-kernel:closurep function)
       (loop for value in (sb-kernel:%closure-values function)
             collect (if (= (sb-kernel:widetag-of value) sb-vm:value-cell-widetag)
                         (sb-kernel:value-cell-ref value)
                         value))))

(defun plain-object-p (object)
  "True if OBJECT has slots, and they are of the world or its base."
  (and (typep object '(or structure-object standard-object condition))
       (world-class-p (class-of object))))

(defun shared-objects (values)
  "A table of the objects that can be reached from VALUES in more than one way, or NIL and a list of
an object that cannot be written."
  (let ((survey (survey (coerce values 'simple-vector))))
    (if (survey-culprit survey)
        (values nil (survey-culprit survey))
        (values (survey-shared survey) nil))))
