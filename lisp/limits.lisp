(in-package #:jiti-kernel)

;;; What a worker process may take of the machine. The keeper sets it once; its forks inherit it.

(defconstant +nursery-octets+ (* 8 1024 1024)
  "Garbage is collected after so many octets. A fork copies what it touches, so they are few.")

(defconstant +file-octets+ (* 256 1024 1024) "The longest file that a worker can write.")
(defconstant +open-files+ 256 "The descriptors that a worker can have.")

(defvar *hooks-need-thread* nil
  "True where SBCL runs the hooks of the garbage collector in a thread of its own.")

(defun collect-garbage ()
  "Collect the young garbage, and find out who runs the hooks that follow."
  (let ((hooks sb-ext:*after-gc-hooks*))
    (setf *hooks-need-thread* t
          sb-ext:*after-gc-hooks* (list (lambda () (setf *hooks-need-thread* nil))))
    (sb-ext:gc)
    (setf sb-ext:*after-gc-hooks* hooks)))

(defconstant +more-memory+ (* 512 1024 1024)
  "The octets that a worker can map besides what it starts with, its heap among that.")

(defun limit-process (processes)
  "Bound files, descriptors, core dumps and memory of this process; make its forks cheap. PROCESSES,
a decimal number or NIL for no bound, is how many there can be of its user in its sandbox. SBCL's
own thread must have been stopped."
  (when processes
    (limit-resource +rlimit-nproc+ (parse-integer processes)))
  (limit-resource +rlimit-as+ (+ (mapped-octets) +more-memory+))
  (limit-resource +rlimit-core+ 0)
  (limit-resource +rlimit-fsize+ +file-octets+)
  (limit-resource +rlimit-nofile+ +open-files+)
  (setf (sb-ext:bytes-consed-between-gcs) +nursery-octets+)
  ;; The new size counts from the next collection on.
  (collect-garbage)
  (push 'check-heap sb-ext:*after-gc-hooks*)
  (advise-huge-pages sb-vm:dynamic-space-start (sb-ext:dynamic-space-size)))
