(in-package #:jiti-kernel)

;;; Trees of files that a revision can keep: regular files in folders, by their names.

(defconstant +file-count+ 10000 "How many files a directory adapter can have.")
(defconstant +file-path-octets+ 512 "How long the path of a file can be, in UTF-8.")
(defconstant +file-path-depth+ 16 "How many names the path of a file can have.")

(defvar *files-bytes* (* 64 1024 1024) "Bound on the octets of all files of the world together.")

(defun split-path (path &optional (separator #\/))
  "The names of which PATH, with slashes between them, is made."
  (loop for start = 0 then (1+ end)
        for end = (position separator path :start start)
        collect (subseq path start end)
        while end))

(defun control-character-p (character)
  (let ((code (char-code character)))
    (or (< code 32) (<= 127 code 159))))

(defun path-problem (path)
  "Why the text PATH cannot be the path of a file of the world, NIL if it can."
  (let ((names (split-path path)))
    (cond ((string= path "") "a path is not empty")
          ((eql (char path 0) #\/) "a path is relative to the adapter's folder")
          ((member ".." names :test #'string=) "a path does not lead out by ..")
          ((or (member "" names :test #'string=) (member "." names :test #'string=))
           "a path is made of names with one slash between two")
          ((some #'control-character-p path) "a name holds no control character")
          ((some (lambda (character) (<= #xD800 (char-code character) #xDFFF)) path)
           "a name is text in UTF-8")
          ((> (length (sb-ext:string-to-octets path :external-format :utf-8)) +file-path-octets+)
           (format nil "a path has at most ~D octets" +file-path-octets+))
          ((> (length names) +file-path-depth+)
           (format nil "a path has at most ~D names" +file-path-depth+)))))

(defun check-path (path)
  "PATH. Signals PATH-REFUSED unless it can be the path of a file of the world."
  (let ((problem (path-problem path)))
    (when problem
      (error 'path-refused :reason (format nil "~S is no path of a file: ~A." path problem)))
    path))

(defstruct (file (:constructor make-file (path text size stamp)) (:copier nil))
  "A file of a tree: its PATH there, the same as TEXT, and what FILE-FACTS say."
  path text size stamp)

(defun not-kept (name path reason)
  "Signal that no revision can keep what stands at PATH in the tree NAME."
  (error 'not-reconstructible
         :path (format nil "~A/~A" name (or (native-text path) path))
         :reason (format nil "~A/~A ~A" name (or (native-text path) path) reason)))

(defun tree-files (root name)
  "The files below the folder ROOT, as FILEs sorted by path; NAME is what messages call the tree.

Signals NOT-RECONSTRUCTIBLE when something else than regular files and folders is there, or more
than a revision keeps."
  (let ((files '()) (count 0) (size 0))
    (labels ((take-file (path facts)
               (let* ((text (native-text path)) (problem (and text (path-problem text))))
                 (cond ((null text) (not-kept name path "has a name that is not UTF-8."))
                       (problem (not-kept name path (format nil "cannot be kept: ~A." problem)))
                       ((/= (facts-links facts) 1)
                        (not-kept name path "is a hard link; a revision keeps files of one name."))
                       ((> (incf count) +file-count+)
                        (not-kept name path (format nil "is one file too many: ~D can be kept."
                                                    +file-count+)))
                       ((> (incf size (facts-size facts)) *files-bytes*)
                        (not-kept name path
                                  (format nil "makes the files larger than the ~D MB together that ~
                                               `files_mb` in [limits] of world.toml allows."
                                          (floor *files-bytes* 1048576)))))
                 (push (make-file path text (facts-size facts) (facts-stamp facts)) files)))
             (walk (prefix depth)
               (dolist (step (folder-names (if (string= prefix "")
                                               root
                                               (concatenate 'string root "/" prefix))))
                 (let* ((path (if (string= prefix "")
                                  step
                                  (concatenate 'string prefix "/" step)))
                        (facts (file-facts (concatenate 'string root "/" path))))
                   (ecase (facts-kind facts)
                     (:file (take-file path facts))
                     (:folder
                      (when (= depth +file-path-depth+)
                        (not-kept name path "lies too deep."))
                      (walk path (1+ depth)))
                     (:other
                      (not-kept name path "is neither a regular file nor a folder, and only ~
                                           those can be kept.")))))))
      (walk "" 1))
    (sort files #'string< :key #'file-path)))

(defun copy-tree-files (files source target)
  "Copy FILES of the folder SOURCE to the empty folder TARGET."
  (let ((made ""))
    (dolist (file files)
      (let* ((path (file-path file))
             (folder (subseq path 0 (1+ (or (position #\/ path :from-end t) -1)))))
        (unless (string= folder made)
          (make-folders (concatenate 'string target "/" folder) (1+ (length target)))
          (setf made folder))
        (copy-file (concatenate 'string source "/" path)
                   (concatenate 'string target "/" path))))))

(defun remove-empty-folders (root)
  "Remove the folders below ROOT in which no file is."
  (dolist (step (folder-names root))
    (let ((path (concatenate 'string root "/" step)))
      (when (eq :folder (facts-kind (file-facts path)))
        (remove-empty-folders path)
        (unless (folder-names path)
          (remove-folder path))))))
