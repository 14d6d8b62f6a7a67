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
  (culprit nil)) ; a list of an object that cannot be written, if there is one

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
    (symbol (if (or (null object) (keywordp object)
                    (eq (symbol-package object) (load-time-value (find-package "COMMON-LISP"))))
                0
                +names+))
    ((or package class) +names+)
    (function (logior +names+ +functions+))
    (hash-table (if (member (hash-table-test object) '(eq eql equal equalp))
                    0
                    (logior +names+ +functions+)))
    ((or structure-object standard-object condition) (if (typep object 'random-state) 0 +names+))
    (t 0)))

(defun survey (roots &optional hidden)
  "Survey the graph of the values in the vector ROOTS.

HIDDEN are values that no revision keeps, but by which code of the world can reach objects. The
survey ends at the first object that cannot be written."
  (let* ((survey (make-survey roots))
         (walk (make-walk))
         (count (length roots)))
    (setf (survey-flags survey)
          (make-array count :element-type '(unsigned-byte 8) :initial-element 0)
          (survey-starts survey) (make-array count :element-type 'fixnum))
    (dotimes (index count)
      (setf (aref (survey-starts survey) index) (walk-count walk))
      (survey-root survey walk index)
      (when (survey-culprit survey)
        (return-from survey survey)))
    (survey-hidden survey walk hidden)
    survey))

(defun survey-root (survey walk index)
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
                       (t (map-parts #'see object))))))
    (flag survey index flags)))

(defun survey-hidden (survey walk hidden)
  "Flag the roots that share an object with what can be reached from HIDDEN."
  (let* ((first (walk-count walk)) (count (length (survey-roots survey))))
    (flet ((see (object &optional step place)
             (declare (ignore step place))
             (unless (atomic-p object)
               (let ((number (meet walk object)))
                 (when (and number (< number first))
                   (flag survey (owner-of survey number count) +held+))))))
      (mapc #'see hidden)
      (loop for next of-type fixnum from first
            while (< next (walk-count walk))
            do (let ((object (svref (walk-objects walk) next)))
                 (when (or (typep object '(or cons array hash-table))
                           (plain-object-p object)
                           (member object hidden :test #'eq))
                   (map-parts #'see object)))))))

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
