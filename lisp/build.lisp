(in-package #:cl-user)

;;; Writes a core that starts as a worker process:
;;;   sbcl --non-interactive --no-sysinit --no-userinit --load lisp/build.lisp OUTPUT

(load (merge-pathnames "files.lisp" *load-truename*))

(let* ((output (first (last sb-ext:*posix-argv*)))
       ;; Compiled code goes beside the core for a moment: the source folder may be read-only.
       (fasl (concatenate 'string output ".fasl")))
  (unwind-protect
       (with-compilation-unit ()
         (dolist (file (kernel-files))
           (multiple-value-bind (compiled warnings failure) (compile-file file :output-file fasl)
             (declare (ignore warnings))
             (when (or failure (null compiled))
               (format *error-output* "~A does not compile.~%" file)
               (sb-ext:exit :code 1 :abort t))
             (load compiled))))
    (when (probe-file fasl)
      (delete-file fasl)))
  (sb-ext:save-lisp-and-die output :toplevel (intern "MAIN" '#:jiti-kernel)))
