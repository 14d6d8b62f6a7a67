(in-package #:jiti-kernel)

;;; What a worker process knows of itself, and how it answers requests.

(defstruct worker
  "This process. There is one."
  (role :keeper :type (member :keeper :world :verifier :candidate :runner))
  (ready nil) ; true in a candidate whose evaluation returned
  socket-path
  descriptor ; of the connection
  (generation 0)
  (revision 0)
  (children '()) ; pids of forks that are not known to be reaped
  (failure nil) ; why this process can serve nothing any more, a KERNEL-ERROR
  (troubles '() :type t)) ; sentences that the controller has not been told yet, newest first

(defvar *worker* nil "The worker that this process is.")

(defvar *pause* nil "The innermost pause of this candidate, or NIL.")

(defun situation ()
  "What decides which requests can be served: the role, and for a candidate what it is doing."
  (cond ((not (eq (worker-role *worker*) :candidate)) (worker-role *worker*))
        (*pause* :paused)
        ((worker-ready *worker*) :ready)
        (t :idle)))

(defun generation ()
  (worker-generation *worker*))

(defun step-generation ()
  (incf (worker-generation *worker*)))

;;; Messages

(defmacro while-connected (&body body)
  "The value of BODY. When the connection ends or the controller breaks the wire's rules in it,
there is nobody left to work for."
  `(handler-case (progn ,@body)
     ((or controller-lost posix-error wire-error) (condition)
       (end-orphan condition))))

(defun send (message)
  "Send MESSAGE, or :FAILED with the reason when the wire cannot carry it."
  (let ((frame (handler-case (encode-frame message)
                 (wire-error (condition)
                   (encode-frame (list :failed :reason (condition-reason condition)))))))
    (while-connected
      (write-octets (worker-descriptor *worker*) frame))))

(defun receive ()
  "The next message of the controller."
  (while-connected
    (let* ((descriptor (worker-descriptor *worker*))
           (size (decode-header (read-octets descriptor +header-octets+))))
      (decode-message (read-octets descriptor size)))))

(defun end-worker (code)
  "End this process. The keeper first ends all the others."
  (when (eq (worker-role *worker*) :keeper)
    (kill-children-except '()))
  (end-process code))

(defun end-orphan (condition)
  "End this process, which has lost its controller by CONDITION."
  (unless (typep condition 'controller-lost)
    (format sb-sys:*stderr* "~&jiti-kernel: ~A~%" (condition-reason condition))
    (finish-output sb-sys:*stderr*))
  (end-worker 1))

(defun say-hello (nonce)
  "Open this process's own connection."
  (setf (worker-descriptor *worker*)
        (while-connected (connect-unix-socket (worker-socket-path *worker*))))
  (send (list :hello :role (worker-role *worker*) :nonce nonce :pid (process-id))))

;;; Requests

(defmacro with-valid ((variable form) &body body)
  "Run BODY with VARIABLE as the value of FORM. When FORM signals INVALID-TEXT, the value is the
reply :INVALID instead."
  (let ((problem (gensym "PROBLEM")))
    `(multiple-value-bind (,variable ,problem)
         (handler-case ,form
           (invalid-text (condition) (values nil condition)))
       (if ,problem (invalid ,problem) (progn ,@body)))))

(defun invalid (condition)
  "The reply for CONDITION, an INVALID-TEXT."
  (list :invalid :reason (condition-reason condition)
                 :line (condition-line condition) :column (condition-column condition)))

(deftype natural () 'unsigned-byte)

(defun strings-p (object)
  (and (listp object) (every #'stringp object)))

(deftype strings () '(satisfies strings-p))

(defun naturals-p (object)
  (and (listp object) (every (lambda (item) (typep item 'natural)) object)))

(deftype naturals () '(satisfies naturals-p))

(deftype part () '(member :definitions :data :block))

(defstruct request
  "A kind of request. PARAMETERS are (KEYWORD TYPE), in the order of FUNCTION's parameters."
  situations parameters function)

(defvar *requests* (make-hash-table :test 'eq) "Requests by their kind.")

(defmacro define-request (kind situations parameters &body body)
  "Define how a request of KIND is answered in SITUATIONS. PARAMETERS are (NAME TYPE), and arrive
under the keyword of the same name; one that is absent is NIL. The value of BODY is the reply, NIL
for none. BODY may send messages of its own before that, and may run code of the world."
  `(setf (gethash ,kind *requests*)
         (make-request
          :situations ',situations
          :parameters ',(loop for (name type) in parameters
                              collect (list (intern (symbol-name name) '#:keyword) type))
          :function (lambda ,(mapcar #'first parameters) ,@body))))

(defun refused (control &rest arguments)
  "The reply that a request cannot be served, for the reason that CONTROL and ARGUMENTS are as
text."
  (list :refused :reason (apply #'format nil control arguments)))

(defun request-arguments (request properties)
  "The arguments for REQUEST's function, or :MALFORMED and the key at fault."
  (loop for (key type) in (request-parameters request)
        for argument = (getf properties key)
        unless (typep argument type)
          return (values :malformed key)
        collect argument))

(defun answer (message)
  "The reply to MESSAGE, or NIL."
  (let* ((kind (and (consp message) (first message)))
         (properties (and (consp message) (rest message)))
         (request (gethash kind *requests*)))
    (cond ((or (null request) (oddp (length properties)))
           (refused "No request is called ~(~S~)." kind))
          ((and (worker-failure *worker*) (not (eq kind :exit)))
           (refused "~A" (condition-reason (worker-failure *worker*))))
          ((not (or (member (situation) (request-situations request))
                    (member :any (request-situations request))))
           (refused "~(~S~) cannot be served: the process is ~A." kind
                    (ecase (situation)
                      (:keeper "the keeper")
                      (:world "the world")
                      (:verifier "a verifier")
                      (:runner "a runner")
                      (:idle "a candidate that has evaluated nothing yet")
                      (:paused "a candidate that is paused")
                      (:ready "a candidate whose evaluation has returned"))))
          (t
           (multiple-value-bind (arguments key) (request-arguments request properties)
             (cond ((eq arguments :malformed)
                    (refused "~(~S ~S~) is missing or malformed." kind key))
                   (t
                    (setf *time-limit* nil) ; that of an earlier request
                    (apply (request-function request) arguments))))))))

(defconstant +trouble-count+ 20 "How many troubles are kept until the controller is told.")

(defun note-trouble (control &rest arguments)
  "Have the controller told of something that went wrong beside its requests. From any thread."
  (when (< (length (worker-troubles *worker*)) +trouble-count+)
    (sb-ext:atomic-push (apply #'format nil control arguments) (worker-troubles *worker*))))

(defun add-troubles (reply)
  "REPLY, with the troubles that the controller has not been told of yet."
  (let ((troubles (loop for troubles = (worker-troubles *worker*)
                        until (eq troubles (sb-ext:compare-and-swap (worker-troubles *worker*)
                                                                    troubles '()))
                        finally (return troubles))))
    (if troubles
        (append reply (list :troubles (reverse troubles)))
        reply)))

(defun serve ()
  "Answer requests for ever."
  (loop
    (let ((reply (answer (receive))))
      (when reply (send (add-troubles reply))))))

(define-request :exit (:any) ()
  (end-worker 0))

(defun read-checked (text)
  "The forms in TEXT. Signals INVALID-TEXT when it does not read or the policy refuses it; then no
symbol is left of it."
  (leaving-no-symbols
    (let ((forms (read-forms text)))
      (check-policy forms text)
      forms)))

(defmacro unless-stale ((generation) &body body)
  "The value of BODY, or the reply :STALE unless GENERATION is this process's own."
  `(if (= ,generation (generation))
       (progn ,@body)
       (list :stale :generation (generation))))
