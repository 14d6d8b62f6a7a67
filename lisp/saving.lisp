(in-package #:jiti-kernel)

;;; A process that fills itself with what seldom changes and saves itself as a core. Keepers start
;;; from that: with the systems of a base, or with the definitions of a revision as well.

(defconstant +saving-seconds+ 600
  "The processor time that saving may take. No connection ends this process with its controller, and
a sandbox does not end with one that is killed in the moment in which it starts.")

(defvar *prepared* nil "True once worlds can come into this process, or into the core it is from.")

(defun prepare-for-worlds ()
  "What is defined by now is the standard that no world may change. Done once, before the first
world: what the definitions in a core have proclaimed must stay."
  (unless (shiftf *prepared* t)
    (lock-kernel)
    ;; A pause shows the variables of its frames: code of the world keeps them.
    (proclaim '(optimize (debug 2)))
    (remember-standard-functions)))

(defun read-frame (path)
  "The message in the file PATH."
  (with-open-file (stream path :element-type '(unsigned-byte 8))
    (let ((octets (make-array (file-length stream) :element-type '(unsigned-byte 8))))
      (read-sequence octets stream)
      (decode-message (subseq octets +header-octets+)))))

(defun write-frame (message path)
  (with-open-file (stream path :element-type '(unsigned-byte 8) :direction :output)
    (write-sequence (encode-frame message) stream)))

(defun fill-with-systems (folder &key systems folders)
  "Load SYSTEMS. Returns the reply."
  (lock-kernel)
  (let ((before (list-all-packages)))
    (unless-failed (base-failed)
      (load-systems systems folders (format nil "~A/compiled/" folder))
      (let ((*opened-packages* '())) ; which of them are managed is not known yet
        (note-base before))
      (list :saved :files (loaded-files)))))

(defun fill-with-definitions (&key opening definitions)
  "Open a world as OPENING says and import DEFINITIONS. Returns the reply."
  (prepare-for-worlds)
  (apply #'open-world opening)
  (open-base)
  (unless-failed (import-failed)
    (import-definitions definitions)
    (require-standard-functions)
    (list :saved)))

(defun save-core (folder)
  "Do what the message in FOLDER/request asks, tell in FOLDER/reply what came of it, and save this
process as FOLDER/core if all went well. The process ends."
  (limit-resource +rlimit-cpu+ +saving-seconds+)
  (flet ((file (name)
           (sb-ext:parse-native-namestring (format nil "~A/~A" folder name))))
    (destructuring-bind (kind . properties) (read-frame (file "request"))
      (let ((reply (ecase kind
                     (:save-base (apply #'fill-with-systems folder properties))
                     (:save-definitions (apply #'fill-with-definitions properties)))))
        (write-frame reply (file "reply"))
        (unless (eq (first reply) :saved)
          (end-process 1))))
    (sb-ext:save-lisp-and-die (file "core") :toplevel #'main)))
