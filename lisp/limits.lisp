(in-package #:jiti-kernel)

;;; What a worker process may take of the machine. The keeper sets it once; its forks inherit it.

(defconstant +nursery-octets+ (* 8 1024 1024)
  "Garbage is collected after so many octets. A fork copies what it touches, so the nursery is small.")

(defconstant +file-octets+ (* 256 1024 1024) "The longest file that a worker can write.")
(defconstant +open-files+ 256 "The descriptors that a worker can have.")

(defun limit-process ()
  "Bound files, descriptors and core dumps of this process, and make its forks cheap."
  (limit-resource +rlimit-core+ 0)
  (limit-resource +rlimit-fsize+ +file-octets+)
  (limit-resource +rlimit-nofile+ +open-files+)
  (setf (sb-ext:bytes-consed-between-gcs) +nursery-octets+)
  ;; The new size counts from the next collection on.
  (sb-ext:gc)
  (advise-huge-pages sb-vm:dynamic-space-start (sb-ext:dynamic-space-size)))
