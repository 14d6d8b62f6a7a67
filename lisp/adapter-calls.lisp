(in-package #:jiti-kernel)

;;; How the kernel calls adapters. Their methods are code that a user wrote: they may signal, or
;;; never return until the controller says that the time is over.

(define-condition adapter-failed (kernel-error) ()
  (:documentation "A method of an adapter did not return. The reason names both."))

(defun adapter-failure (operation adapter condition)
  "The condition that says that OPERATION of ADAPTER ended by CONDITION."
  (make-condition 'adapter-failed
                  :reason (format nil "The adapter ~A failed in ~(~A~): ~A"
                                  (adapter-name adapter) operation
                                  (typecase condition
                                    (kernel-error (condition-reason condition))
                                    (time-limit "it did not return in time.")
                                    (t (condition-text condition))))))

(defun call-adapter (operation adapter &rest arguments)
  "The values of OPERATION, a function of the adapter protocol.

Signals ADAPTER-FAILED, or NOT-RECONSTRUCTIBLE where the method has found what cannot be kept."
  (call-until-condition
   (lambda () (apply operation adapter arguments))
   (lambda (condition)
     (error (if (typep condition 'not-reconstructible)
                condition
                (adapter-failure operation adapter condition))))))

(defun item-p (object)
  (and (consp object) (typep (first object) '(or symbol number string))))

(defun call-reader (reader adapter part)
  "What READER, which is OBSERVE or EXPORT-WORLD, gives for PART. Signals as CALL-ADAPTER does."
  (let ((items (call-adapter reader adapter part)))
    (unless (or (typep adapter 'image-adapter)
                (and (listp items) (ignore-errors (list-length items)) (every #'item-p items)))
      (error 'adapter-failed
             :reason (format nil "The adapter ~A failed in ~(~A~): it gave no list of (PLACE . ~
                                  VALUE), where a place is a symbol, a number or a string."
                             (adapter-name adapter) reader)))
    items))

(defun call-record-form (adapter form thunk)
  "The values of RECORD-FORM. What THUNK itself signals goes where it would go without ADAPTER."
  (let ((outside *on-condition*) (failure nil))
    (block recording
      (return-from call-record-form
        (let ((*on-condition* (lambda (condition)
                                (setf failure condition)
                                (return-from recording))))
          (record-form adapter form (lambda ()
                                      (let ((*on-condition* outside))
                                        (funcall thunk)))))))
    (error (adapter-failure 'record-form adapter failure))))

(defun call-recording-form (form thunk)
  "Call THUNK, which evaluates FORM, while every adapter notes what it does. Returns its values.
Signals ADAPTER-FAILED."
  (funcall (reduce (lambda (thunk adapter)
                     (if (typep adapter 'image-adapter)
                         (lambda () (record-form adapter form thunk))
                         (lambda () (call-record-form adapter form thunk))))
                   *adapters* :initial-value thunk)))

(defmethod initialize-instance :before ((adapter adapter) &key)
  (when (and *worker* (member (worker-role *worker*) '(:candidate :runner)))
    (error "An adapter is made by base code, where a fresh process finds it too.")))

(defmacro unless-given-up (&body body)
  "The value of BODY. When an adapter fails in it, this process serves nothing any more."
  `(handler-case (progn ,@body)
     (adapter-failed (condition)
       (setf (worker-failure *worker*) condition)
       (refused "~A" (condition-reason condition)))))

;;; Threads

(defun quiesce-adapters ()
  "Stop the threads of the world. Signals ADAPTER-FAILED; then some of them may run."
  (dolist (adapter *adapters*)
    (call-adapter 'quiesce adapter)))

(defun resume-adapters ()
  "Start the threads of the world. An adapter that fails is a trouble; the others go on."
  (expect-threads)
  (dolist (adapter *adapters*)
    (handler-case (call-adapter 'resume-activity adapter)
      (adapter-failed (condition)
        (note-trouble "~A" (condition-reason condition))))))

;;; Forks

(defun begin-fork-of-adapters (role)
  "Call BEGIN-FORK of all adapters in this process, which was just forked to be ROLE. When one
fails, the process serves nothing any more."
  (handler-case (dolist (adapter *adapters*)
                  (call-adapter 'begin-fork adapter role))
    (kernel-error (condition)
      (setf (worker-failure *worker*) condition))))
