(in-package #:jiti-kernel)

;;; The filter of system calls that a world or a verifier sets for itself and all that it forks. The
;;; controller makes it; here it is but numbers.

(defconstant +pr-set-no-new-privs+ 38)
(defconstant +pr-set-seccomp+ 22)
(defconstant +seccomp-mode-filter+ 2)
(defconstant +instruction-octets+ 8 "The size of struct sock_filter.")

(defvar *confinement* '()
  "The filter as octets, an array of struct sock_filter; empty where there is no sandbox.")

(defun hexadecimal-octets (text)
  "The octets that TEXT writes with two hexadecimal digits each."
  (let ((octets (make-array (floor (length text) 2) :element-type '(unsigned-byte 8))))
    (dotimes (index (length octets) octets)
      (setf (aref octets index)
            (parse-integer text :start (* 2 index) :end (+ 2 (* 2 index)) :radix 16)))))

(defun confine-process ()
  "Set the filter. It cannot be taken off again, and forks inherit it."
  (when (plusp (length *confinement*))
    (set-process-control +pr-set-no-new-privs+ 1)
    (sb-sys:with-pinned-objects (*confinement*)
      ;; struct sock_fprog: how many instructions, and where they are.
      (sb-alien:with-alien ((program (array sb-alien:unsigned-long 2)))
        (setf (sb-alien:deref program 0) (floor (length *confinement*) +instruction-octets+)
              (sb-alien:deref program 1) (sb-sys:sap-int (sb-sys:vector-sap *confinement*)))
        (checked-posix-call "prctl" sb-alien:int
                            (sb-alien:int +pr-set-seccomp+)
                            (sb-alien:unsigned-long +seccomp-mode-filter+)
                            ((* (array sb-alien:unsigned-long 2)) (sb-alien:addr program)))))))
