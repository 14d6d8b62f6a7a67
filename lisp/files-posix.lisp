(in-package #:jiti-kernel)

;;; The system calls for files. What Lisp has for them follows links, takes names for patterns and
;;; resolves paths on the way; here a path is a string whose characters are the octets of the name.

(defconstant +enoent+ 2)
(defconstant +o-wronly+ 1)
(defconstant +o-creat+ #o100)
(defconstant +o-excl+ #o200)
(defconstant +o-append+ #o2000)
(defconstant +o-nonblock+ #o4000)
(defconstant +o-nofollow+ #+arm64 #o100000 #-arm64 #o400000)
(defconstant +o-cloexec+ #o2000000)
(defconstant +at-fdcwd+ -100)
(defconstant +at-symlink-nofollow+ #x100)
(defconstant +statx-basic-stats+ #x7ff)

(defun native-path (text)
  "TEXT as a path: its characters are the octets of TEXT in UTF-8."
  (sb-ext:octets-to-string (sb-ext:string-to-octets text :external-format :utf-8)
                           :external-format :latin-1))

(defun native-text (path)
  "The text whose UTF-8 PATH is, NIL when it is that of none."
  (let* ((octets (sb-ext:string-to-octets path :external-format :latin-1))
         (text (ignore-errors (sb-ext:octets-to-string octets :external-format :utf-8))))
    (and text
         (equalp octets (sb-ext:string-to-octets text :external-format :utf-8))
         text)))

(defmacro file-call (path name &rest typed-arguments)
  "Call the C function NAME, which returns an int. A negative result signals POSIX-ERROR, which
names PATH."
  (let ((result (gensym "RESULT")) (number (gensym "NUMBER")))
    `(let ((,result (posix-call ,name sb-alien:int ,@typed-arguments)))
       (when (minusp ,result)
         (let ((,number (sb-alien:get-errno)))
           (error 'posix-error :number ,number
                               :reason (format nil "~A: ~A" (or (native-text ,path) ,path)
                                               (sb-int:strerror ,number)))))
       ,result)))

(defmacro path-call (name path &rest typed-arguments)
  "As FILE-CALL, for a function whose first argument is PATH."
  (let ((argument (gensym "PATH")))
    `(let ((,argument ,path))
       (file-call ,argument ,name
                  ((sb-alien:c-string :external-format :latin-1) ,argument) ,@typed-arguments))))

(defmacro unless-missing (&body body)
  "The value of BODY, NIL when what it looks for is not there."
  `(handler-case (progn ,@body)
     (posix-error (condition)
       (unless (= (posix-error-number condition) +enoent+)
         (error condition)))))

;;; What a path leads to

(defstruct (facts (:constructor make-facts (kind links size stamp)))
  "What stands at a path. STAMP is equal as long as nobody has written to a file or replaced it."
  kind ; :file, :folder, or :other
  links
  size
  stamp)

(defun file-facts (path)
  "The FACTS of what stands at PATH; a symbolic link is not followed. See statx(2)."
  (sb-alien:with-alien ((buffer (array sb-alien:unsigned-char 256)))
    (file-call path "statx"
               (sb-alien:int +at-fdcwd+)
               ((sb-alien:c-string :external-format :latin-1) path)
               (sb-alien:int +at-symlink-nofollow+)
               (sb-alien:unsigned-int +statx-basic-stats+)
               ((* (array sb-alien:unsigned-char 256)) (sb-alien:addr buffer)))
    (let ((sap (sb-alien:alien-sap buffer)))
      (flet ((time-at (offset)
               (+ (* 1000000000 (sb-sys:signed-sap-ref-64 sap offset))
                  (sb-sys:sap-ref-32 sap (+ offset 8)))))
        (let ((size (sb-sys:sap-ref-64 sap 40)))
          (make-facts (case (ldb (byte 4 12) (sb-sys:sap-ref-16 sap 28))
                        (#o10 :file)
                        (#o4 :folder)
                        (t :other))
                      (sb-sys:sap-ref-32 sap 16)
                      size
                      (list (sb-sys:sap-ref-64 sap 32) size (time-at 112) (time-at 96))))))))

(defun folder-names (path &key most (kept (constantly nil)))
  "The names in the folder PATH as paths of one step, sorted by their octets; but not those of which
KEPT returns true. With MOST, so many of them at most."
  (let ((stream (posix-call "opendir" sb-alien:unsigned-long
                            ((sb-alien:c-string :external-format :latin-1) path)))
        (names '())
        (count 0))
    (when (zerop stream)
      (posix-failure path))
    (unwind-protect
         (loop
           (when (eql count most) (return))
           (let ((entry (posix-call "readdir" sb-alien:unsigned-long
                                    (sb-alien:unsigned-long stream))))
             (when (zerop entry) (return))
             (let ((name (directory-entry-name (sb-sys:int-sap entry))))
               (unless (or (member name '("." "..") :test #'string=)
                           (funcall kept name))
                 (incf count)
                 (push name names)))))
      (posix-call "closedir" sb-alien:int (sb-alien:unsigned-long stream)))
    (sort names #'string<)))

(defconstant +entry-name-offset+ 19 "Where the name is in a struct dirent (readdir(3)).")

(defun directory-entry-name (sap)
  "The name in the struct dirent at SAP, as a path."
  (let* ((end (loop for offset from +entry-name-offset+
                    when (zerop (sb-sys:sap-ref-8 sap offset)) return offset))
         (name (make-string (- end +entry-name-offset+))))
    (dotimes (index (length name) name)
      (setf (char name index)
            (code-char (sb-sys:sap-ref-8 sap (+ index +entry-name-offset+)))))))

;;; Changes

(defun make-folder (path)
  "Make the folder PATH unless there is one."
  (handler-case (path-call "mkdir" path (sb-alien:unsigned-int #o700))
    (posix-error (condition)
      (unless (eq :folder (facts-kind (file-facts path)))
        (error condition)))))

(defun make-folders (path start)
  "Make the folders that PATH names behind its first START characters."
  (loop for end = (position #\/ path :start start) then (position #\/ path :start (1+ end))
        while end
        do (make-folder (subseq path 0 end))))

(defun remove-file (path)
  (unless-missing (path-call "unlink" path)))

(defun remove-folder (path)
  (unless-missing (path-call "rmdir" path)))

(defun open-up (folder)
  "Let this process's user do everything in FOLDER."
  (unless-missing (path-call "chmod" folder (sb-alien:unsigned-int #o700))))

(defun rename-path (path new)
  (path-call "rename" path ((sb-alien:c-string :external-format :latin-1) new)))

(defun enter-folder (path)
  "Make PATH the working directory of this process."
  (path-call "chdir" path))

(defun open-to-read (path)
  "A descriptor for the file PATH. A link is an error, and a pipe is not waited for."
  (path-call "open" path (sb-alien:int (logior +o-nofollow+ +o-cloexec+ +o-nonblock+))))

(defun open-to-write (path &optional (how (logior +o-creat+ +o-excl+)))
  "A descriptor for the file PATH, new unless HOW says otherwise."
  (path-call "open" path
             (sb-alien:int (logior +o-wronly+ +o-nofollow+ +o-cloexec+ how))
             (sb-alien:unsigned-int #o600)))

(defmacro with-descriptor ((variable form) &body body)
  `(let ((,variable ,form))
     (unwind-protect (progn ,@body)
       (close-descriptor ,variable))))

(defun read-some (path descriptor octets)
  "Fill OCTETS from DESCRIPTOR, which is open for PATH, as far as there is something: how many."
  (declare (type octets octets))
  (loop with position of-type fixnum = 0
        while (< position (length octets))
        do (let ((count (sb-sys:with-pinned-objects (octets)
                          (file-call path "read"
                                     (sb-alien:int descriptor)
                                     (sb-sys:system-area-pointer
                                      (sb-sys:sap+ (sb-sys:vector-sap octets) position))
                                     (sb-alien:unsigned-long (- (length octets) position))))))
             (when (zerop count) (loop-finish))
             (incf position count))
        finally (return position)))

(defun write-all (path descriptor octets)
  "Write OCTETS to DESCRIPTOR, which is open for PATH."
  (declare (type octets octets))
  (loop with position of-type fixnum = 0
        while (< position (length octets))
        do (incf position
                 (sb-sys:with-pinned-objects (octets)
                   (file-call path "write"
                              (sb-alien:int descriptor)
                              (sb-sys:system-area-pointer
                               (sb-sys:sap+ (sb-sys:vector-sap octets) position))
                              (sb-alien:unsigned-long (- (length octets) position)))))))

(defun stamp-descriptor (path descriptor)
  "Give an open file the oldest time there is. Whoever writes to it afterwards changes that."
  (sb-alien:with-alien ((times (array sb-alien:long 4)))
    (dotimes (index 4)
      (setf (sb-alien:deref times index) 0))
    (file-call path "futimens"
               (sb-alien:int descriptor)
               ((* (array sb-alien:long 4)) (sb-alien:addr times)))))

(defun stamp-file (path)
  (with-descriptor (descriptor (open-to-read path))
    (stamp-descriptor path descriptor)))

(defun copy-file (source target)
  "Make the file TARGET, a stamped copy of SOURCE that shares nothing with it."
  (with-descriptor (from (open-to-read source))
    (with-descriptor (to (open-to-write target))
      (loop until (zerop (file-call target "sendfile"
                                    (sb-alien:int to) (sb-alien:int from)
                                    (sb-alien:unsigned-long 0)
                                    (sb-alien:unsigned-long (ash 1 30)))))
      (stamp-descriptor target to))))
