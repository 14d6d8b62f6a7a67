;;; What code that wants out of the sandbox has in its hands: base code of the worlds of
;;; tests/kernel/test_escapes.py, so that the form policy is out of the way.

(defpackage #:escape
  (:use #:common-lisp)
  (:export #:sys #:sh #:readable #:writable #:parent #:with-memory #:connect #:descriptors #:hello
           #:fork-bomb))

(defpackage #:world
  (:use #:common-lisp #:escape))

(in-package #:escape)

(defun sys (number &rest arguments)
  "The result of the system call, or minus the error's number."
  (let ((result (apply #'call number (append arguments (make-list (- 6 (length arguments))
                                                                  :initial-element 0)))))
    (if (minusp result) (- (sb-alien:get-errno)) result)))

(defun call (number a b c d e f)
  (sb-alien:alien-funcall
   (sb-alien:extern-alien "syscall"
                          (function sb-alien:long sb-alien:long sb-alien:long sb-alien:long
                                    sb-alien:long sb-alien:long sb-alien:long sb-alien:long))
   number a b c d e f))

(defmacro with-memory ((address octets) &body body)
  "Run BODY with the address of OCTETS, a vector or a string."
  `(let ((octets (etypecase ,octets
                   (string (sb-ext:string-to-octets ,octets :null-terminate t))
                   (vector (coerce ,octets '(simple-array (unsigned-byte 8) (*)))))))
     (sb-sys:with-pinned-objects (octets)
       (let ((,address (sb-sys:sap-int (sb-sys:vector-sap octets))))
         ,@body))))

(defun sh (command)
  "What a shell command prints on either output."
  (string-right-trim '(#\Newline)
                     (with-output-to-string (out)
                       (sb-ext:run-program "/bin/sh" (list "-c" command) :output out :error out))))

(defun readable (path)
  "0 if the file can be opened for reading, or minus the error's number."
  (with-memory (address path)
    (let ((descriptor (sys 2 address 0)))
      (if (minusp descriptor) descriptor (sys 3 descriptor)))))

(defun writable (path)
  "0 if the file can be opened for writing, or made, or minus the error's number."
  (with-memory (address path)
    (let ((descriptor (sys 2 address #o102 #o600)))
      (if (minusp descriptor) descriptor (sys 3 descriptor)))))

(defun parent (&optional (rest ""))
  "The process that this one was forked from; with REST, the path of one of its files in /proc."
  (if (string= rest "") (sys 110) (format nil "/proc/~D/~A" (sys 110) rest)))

(defun connect (name)
  "A descriptor of a connection to the Unix socket NAME, or minus the error's number. A name that
begins with @ is an abstract one."
  (let ((octets (make-array 110 :element-type '(unsigned-byte 8) :initial-element 0))
        (descriptor (sys 41 1 1 0)))
    (setf (aref octets 0) 1)
    (replace octets (sb-ext:string-to-octets (substitute #\Nul #\@ name :count 1)) :start1 2)
    (let ((result (with-memory (address octets)
                    (sys 42 descriptor address (+ 2 (length name))))))
      (cond ((minusp result) (sys 3 descriptor) result)
            (t descriptor)))))

(defun hello (times role nonce)
  "Say a hello to the controller TIMES times: how many connections were made."
  (let ((message (format nil "(:hello :role :~A :nonce ~S :pid ~D)" role nonce (sys 39))))
    (loop repeat times
          count (let ((descriptor (connect "/run/jiti/socket")))
                  (when (plusp descriptor)
                    (let ((text (format nil "~(~6,'0X~)~A" (length message) message)))
                      (with-memory (address text)
                        (sys 1 descriptor address (length text))))
                    (sys 3 descriptor)
                    t)))))

(defun descriptors ()
  "What the open descriptors of this process lead to, the connection's number left out."
  (loop for descriptor below 256
        for buffer = (make-array 200 :element-type '(unsigned-byte 8) :initial-element 0)
        for length = (with-memory (path (format nil "/proc/self/fd/~D" descriptor))
                       (sb-sys:with-pinned-objects (buffer)
                         (sys 89 path (sb-sys:sap-int (sb-sys:vector-sap buffer)) 200)))
        when (plusp length)
          collect (let ((target (sb-ext:octets-to-string buffer :end length)))
                    (subseq target 0 (position #\[ target)))))

(defun fork-bomb ()
  "Fork until no more can be forked, 1,000 times at most, and leave the children running: how many
there are."
  (loop repeat 1000
        for pid = (sys 57)
        while (plusp pid)
        count t
        finally (when (zerop pid) (loop (sys 34)))))
