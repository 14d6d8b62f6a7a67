(in-package #:jiti-kernel)

;;; The restarts that a pause offers, and the arguments that they take.

(defconstant +menu-length+ 100 "How many restarts a menu shows, innermost first.")

(defstruct choice
  "A line of the live restart menu."
  id
  (restart nil) ; a restart, or what the kernel itself offers: :DROP-REPAIR, :ABANDON
  (name "" :type string)
  (report "" :type string)
  (least 0)
  (most nil))

(defun restart-choice (restart id)
  (multiple-value-bind (least most) (restart-arity restart)
    (make-choice :id id :restart restart
                :name (string-downcase (or (restart-name restart) ""))
                :report (report-text restart)
                :least least :most most)))

(defun choice-id-at (level index)
  (format nil "~D/~D" level index))

(defun restart-choices (restarts level)
  "The choices that RESTARTS are, innermost first, at LEVEL."
  (loop for restart in restarts
        for index below +menu-length+
        collect (restart-choice restart (choice-id-at level index))))

(defun closing-choices (level index repaired)
  "The choices of the kernel itself, from INDEX on. If REPAIRED, a repair can be dropped."
  (flet ((choice (offer index report)
           (make-choice :id (choice-id-at level index) :restart offer
                        :name (string-downcase offer) :report report :least 0 :most 0)))
    (append (when repaired
              (list (choice :drop-repair index
                            "Drop the latest repair: back to the pause as it was before it.")))
            (list (choice :abandon (if repaired (1+ index) index)
                          "Drop the whole attempt with all its repairs.")))))

(defun choice-row (choice)
  "CHOICE as :PAUSED shows it."
  (list (choice-id choice) (choice-name choice) (choice-report choice)
        (choice-least choice) (choice-most choice)))

(defun find-choice (id menu)
  (or (find id menu :key #'choice-id :test #'string=)
      (error 'restart-misused
             :reason (format nil "There is no restart ~A in the menu. It has ~{~A~^, ~}."
                             id (mapcar #'choice-id menu)))))

(defun argument-datum (text)
  "The one datum in TEXT, read in the reading package and never evaluated. The form policy holds for
it too: a restart may call the function that it is given. Signals UNREADABLE or REFUSED-FORM."
  ;; Inside a quoted list, the datum is read as it stands, even if it is a PROGN.
  (let* ((quoted (format nil "'(~A~%)" text))
         (forms (handler-bind ((invalid-text #'take-back-quote))
                  (read-forms quoted))))
    (destructuring-bind (&optional quote data) (form-datum (first forms))
      (unless (and (= 1 (length forms)) (eq quote 'quote) (consp data) (null (rest data)))
        (error 'unreadable :reason "One Lisp datum is wanted here, and no more."))
      (handler-bind ((invalid-text #'take-back-quote))
        (check-policy forms quoted))
      (first data))))

(defun take-back-quote (condition)
  "Let CONDITION, of a text behind a quote and a parenthesis, tell the place in the text itself."
  (when (and (eql 1 (condition-line condition)) (condition-column condition))
    (setf (slot-value condition 'column) (max 0 (- (condition-column condition) 2)))))

(defun read-argument (text)
  "As ARGUMENT-DATUM, for a TEXT whose sender must be told which it is. Signals RESTART-MISUSED or
REFUSED-FORM."
  (handler-case (argument-datum text)
    (unreadable (condition)
      (error 'restart-misused
             :reason (format nil "An argument is one Lisp datum, and ~S is none: ~A"
                             text (condition-reason condition))
             :line (condition-line condition) :column (condition-column condition)))))

(defun restart-arguments (choice texts)
  "The arguments in TEXTS, for CHOICE's restart. Signals RESTART-MISUSED or REFUSED-FORM."
  (let ((count (length texts)) (least (choice-least choice)) (most (choice-most choice)))
    (unless (<= least count (or most count))
      (error 'restart-misused
             :reason (format nil "The restart ~A ~A takes ~A, not ~D."
                             (choice-id choice) (choice-name choice)
                             (cond ((null most) (format nil "~D or more arguments" least))
                                   ((= least most) (format nil "~D argument~:P" least))
                                   (t (format nil "~D to ~D arguments" least most)))
                             count)))
    (leaving-no-symbols
      (mapcar #'read-argument texts))))
