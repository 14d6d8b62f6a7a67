(in-package #:jiti-kernel)

;;; Files of a revision on their way between a process and the controller, which calls a file
;;; ADAPTER/PATH.

(defconstant +file-chunk-octets+ (* 768 1024) "Octets of a file in one message: 1 MiB as base64.")

(defun split-name (name)
  "The adapter that the file NAME belongs to, and its path. Signals IMPORT-FAILED."
  (handler-case
      (let ((end (or (position #\/ name) (length name))))
        (values (find-directory-adapter (subseq name 0 end))
                (check-path (subseq name (min (length name) (1+ end))))))
    (path-refused (condition)
      (refuse-file name condition))))

(defun refuse-file (name condition)
  "Signal IMPORT-FAILED: the file NAME cannot be received, for the reason that CONDITION gives."
  (error 'import-failed :file name :line nil :type "" :reason (condition-reason condition)))

(define-request :receive-file (:world :verifier) ((name string) (octets string) (more boolean))
  (unless-failed (import-failed)
    (multiple-value-bind (adapter path) (split-name name)
      (handler-case (receive-file adapter path (decode-base64 octets) more)
        (posix-error (condition)
          (refuse-file name condition))))
    (list :received)))

(defun receive-file (adapter path octets more)
  "Write OCTETS to the file PATH of ADAPTER: at its end if MORE, else as all there is so far."
  (let ((place (place-in-copy adapter path)))
    (unless more
      (make-folders place (1+ (length (adapter-folder adapter))))
      (remove-file place))
    (with-descriptor (descriptor (if more
                                     (open-to-write place +o-append+)
                                     (open-to-write place)))
      (write-all place descriptor octets))
    (setf (gethash (native-path path) (adapter-known adapter)) :received)))

(define-request :remove-file (:world :verifier) ((name string))
  (unless-failed (import-failed)
    (multiple-value-bind (adapter path) (split-name name)
      (handler-case (remove-file (place-in-copy adapter path))
        (posix-error (condition)
          (refuse-file name condition)))
      (remhash (native-path path) (adapter-known adapter)))
    (list :received)))

(defun settle-files ()
  "Remove the files of adapters that were not received, now that all of the revision were: base code
has left them."
  (dolist (adapter (directory-adapters))
    (dolist (file (adapter-files adapter))
      (unless (gethash (file-path file) (adapter-known adapter))
        (remove-file (concatenate 'string (adapter-folder adapter) "/" (file-path file)))))
    (note-known adapter)))

(defun send-file (name path)
  "Send the file at PATH in chunks; an empty one is one empty chunk."
  (let ((octets (make-array +file-chunk-octets+ :element-type '(unsigned-byte 8))))
    (with-descriptor (descriptor (open-to-read path))
      (loop for first = t then nil
            for count = (read-some path descriptor octets)
            while (or first (plusp count))
            do (send (list :chunk :part :files :name name
                                  :text (encode-base64 octets count)))))))

(defun send-files ()
  "Send the files of the world that are not what the controller has. Returns the names of all that
were sent, and of the others."
  (let ((sent '()) (same '()) (size 0))
    (dolist (adapter (directory-adapters))
      (dolist (file (call-adapter 'adapter-files adapter))
        (let ((name (format nil "~A/~A" (adapter-name adapter) (file-text file)))
              (path (file-path file)))
          (when (> (incf size (file-size file)) *files-bytes*)
            (not-kept (adapter-name adapter) path
                      "makes the files of all adapters larger than `files_mb` in [limits] allows."))
          (cond ((equal (gethash path (adapter-known adapter)) (file-stamp file))
                 (push name same))
                (t
                 (send-file name (concatenate 'string (adapter-folder adapter) "/" path))
                 (push name sent))))))
    (values (nreverse sent) (nreverse same))))
