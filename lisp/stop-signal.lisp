(in-package #:jiti-kernel)

;;; SBCL's collector stops the other threads of its process with SIGUSR2. Sent from elsewhere to a
;;; process with one thread, the signal stops that thread for ever, and a candidate may send it to
;;; its world (tgkill of a thread that is not one's own cannot be told apart by a filter). So a
;;; process that holds a world ignores it from its first fork on, until it runs threads again.

(defconstant +sigusr2+ 12)
(defconstant +ignored+ 1 "SIG_IGN of signal.h.")
(defconstant +sigaction-octets+ 152 "The size of struct sigaction of the C library.")

(defvar *stop-action* nil "How SBCL handles SIGUSR2: a struct sigaction as octets.")

(defun exchange-signal-action (signal action)
  "Handle SIGNAL by ACTION, a struct sigaction as octets. Returns how it was handled before."
  (declare (type octets action))
  (let ((old (make-array +sigaction-octets+ :element-type '(unsigned-byte 8))))
    (sb-sys:with-pinned-objects (old action)
      (checked-posix-call "sigaction" sb-alien:int
                          (sb-alien:int signal)
                          (sb-sys:system-area-pointer (sb-sys:vector-sap action))
                          (sb-sys:system-area-pointer (sb-sys:vector-sap old))))
    old))

(defun heed-stop-signal ()
  "Let the collector stop this process's threads again."
  (when *stop-action*
    (exchange-signal-action +sigusr2+ (shiftf *stop-action* nil))))

(defun ignore-stop-signal ()
  "Ignore SIGUSR2. This process has one thread."
  (unless *stop-action*
    (let ((ignoring (make-array +sigaction-octets+ :element-type '(unsigned-byte 8)
                                                   :initial-element 0)))
      (setf (aref ignoring 0) +ignored+
            *stop-action* (exchange-signal-action +sigusr2+ ignoring)))))

(defun guard-fork ()
  "If this process holds a world, have it ignore SIGUSR2: it is about to fork what runs code of that
world. The process has one thread."
  (when (member (worker-role *worker*) '(:world :verifier))
    (ignore-stop-signal)))

(defun expect-threads ()
  "Heed SIGUSR2 again if the world has an adapter that may start threads: it is about to."
  (when (some (lambda (adapter)
                (rest (compute-applicable-methods #'resume-activity (list adapter))))
              *adapters*)
    (heed-stop-signal)))
