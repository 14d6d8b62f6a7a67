(in-package #:jiti-kernel)

;;; SBCL compiles what dispatches a generic function when it is first called. Without a core that
;;; has it already, each candidate would do so again: about 10 ms of every attempt.

(defun warm-up ()
  "Walk the paths of an attempt once, in a world that is dropped."
  (let ((*worker* (make-worker :role :candidate))
        (*evaluating-thread* sb-thread:*current-thread*)
        (*output* (make-collector *output-limit*))
        (*warnings* '()))
    (call-in-fresh-world
     (lambda ()
       (evaluate-forms (read-checked "(defun f (x) (print x)) (defvar *v* (list 1.5 \"s\" #\\c :k))
                                      (defclass c () ()) (defmethod f-of ((c c)) c) (warn \"w\")
                                      (f-of (make-instance 'c))")
                       t)
       (inspect-forms (read-checked "(list *v* #'f)"))
       (run-check "(goal \"g\" (= 2 (length *v*)))")
       (observe-world 100)
       (let ((stream (make-chunk-stream :data))) ; too little for a chunk
         (export-definitions stream)
         (export-data (constantly nil)))
       (warm-up-pause))
     '("WARMING"))))

(defun warm-up-pause ()
  "Describe conditions and restarts as a pause does."
  (dolist (condition (list (make-condition 'undefined-function :name 'f)
                           (make-condition 'unbound-variable :name 'f)
                           (make-condition 'type-error :datum 1 :expected-type 'list)
                           (make-condition 'simple-error :format-control "~A"
                                                         :format-arguments '(1))))
    (restart-case
        (let ((menu (restart-choices (live-restarts condition) 0)))
          (encode-frame (outcome :paused
                                 :condition (report-text condition)
                                 :restarts (mapcar #'choice-row menu)
                                 :frames (mapcar #'frame-row (attempt-frames)))))
      (continue ()))))
