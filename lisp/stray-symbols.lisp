(in-package #:jiti-kernel)

;;; Reading makes symbols. Where a text turns out to be unreadable or refused, they go again.

(defun present-symbols ()
  "All symbols that are present in managed packages: lists of a package and its symbols."
  (ensure-packages)
  (loop for package in (managed-packages)
        collect (let ((symbols '()))
                  (do-present-symbols (symbol package)
                    (push symbol symbols))
                  (cons package symbols))))

(defun remove-symbols-since (before)
  "Unintern what has become present since PRESENT-SYMBOLS returned BEFORE."
  (sb-ext:without-package-locks
    (loop for (package . symbols) in before
          when (package-name package)
            do (let ((known (make-hash-table :test 'eq)) (strays '()))
                 (dolist (symbol symbols)
                   (setf (gethash symbol known) t))
                 (do-present-symbols (symbol package)
                   (unless (gethash symbol known)
                     (push symbol strays)))
                 (dolist (symbol strays)
                   (unintern symbol package))))))

(defmacro leaving-no-symbols (&body body)
  "The values of BODY, which reads a text. Unless it returns, the symbols that it made in managed
packages are gone afterwards."
  (let ((before (gensym "BEFORE")) (done (gensym "DONE")))
    `(let ((,before (present-symbols)) (,done nil))
       (unwind-protect (multiple-value-prog1 (progn ,@body)
                         (setf ,done t))
         (unless ,done
           (remove-symbols-since ,before))))))
