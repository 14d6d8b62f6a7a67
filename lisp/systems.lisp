(in-package #:jiti-kernel)

;;; The ASDF systems of a base. A process of its own loads them once and saves itself as a core;
;;; whatever starts from that core has them. ASDF is there only in such processes, hence the names.

(defun asdf (name &rest arguments)
  "Call the function of ASDF, or of the UIOP within it, that NAME names."
  (apply (find-symbol name "ASDF") arguments))

(defun folder-pathname (name)
  (sb-ext:parse-native-namestring name nil *default-pathname-defaults* :as-directory t))

(defun prepare-asdf (folders output)
  "Load ASDF, and let it look for systems in FOLDERS alone, which are (NAME TREE-P) in order of
precedence. Compiled files go below the folder OUTPUT."
  (require "asdf")
  (asdf "INITIALIZE-SOURCE-REGISTRY"
        `(:source-registry
          ,@(loop for (name tree) in folders
                  collect (list (if tree :tree :directory) (folder-pathname name)))
          :ignore-inherited-configuration))
  (asdf "INITIALIZE-OUTPUT-TRANSLATIONS"
        `(:output-translations (t (,(folder-pathname output) :**/ :*.*.*))
                               :ignore-inherited-configuration))
  ;; A warning of the compiler is no reason to go without the system: its author may live with it.
  (set (find-symbol "*COMPILE-FILE-FAILURE-BEHAVIOUR*" "ASDF") :warn))

(defun file-under-way (output)
  "The source file that is being compiled or loaded, as text, or NIL. Compiled files lie below the
folder OUTPUT, each at the whole path of its source."
  (let ((output (sb-ext:native-namestring (folder-pathname output)))
        (path (or *compile-file-truename* *load-truename*)))
    (when path
      (let* ((name (sb-ext:native-namestring path))
             (compiled (starts-with-p output name))
             (source (if compiled (subseq name (1- (length output))) name)))
        (if (equal (pathname-type path) "fasl")
            (concatenate 'string (subseq source 0 (- (length source) (length "fasl"))) "lisp")
            source)))))

(defun missing-system-reason (condition folders)
  "Why CONDITION, ASDF's complaint that it does not find a system, was signalled."
  (let ((wanted (string-downcase (asdf "MISSING-REQUIRES" condition)))
        (by (and (typep condition (find-symbol "MISSING-DEPENDENCY" "ASDF"))
                 (asdf "COMPONENT-NAME"
                       (asdf "COMPONENT-SYSTEM" (asdf "MISSING-REQUIRED-BY" condition))))))
    (format nil "No system named ~A~@[, which ~A needs~]; looked in ~:[no folder, since none is ~
                 there~;~:*~{~A~^, ~}~]."
            wanted by (mapcar #'first folders))))

(defun compiler-complaint (output)
  "What the compiler said last of an error, where OUTPUT is all that it has said, or NIL."
  (let* ((mark "caught ERROR:")
         (start (search mark output :from-end t)))
    (when start
      (let ((end (search (format nil "~2%") output :start2 start)))
        (one-line (remove #\; (subseq output (+ start (length mark))
                                      (min (or end (length output)) (+ start 600)))))))))

(defun load-systems (names folders output)
  "Load the systems called NAMES. Signals BASE-FAILED."
  (let ((place nil) (said (make-string-output-stream)))
    (flet ((fail (reason &key (file "") (type ""))
             (error 'base-failed :file file :reason reason :type type)))
      (call-until-condition
       (lambda ()
         (prepare-asdf folders output)
         (handler-bind ((serious-condition
                          (lambda (condition)
                            (declare (ignore condition))
                            (setf place (or (file-under-way output) place)))))
           (with-captured-streams (said)
             (dolist (name names)
               (asdf "LOAD-SYSTEM" name)))))
       (lambda (condition)
         (cond ((typep condition (find-symbol "MISSING-COMPONENT" "ASDF"))
                (fail (missing-system-reason condition folders)))
               ((typep condition (find-symbol "COMPILE-FILE-ERROR" "ASDF"))
                (fail (or (compiler-complaint (get-output-stream-string said))
                          (report-text condition))
                      :file (or place "")))
               (t
                (fail (report-text condition)
                      :file (or place "") :type (type-text condition)))))))
    (let ((thread (find-if-not #'sb-thread::thread-ephemeral-p (other-threads))))
      (when thread
        (error 'base-failed
               :file ""
               :reason (format nil "A system leaves a thread running~@[, ~A~]. Start it in a base ~
                                    file, with an adapter that stops it."
                               (sb-thread:thread-name thread)))))))

(defun loaded-files ()
  "The source files of the systems that ASDF has loaded, except SBCL's own, as (SYSTEM FILE)."
  (let ((home (sb-ext:native-namestring (sb-int:sbcl-homedir-pathname))) (files '()))
    (labels ((note (system path)
               (let ((name (and path (probe-file path) (sb-ext:native-namestring path))))
                 (when (and name (pathname-name path)
                            (not (starts-with-p home name)))
                   (pushnew (list system name) files :test #'equal))))
             (walk (system component)
               (if (typep component (find-symbol "PARENT-COMPONENT" "ASDF"))
                   (dolist (child (asdf "COMPONENT-CHILDREN" component))
                     (walk system child))
                   (note system (asdf "COMPONENT-PATHNAME" component)))))
      (dolist (name (asdf "ALREADY-LOADED-SYSTEMS"))
        (let ((system (asdf "FIND-SYSTEM" name)))
          (note name (asdf "SYSTEM-SOURCE-FILE" system))
          (walk name system))))
    (sort files #'string< :key (lambda (file) (format nil "~{~A ~A~}" file)))))
