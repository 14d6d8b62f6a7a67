(in-package #:jiti-kernel)

;;; A pause: a condition was signalled, its stack is alive, and the controller is asked what to do.

(defconstant +deepest-level+ 5
  "SBCL dies of errors that nest much deeper, so a repair at this level opens no further pause.")

(defstruct pause
  "A condition that waits, and what leads out of it."
  level
  condition
  choices ; of its restarts, innermost first
  frames ; innermost first
  outer) ; the pause that stands under it, NIL at level 0

(defvar *repairs* 0
  "How many repairs of the attempt stand. Behind each is the process that it was forked from.")

(defun pause-menu (pause)
  "All that leads out of PAUSE at this moment."
  (let ((choices (pause-choices pause)))
    (append choices
            (closing-choices (pause-level pause) (length choices) (plusp *repairs*)))))

(defvar *output* nil "The collector of what the attempt prints.")

(defun outcome (kind &rest fields)
  "The message that tells how an evaluation ended, with what it printed and warned of meanwhile."
  (multiple-value-bind (output dropped) (collected-text *output*)
    (list* kind :generation (generation)
           :output output :dropped dropped :warnings (collected-warnings)
           fields)))

(defun applicable-p (restart condition)
  "True if RESTART's test says that it is one for CONDITION. A test that does not return says no."
  (block testing
    (with-evaluation ((lambda (failure)
                        (declare (ignore failure))
                        (leaving (return-from testing nil))))
      (let ((sb-kernel:*handler-clusters* sb-kernel::**initial-handler-clusters**))
        (funcall (sb-kernel::restart-test-function restart) condition)))))

(defun live-restarts (condition)
  "The restarts that the evaluation under way has established for CONDITION, innermost first. After
a memory fault nothing leads on."
  (let ((restarts '()))
    (unless *memory-damaged*
      (sb-kernel::map-restarts (lambda (restart) (push restart restarts)) condition nil))
    (remove-if-not (lambda (restart) (applicable-p restart condition)) (nreverse restarts))))

(defun send-pause (pause)
  "Tell the controller of PAUSE: its condition, menu and frames, and what was printed until then."
  (let ((condition (pause-condition pause)))
    (send (outcome :paused
                   :level (pause-level pause)
                   :type (type-text condition)
                   :condition (report-text condition)
                   :restarts (mapcar #'choice-row (pause-menu pause))
                   :frames (mapcar #'frame-row (pause-frames pause))))))

(defun choose-restart (condition)
  "Serve the controller until it takes a restart: that restart, and its arguments."
  (let* ((level (if *pause* (1+ (pause-level *pause*)) 0))
         (pause (make-pause :level level :condition condition
                            :choices (restart-choices (live-restarts condition) level)
                            :frames (attempt-frames) :outer *pause*))
         (*pause* pause))
    (step-generation)
    (send-pause pause)
    (multiple-value-prog1 (catch pause
                            (out-of-reach (serve)))
      (watch-heap))))

(defun pause-evaluation (condition)
  "Pause at CONDITION until a restart transfers control. One that returns leads to the pause again."
  (loop
    (destructuring-bind (restart . arguments) (choose-restart condition)
      (let ((*on-condition* #'pause-evaluation))
        (apply #'invoke-restart restart arguments)))))

(defun abandon ()
  "End this process, and the attempt with it."
  (send (list :abandoned :generation (step-generation)))
  (end-process 0))

(defun drop-repair ()
  "End this process: its controller goes on in the one that it was forked from for the repair."
  (send (list :dropped :generation (step-generation)))
  (end-process 0))

(define-request :abandon (:paused) ((generation natural))
  (unless-stale (generation)
    (abandon)))

(define-request :resume (:paused)
    ((generation natural) (restart string) (arguments strings) (milliseconds natural))
  (unless-stale (generation)
    (with-valid (choice (find-choice restart (pause-menu *pause*)))
      (with-valid (arguments (restart-arguments choice arguments))
        (case (choice-restart choice)
          (:abandon (abandon))
          (:drop-repair (drop-repair))
          (t
           (send (list :resumed :generation (step-generation)
                                :restart restart :name (choice-name choice)))
           (start-clock milliseconds)
           (throw *pause* (cons (choice-restart choice) arguments))))))))
