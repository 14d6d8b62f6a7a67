(in-package #:jiti-kernel)

;;; What the code of an exported world expects around it: the data table, the files, and the names
;;; that reading its data needs. Nothing here knows of attempts, forks or a controller.

(defvar *opened-packages* '() "Names of the packages of the world. The first is read in.")
(defvar *unbound* '#:unbound "Stands for the value of a variable that has none.")
(defvar *data* (make-hash-table :test 'equal) "The data table.")
(defvar *files* nil "The folder with the world's files, one folder for each directory adapter.")

(defun value (key)
  "The value under KEY in the data table, NIL if there is none."
  (values (gethash key *data*)))

(defun (setf value) (value key)
  (if (null value)
      (remhash key *data*)
      (setf (gethash (if (stringp key) (copy-seq key) key) *data*) value))
  value)

(defun ensure-world (packages files)
  "Make the packages of the world that are not there. FILES is the folder of its files."
  (setf *opened-packages* packages
        *files* files)
  (dolist (name packages)
    (unless (find-package name)
      (make-package name :use '("COMMON-LISP")))))

(defun reading-package ()
  (find-package (first *opened-packages*)))

(defun definable-package-p (package)
  "True if reading data may make symbols in PACKAGE: all but those of Lisp and of its tools."
  (and package
       (not (sb-ext:package-locked-p package))
       (not (member package (mapcar #'find-package '("KEYWORD" "JITI" "JITI-KERNEL"))))))

(defun simple-text (string)
  (coerce string '(simple-array character (*))))

(defun slot-names (object)
  "The names of the slots of OBJECT, but for those that a class keeps for all its objects."
  (loop with standardp = (typep object 'standard-object)
        for slot in (sb-mop:class-slots (class-of object))
        unless (and standardp (eq (sb-mop:slot-definition-allocation slot) :class))
          collect (sb-mop:slot-definition-name slot)))

(defun class-slot-names (class)
  "The names of the slots that CLASS itself defines and that all its objects share."
  (loop for slot in (sb-mop:class-direct-slots class)
        when (eq (sb-mop:slot-definition-allocation slot) :class)
          collect (sb-mop:slot-definition-name slot)))

(defun set-class-data (class properties)
  (sb-mop:finalize-inheritance class)
  (loop with prototype = (sb-mop:class-prototype class)
        for name in (class-slot-names class)
        do (let ((value (getf properties name *unbound*)))
             (if (eq value *unbound*)
                 (slot-makunbound prototype name)
                 (setf (slot-value prototype name) value)))))

(defclass jiti:directory-adapter (jiti:adapter) ()
  (:documentation "A folder of files that belong to the world."))

(defun files-folder (adapter)
  "The folder of ADAPTER, a directory adapter or its name."
  (merge-pathnames (format nil "~A/" (if (stringp adapter) adapter (jiti:adapter-name adapter)))
                   *files*))

(defun jiti:world-file (adapter path)
  "The pathname of the file PATH, a string with slashes, among those of the directory ADAPTER."
  (merge-pathnames (sb-ext:parse-native-namestring path) (files-folder adapter)))

(defun jiti:world-files (adapter)
  "The paths of all files of the directory ADAPTER: strings, sorted."
  (let* ((folder (files-folder adapter))
         (start (length (sb-ext:native-namestring folder))))
    (sort (loop for file in (directory (merge-pathnames "**/*.*" folder) :resolve-symlinks nil)
                when (or (pathname-name file) (pathname-type file))
                  collect (subseq (sb-ext:native-namestring file) start))
          #'string<)))
