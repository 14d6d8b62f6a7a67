(in-package #:jiti-kernel)

;;; The system calls that the kernel makes. Numbers are those of Linux; see the manual page of each.

(defconstant +af-unix+ 1)
(defconstant +sock-stream+ 1)
(defconstant +sock-cloexec+ #o2000000)
(defconstant +eintr+ 4)
(defconstant +sighup+ 1)
(defconstant +sigint+ 2)
(defconstant +sigkill+ 9)
(defconstant +sigterm+ 15)
(defconstant +sigchld+ 17)
(defconstant +sigxcpu+ 24)
(defconstant +wnohang+ 1)
(defconstant +init+ 1 "The pid of the first process of the sandbox.")
(defconstant +pr-set-dumpable+ 4)
(defconstant +pr-set-child-subreaper+ 36)
(defconstant +madv-hugepage+ 14)
(defconstant +rlimit-cpu+ 0)
(defconstant +rlimit-fsize+ 1)
(defconstant +rlimit-core+ 4)
(defconstant +rlimit-nproc+ 6)
(defconstant +rlimit-nofile+ 7)
(defconstant +rlimit-as+ 9)

(defconstant +socket-path-octets+ 108 "The size of sun_path, its final zero included (unix(7)).")

(define-condition posix-error (kernel-error)
  ((number :initarg :number :reader posix-error-number :documentation "errno"))
  (:documentation "A system call failed."))

(defmacro posix-call (name result-type &rest typed-arguments)
  "Call the C function NAME; TYPED-ARGUMENTS are (ALIEN-TYPE VALUE)."
  `(sb-alien:alien-funcall
    (sb-alien:extern-alien ,name (function ,result-type ,@(mapcar #'first typed-arguments)))
    ,@(mapcar #'second typed-arguments)))

(defun posix-failure (name)
  "Signal POSIX-ERROR for errno, which the call of the C function NAME has set."
  (let ((number (sb-alien:get-errno)))
    (error 'posix-error :number number
                        :reason (format nil "~A: ~A" name (sb-int:strerror number)))))

(defmacro checked-posix-call (name result-type &rest typed-arguments)
  "As POSIX-CALL, but a negative result signals POSIX-ERROR."
  (let ((result (gensym "RESULT")))
    `(let ((,result (posix-call ,name ,result-type ,@typed-arguments)))
       (if (minusp ,result) (posix-failure ,name) ,result))))

;;; Descriptors

(defun connect-unix-socket (path)
  "The descriptor of a new connection to the Unix socket at PATH."
  (let ((name (sb-ext:string-to-octets path :external-format :utf-8))
        (address (make-array (+ 2 +socket-path-octets+) :element-type '(unsigned-byte 8)
                                                        :initial-element 0)))
    (unless (< 0 (length name) +socket-path-octets+)
      (error 'kernel-error :reason (format nil "No socket can be at ~S." path)))
    (setf (aref address 0) +af-unix+)
    (replace address name :start1 2)
    (let ((descriptor (checked-posix-call "socket" sb-alien:int
                                          (sb-alien:int +af-unix+)
                                          (sb-alien:int (logior +sock-stream+ +sock-cloexec+))
                                          (sb-alien:int 0))))
      (sb-sys:with-pinned-objects (address)
        (checked-posix-call "connect" sb-alien:int
                            (sb-alien:int descriptor)
                            (sb-sys:system-area-pointer (sb-sys:vector-sap address))
                            (sb-alien:unsigned-int (length address))))
      descriptor)))

(defun close-descriptor (descriptor)
  (posix-call "close" sb-alien:int (sb-alien:int descriptor)))

(defmacro transfer-octets (name descriptor octets)
  "Call read(2) or write(2) until all of OCTETS went through. Signals CONTROLLER-LOST."
  `(loop with position fixnum = 0
         while (< position (length ,octets))
         do (let ((count (sb-sys:with-pinned-objects (,octets)
                           (posix-call ,name sb-alien:long
                                       (sb-alien:int ,descriptor)
                                       (sb-sys:system-area-pointer
                                        (sb-sys:sap+ (sb-sys:vector-sap ,octets) position))
                                       (sb-alien:unsigned-long (- (length ,octets) position))))))
              (cond ((plusp count) (incf position count))
                    ((and (minusp count) (= (sb-alien:get-errno) +eintr+)))
                    (t (error 'controller-lost))))))

(defun read-octets (descriptor size)
  "The next SIZE octets from DESCRIPTOR."
  (let ((octets (make-array size :element-type '(unsigned-byte 8))))
    (transfer-octets "read" descriptor octets)
    octets))

(defun write-octets (descriptor octets)
  (declare (type octets octets))
  (transfer-octets "write" descriptor octets))

;;; Processes

(defun process-id ()
  (posix-call "getpid" sb-alien:int))

(defun parent-process-id ()
  (posix-call "getppid" sb-alien:int))

(defun end-process (code)
  "End this process at once: nothing is unwound, nothing is flushed."
  (posix-call "_exit" sb-alien:void (sb-alien:int code)))

(defun signal-process (pid signal)
  "Send SIGNAL to PID. A process that is gone is no error."
  (posix-call "kill" sb-alien:int (sb-alien:int pid) (sb-alien:int signal)))

(defun reap-child (pid &key wait)
  "True when the child PID is gone: reaped now, or before. WAIT waits until it is."
  (loop for result = (posix-call "waitpid" sb-alien:int
                                 (sb-alien:int pid)
                                 (sb-sys:system-area-pointer (sb-sys:int-sap 0))
                                 (sb-alien:int (if wait 0 +wnohang+)))
        unless (and (minusp result) (= (sb-alien:get-errno) +eintr+))
          return (/= result 0)))

(defun child-process-ids ()
  "The pids of the living children and zombies of this process, whichever thread made them."
  (loop for file in (directory "/proc/self/task/*/children" :resolve-symlinks nil)
        append (with-open-file (stream file :if-does-not-exist nil)
                 (and stream
                      (loop for pid = (read-decimal stream) while pid collect pid)))))

(defun read-decimal (stream)
  "The next decimal number in STREAM, or nil at its end."
  (loop for digit = (let ((character (read-char stream nil)))
                      (and character (digit-char-p character)))
        for number = digit then (if digit (+ digit (* 10 number)) number)
        while digit
        finally (return number)))

(defun set-process-control (option value)
  (checked-posix-call "prctl" sb-alien:int
                      (sb-alien:int option) (sb-alien:unsigned-long value)
                      (sb-alien:unsigned-long 0) (sb-alien:unsigned-long 0)
                      (sb-alien:unsigned-long 0)))

(defun become-subreaper ()
  "Adopt the orphans of all processes below this one."
  (set-process-control +pr-set-child-subreaper+ 1))

(defun forbid-tracing ()
  "Keep processes of the same user from reading or changing this one's memory; forks inherit it."
  (set-process-control +pr-set-dumpable+ 0))

(defun limit-resource (resource amount)
  "Let this process and its forks have no more than AMOUNT of RESOURCE (setrlimit(2)).
Where they may have less already, that stays: only root may raise it."
  (sb-alien:with-alien ((limit (array sb-alien:unsigned-long 2)))
    (checked-posix-call "getrlimit" sb-alien:int
                        (sb-alien:int resource)
                        ((* (array sb-alien:unsigned-long 2)) (sb-alien:addr limit)))
    (let ((allowed (min amount (sb-alien:deref limit 1))))
      (setf (sb-alien:deref limit 0) allowed
            (sb-alien:deref limit 1) allowed))
    (checked-posix-call "setrlimit" sb-alien:int
                        (sb-alien:int resource)
                        ((* (array sb-alien:unsigned-long 2)) (sb-alien:addr limit)))))

(defun mapped-octets ()
  "The size of this process's address space as far as it is mapped (proc(5), statm)."
  (with-open-file (stream "/proc/self/statm")
    (* (read-decimal stream) (posix-call "getpagesize" sb-alien:int))))

(defun advise-huge-pages (start size)
  "Ask for huge pages in SIZE octets of memory from the address START. True if the system agrees."
  (zerop (posix-call "madvise" sb-alien:int
                     (sb-sys:system-area-pointer (sb-sys:int-sap start))
                     (sb-alien:unsigned-long size)
                     (sb-alien:int +madv-hugepage+))))
