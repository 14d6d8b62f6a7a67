(in-package #:jiti-kernel)

;;; The world adapter. The kernel manages only what an adapter can describe: one adapter for the
;;; Lisp image is always there, and a world that has more to it makes others. docs/adapters.md tells
;;; when each function of the protocol is called, and what comes of one that fails.

(defvar *adapters* '() "The adapters of this world, in the order in which they were made.")

(defclass adapter ()
  ((name :initarg :name :reader adapter-name :type string
         :documentation "What messages about the adapter call it, and its data in a revision."))
  (:documentation "Describes a part of the world to the kernel.

Base code makes an instance of a subclass, and from that moment on it takes part in every attempt. A
subclass has methods for what its part of the world needs; those of this class do nothing."))

(defmethod initialize-instance :after ((adapter adapter) &key)
  (let ((name (and (slot-boundp adapter 'name) (adapter-name adapter))))
    (unless (and (stringp name) (string/= name ""))
      (error "An adapter needs a :NAME, a string, not ~S." name))
    (when (find name *adapters* :key #'adapter-name :test #'string=)
      (error "There is an adapter named ~S already." name)))
  (setf *adapters* (append *adapters* (list adapter))))

(defgeneric observe (adapter part)
  (:documentation "What ADAPTER has to show of PART, which is :DEFINITIONS or :DATA.

For :DATA, a list of conses (PLACE . VALUE), where a place is a symbol, a number or a string. Write
methods for (EQL :DATA) alone: only the adapter of the image has definitions. Called in a process
that is thrown away afterwards.")
  (:method ((adapter adapter) part)
    (declare (ignore part))
    '()))

(defgeneric export-world (adapter part)
  (:documentation "What a revision must keep of PART, in the form that OBSERVE returns; by default
what that returns.

The values must be data: numbers, strings, lists, tables, objects of the world's classes.")
  (:method ((adapter adapter) part)
    (observe adapter part)))

(defgeneric import-world (adapter part items)
  (:documentation "Make ADAPTER's part what it was when EXPORT-WORLD, in another process, returned
ITEMS for PART. Not called where there were none.")
  (:method ((adapter adapter) part items)
    (declare (ignore part items))
    (values)))

(defgeneric record-form (adapter form thunk)
  (:documentation "Call THUNK, which evaluates FORM, and note what it did to ADAPTER's part.

Called for each top-level form of a proposal and of an import. FORM-TEXT of FORM is its text, with
the comments that belong to it. Returns the values of THUNK.")
  (:method ((adapter adapter) form thunk)
    (declare (ignore form))
    (funcall thunk)))

(defgeneric checkpoint (adapter)
  (:documentation "An attempt begins: return what RESTORE needs. Called before the world forks, when
the threads of all adapters have ended.")
  (:method ((adapter adapter))
    nil))

(defgeneric restore (adapter checkpoint)
  (:documentation "The attempt that began with CHECKPOINT was dropped and has left no trace in this
process: let it leave none in ADAPTER's part of the world either.")
  (:method ((adapter adapter) checkpoint)
    (declare (ignore checkpoint))
    (values)))

(defgeneric begin-fork (adapter role)
  (:documentation "This process has just been forked from another one that holds the world, to be a
:CANDIDATE, a :RUNNER or a :VERIFIER: part ADAPTER from what both would share, as files are.")
  (:method ((adapter adapter) role)
    (declare (ignore role))
    (values)))

(defgeneric promote (adapter)
  (:documentation "The attempt in this process was accepted, and its revision is on disk: from here
on this is the world.")
  (:method ((adapter adapter))
    (values)))

(defgeneric quiesce (adapter)
  (:documentation "Stop the threads of ADAPTER, if any run, and return when they have ended: the
process forks.")
  (:method ((adapter adapter))
    (values)))

(defgeneric resume-activity (adapter)
  (:documentation "Start the threads of ADAPTER: this process is the accepted world, and idle.

Where QUIESCE of an adapter has failed, some may still run: they are not started twice.")
  (:method ((adapter adapter))
    (values)))
