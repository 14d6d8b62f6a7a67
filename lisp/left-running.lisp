(in-package #:jiti-kernel)

;;; What an evaluation has started and left running. Nothing but an adapter can manage it: a process
;;; with a second thread cannot be forked, and a timer goes off where nobody expects it.

(defvar *timers-before* '() "The timers that there were when the attempt began.")

(defconstant +join-seconds+ 1 "How long a thread that is to end may take.")

(defun threads-left ()
  "The threads beside the evaluation and SBCL's own."
  (set-difference (other-threads)
                  (list (sb-thread:main-thread) sb-impl::*finalizer-thread*)))

(defun end-thread (thread)
  "End THREAD, and wait for that."
  (ignore-errors ; it may have ended just now
   (sb-thread:terminate-thread thread))
  (sb-thread:join-thread thread :default nil :timeout +join-seconds+))

(defun refuse-what-is-left ()
  "End what the evaluation has left running, and signal ACTIVITY-LEFT if there was anything. Signal
MEMORY-DAMAGED after a memory fault, also after one that the code has handled."
  (when *memory-damaged*
    (error 'memory-damaged))
  (let ((threads (threads-left))
        (timers (set-difference (sb-ext:list-all-timers) *timers-before*)))
    (mapc #'sb-ext:unschedule-timer timers)
    (mapc #'end-thread threads)
    (when (or threads timers)
      (with-simple-restart (continue "Go on without it.")
        (error 'activity-left
               :names (append (loop for thread in threads
                                    collect (format nil "the thread ~A"
                                                    (sb-thread:thread-name thread)))
                              (loop for timer in timers
                                    collect (format nil "the timer ~A"
                                                    (sb-ext:timer-name timer)))))))))
