(in-package #:jiti-kernel)

;;; A world for a moment, beside the one that this process holds.

(defun call-in-fresh-world (function packages)
  "Call FUNCTION while the process seems to hold no world but an empty one with PACKAGES. Packages
that FUNCTION makes are gone afterwards."
  (let ((*opened-packages* '())
        (*made-packages* '())
        (*base-packages* '())
        (*allow* '())
        (*deny* '())
        (*forms-bytes* 65536)
        (*depth* 200)
        (*definitions* '())
        (*providers* (make-hash-table :test 'equal))
        (*base-things* (make-hash-table :test 'equal))
        (*base-state* (make-hash-table :test 'equal))
        (*base-features* *base-features*)
        (*kept-places* '())
        (*entries* (make-hash-table :test 'eq))
        (*global-things* '())
        (*methods* (make-hash-table :test 'equal))
        (*method-events* '())
        (*suite-memory* (make-memory))
        (*table* (make-table))
        (sb-c::*policy* sb-c::*policy*)
        (before (list-all-packages)))
    (unwind-protect
         (progn
           (open-world :packages packages)
           (funcall function))
      (sb-ext:without-package-locks
        (dolist (package (set-difference (list-all-packages) before))
          (dolist (user (package-used-by-list package))
            (unuse-package package user))
          (delete-package package))))))
