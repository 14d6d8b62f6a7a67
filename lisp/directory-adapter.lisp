(in-package #:jiti-kernel)

;;; Files that belong to the world. Each process that holds a world has a copy of its own, below a
;;; folder that bears its process number. That folder is its working directory, so that the path of
;;; a file, through /proc/self/cwd, is the same in all processes and leads each to its own copy.

(defvar *files-root* nil "The folder of all copies, as a path; NIL before the keeper knows it.")

(defvar *copy* nil "The folder of this process's own copy, NIL while it has none.")

(defclass directory-adapter (adapter)
  ((folder :initform nil :accessor adapter-folder
           :documentation "The folder of the files in this process's copy, as a path.")
   (known :initform (make-hash-table :test 'equal) :accessor adapter-known
          :documentation "The files that are what the controller has of them: stamps by paths."))
  (:documentation "A folder of files that belong to the world: its candidates work on copies, and a
revision keeps them. The name is made of a-z, 0-9, - and _."))

(defmethod initialize-instance :after ((adapter directory-adapter) &key)
  (let ((name (adapter-name adapter)))
    (unless (and (<= 1 (length name) 64)
                 (every (lambda (character)
                          (find character "abcdefghijklmnopqrstuvwxyz0123456789-_"))
                        name))
      (setf *adapters* (remove adapter *adapters*))
      (error "A directory adapter has a name of a-z, 0-9, - and _, at most 64 of them, not ~S."
             name))))

(defun directory-adapters ()
  (remove-if-not (lambda (adapter) (typep adapter 'directory-adapter)) *adapters*))

(defun find-directory-adapter (designator)
  "The directory adapter that DESIGNATOR is or names. Signals PATH-REFUSED."
  (or (find designator (directory-adapters)
            :test (lambda (designator adapter)
                    (or (eq designator adapter) (equal designator (adapter-name adapter)))))
      (error 'path-refused
             :reason (format nil "The world has no directory adapter named ~S." designator))))

;;; The copy of a process

(defun process-gone-p (pid)
  "True if the process PID has ended, be it that nobody has waited for it."
  (let ((state (handler-case
                   (with-open-file (stream (format nil "/proc/~D/stat" pid)
                                           :if-does-not-exist nil)
                     (let ((line (and stream (read-line stream nil))))
                       (and line (char line (+ 2 (position #\) line :from-end t))))))
                 ;; It has ended since the file was opened.
                 (stream-error () #\X))))
    (if state
        (find state "ZX")
        ;; Where /proc hides processes, a signal still reaches them.
        (minusp (signal-process pid 0)))))

(defun own-copy-name ()
  (format nil "~A/~D" *files-root* (process-id)))

(defun own-copy-p ()
  "True if this process has a copy of its own already, not just that of the one it was forked from."
  (equal *copy* (own-copy-name)))

(defvar *worldless* '() "The pids of processes that hold no world, and so have no copy.")

(defun copy-in-use-p (name)
  "True if the folder NAME of *FILES-ROOT* is the copy of a process that lives."
  (let ((pid (ignore-errors (parse-integer name))))
    (cond ((or (null pid) (string/= name (princ-to-string pid))) nil)
          ((= pid (process-id)) (own-copy-p))
          (t (not (or (member pid *worldless*) (process-gone-p pid)))))))

(defun sweep-copies ()
  "Remove what is no copy of a process that lives, and in this one's copy what is no adapter's
folder. What cannot be removed goes with the keeper."
  (unless-missing (empty-folder *files-root* #'copy-in-use-p))
  (when (own-copy-p)
    (empty-folder *copy* (lambda (name)
                           (find name (directory-adapters) :key #'adapter-name :test #'string=)))))

(defun open-copy ()
  "Make the folder of this process's own copy, which is empty, and work there."
  (make-folder *files-root*)
  (sweep-copies)
  (let ((folder (own-copy-name)))
    (remove-tree folder)
    (make-folder folder)
    (enter-folder folder)
    (setf *copy* folder)))

(defun open-adapter-folder (adapter)
  "Give ADAPTER an empty folder in the copy of this process."
  (let ((folder (concatenate 'string *copy* "/" (adapter-name adapter))))
    (make-folder folder)
    (setf (adapter-folder adapter) folder)))

(defun ensure-folder (adapter)
  "The folder of ADAPTER in this process's copy."
  (unless *copy*
    (open-copy))
  (or (adapter-folder adapter)
      (open-adapter-folder adapter)))

(defun place-in-copy (adapter path)
  "Where the file with the text PATH lies in this process's copy, as a path."
  (concatenate 'string (ensure-folder adapter) "/" (native-path (check-path path))))

(defun adapter-files (adapter)
  (tree-files (ensure-folder adapter) (adapter-name adapter)))

;;; What code of the world calls

(defun refuse-links (adapter path)
  "Signal PATH-REFUSED if PATH leads through a symbolic link, or to one."
  (let ((folder (ensure-folder adapter)) (native (native-path path)))
    (loop for end = (position #\/ native) then (position #\/ native :start (1+ end))
          for facts = (unless-missing
                        (file-facts (concatenate 'string folder "/" (subseq native 0 end))))
          while facts
          do (when (eq (facts-kind facts) :other)
               (error 'path-refused
                      :reason (format nil "~A/~A leads to something that is neither a file nor a ~
                                           folder." (adapter-name adapter) path)))
          while end)))

(defun world-file (adapter path)
  "The pathname of the file PATH among the files of ADAPTER, a directory adapter or its name.

PATH is a string, relative, with slashes. The file need not exist. The pathname is the same in all
processes, and in each it leads to that one's own copy. Signals PATH-REFUSED."
  (check-type path string)
  (let ((adapter (find-directory-adapter adapter)))
    (check-path path)
    (refuse-links adapter path)
    (sb-ext:parse-native-namestring
     (format nil "/proc/self/cwd/~A/~A" (adapter-name adapter) path))))

(defun world-files (adapter)
  "The paths of all files of ADAPTER, a directory adapter or its name: strings, sorted."
  (mapcar #'file-text (adapter-files (find-directory-adapter adapter))))

;;; The protocol

(defconstant +shown-file-octets+ 65536 "The longest file whose text a view is made of.")

(defun file-octets (path size)
  (let ((octets (make-array size :element-type '(unsigned-byte 8))))
    (with-descriptor (descriptor (open-to-read path))
      (read-some path descriptor octets))
    octets))

(defun shown-file (adapter file)
  "What a view shows of FILE: its text, or how long it is."
  (let ((size (file-size file)))
    (or (and (<= size +shown-file-octets+)
             (let ((octets (file-octets (concatenate 'string (adapter-folder adapter) "/"
                                                     (file-path file))
                                        size)))
               (and (notany #'zerop octets)
                    (ignore-errors (sb-ext:octets-to-string octets :external-format :utf-8)))))
        (format nil "~:D octets" size))))

(defmethod observe ((adapter directory-adapter) (part (eql :data)))
  (loop for file in (adapter-files adapter)
        collect (cons (file-text file) (shown-file adapter file))))

(defmethod export-world ((adapter directory-adapter) (part (eql :data)))
  '())

(defmethod begin-fork ((adapter directory-adapter) role)
  "Copy what the process has from which this one was forked."
  (declare (ignore role))
  (when *copy*
    (let* ((source (adapter-folder adapter))
           (known (shiftf (adapter-known adapter) (make-hash-table :test 'equal)))
           (files (and source (tree-files source (adapter-name adapter)))))
      (unless (own-copy-p)
        (open-copy))
      (let ((target (open-adapter-folder adapter)))
        (copy-tree-files files source target)
        (dolist (file files)
          (let ((path (file-path file)))
            (when (equal (gethash path known) (file-stamp file))
              (setf (gethash path (adapter-known adapter))
                    (facts-stamp (file-facts (concatenate 'string target "/" path)))))))))))

(defun note-known (adapter)
  "Take the files of ADAPTER, as they are now, for what the controller has of them."
  (let ((folder (ensure-folder adapter)) (known (adapter-known adapter)))
    (remove-empty-folders folder)
    (clrhash known)
    (dolist (file (adapter-files adapter))
      (let ((path (concatenate 'string folder "/" (file-path file))))
        (stamp-file path)
        (setf (gethash (file-path file) known) (facts-stamp (file-facts path)))))))

(defmethod promote ((adapter directory-adapter))
  (note-known adapter))

(defun stamped-files (adapter)
  (loop for file in (adapter-files adapter)
        collect (cons (file-path file) (file-stamp file))))

(defmethod checkpoint ((adapter directory-adapter))
  "The stamps of the files: a candidate works on a copy, so they stay as they are."
  (stamped-files adapter))

(defmethod restore ((adapter directory-adapter) checkpoint)
  "No candidate can be kept from writing to the world's own copy if it knows where that is, so it is
compared."
  (unless (equal checkpoint (stamped-files adapter))
    (error 'kernel-error
           :reason "During the attempt, files of the world were changed by another process.")))
