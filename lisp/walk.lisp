(in-package #:jiti-kernel)

;;; A walk through the objects that can be reached from one, with a hash of what was seen on the
;;; way. Objects are numbered as they are met and looked into in that order, so nothing recurses and
;;; a circle ends.

(deftype word () '(unsigned-byte 64))

(defconstant +golden-ratio+ #x9E3779B97F4A7C15
  "2^64 divided by the golden ratio: a multiplication with it spreads what differs in few bits over
all of them (Knuth, The Art of Computer Programming, 6.4).")

(defstruct (walk (:constructor make-walk (&key loose)))
  "A graph under way. OBJECTS holds what was met; TABLE finds an object there by its address, and is
made anew when a collection has moved objects. If LOOSE, the names of uninterned symbols count not."
  (hash 0 :type word)
  (objects (make-array 32) :type simple-vector)
  (count 0 :type fixnum)
  (table (make-array 64 :element-type '(unsigned-byte 32) :initial-element 0)
   :type (simple-array (unsigned-byte 32) (*)))
  (epoch sb-kernel::*gc-epoch*)
  (loose nil)
  (plans '())) ; alist from classes to how their objects are looked into

(declaim (inline mix))
(defun mix (walk word)
  "Take WORD into the hash of WALK."
  (declare (type walk walk) (type word word))
  (let ((hash (ldb (byte 64 0) (* (logxor (walk-hash walk) word) +golden-ratio+))))
    (declare (type word hash))
    (setf (walk-hash walk) (logxor hash (ash hash -29))))
  (values))

(defmacro mix-tag (walk tag)
  "Take the name TAG, a keyword, into the hash of WALK."
  `(mix ,walk ,(loop with word = 5381
                     for char across (symbol-name tag)
                     do (setf word (ldb (byte 64 0) (+ (* word 33) (char-code char))))
                     finally (return word))))

;;; Objects that were met

(declaim (inline start-of-probe))
(defun start-of-probe (object mask)
  "Where in a table of MASK + 1 places the search for OBJECT begins."
  (declare (type (unsigned-byte 32) mask))
  (logand (ash (ldb (byte 64 0)
                    (* (ash (sb-kernel:get-lisp-obj-address object) -3) +golden-ratio+))
               -32)
          mask))

(defun tabulate (walk size)
  "Make the table of WALK anew, with SIZE places."
  (declare (type walk walk) (type fixnum size))
  (loop
    with table of-type (simple-array (unsigned-byte 32) (*))
      = (make-array size :element-type '(unsigned-byte 32) :initial-element 0)
    do
    ;; Behind the allocation, since a large one is itself followed by a collection.
    (let ((epoch sb-kernel::*gc-epoch*)
          (mask (1- size))
          (objects (walk-objects walk)))
      (dotimes (index (walk-count walk))
        (loop with place of-type (unsigned-byte 32) = (start-of-probe (svref objects index) mask)
              until (zerop (aref table place))
              do (setf place (logand (1+ place) mask))
              finally (setf (aref table place) (1+ index))))
      (when (eq epoch sb-kernel::*gc-epoch*)
        (setf (walk-table walk) table
              (walk-epoch walk) epoch)
        (return))
      (fill table 0))))

(defun meet (walk object)
  "The number of OBJECT if WALK has met it already; else NIL, and OBJECT has one from here on."
  (declare (type walk walk))
  (loop
    (let* ((table (walk-table walk))
           (objects (walk-objects walk))
           (mask (1- (length table)))
           (place 0)
           (found nil))
      (declare (type (unsigned-byte 32) place))
      (sb-sys:with-pinned-objects (object)
        (setf place (start-of-probe object mask))
        (loop for entry = (aref table place)
              until (zerop entry)
              do (when (eq object (svref objects (1- entry)))
                   (setf found (1- entry))
                   (return))
                 (setf place (logand (1+ place) mask))))
      (cond (found (return found))
            ((not (eq (walk-epoch walk) sb-kernel::*gc-epoch*))
             (tabulate walk (length table)))
            (t
             (let ((count (walk-count walk)))
               (when (= count (length objects))
                 (setf objects (adjust-array objects (* 2 count))
                       (walk-objects walk) objects))
               (setf (svref objects count) object
                     (walk-count walk) (1+ count)
                     (aref table place) (1+ count))
               (when (> (* 3 count) (* 2 (length table)))
                 (tabulate walk (* 2 (length table)))))
             (return nil))))))
