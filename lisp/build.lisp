(in-package #:cl-user)

;;; Writes a core that starts as a worker process:
;;;   sbcl --non-interactive --no-sysinit --no-userinit --load lisp/build.lisp OUTPUT

(load (merge-pathnames "files.lisp" *load-truename*))

(defun fail (control &rest arguments)
  (format *error-output* "~?~%" control arguments)
  (finish-output *error-output*)
  (sb-ext:exit :code 1))

(defun load-compiled (file fasl)
  "Compile FILE into FASL and load that."
  (multiple-value-bind (compiled warnings failure) (compile-file file :output-file fasl)
    (declare (ignore warnings))
    (when (or failure (null compiled))
      (fail "~A does not compile." file))
    (handler-bind ((sb-kernel:redefinition-with-defun
                     (lambda (warning)
                       (fail "~A: ~A, as another file of the kernel has it." file warning))))
      (load compiled))))

(let* ((output (first (last sb-ext:*posix-argv*)))
       ;; Compiled code goes beside the core for a moment: the source folder may be read-only.
       (fasl (concatenate 'string output ".fasl")))
  (unwind-protect
       (with-compilation-unit ()
         (dolist (file (kernel-files))
           (load-compiled file fasl)))
    (when (probe-file fasl)
      (delete-file fasl)))
  (funcall (intern "WARM-UP" '#:jiti-kernel))
  (sb-ext:save-lisp-and-die output :toplevel (intern "MAIN" '#:jiti-kernel)))
