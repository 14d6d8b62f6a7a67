(in-package #:jiti-kernel)

;;; The keeper: it holds no world, forks those that do, and kills what nobody knows of.

(defun kill-children-except (kept)
  "Kill every child whose pid is not in KEPT, and wait until it is gone: the pids of the killed. The
orphans of a child that dies become children in turn, so this goes on until there are none."
  (loop for children = (set-difference (child-process-ids) kept)
        while children
        append children
        do (dolist (child children)
             (signal-process child +sigkill+))
           (dolist (child children)
             (reap-child child :wait t))))

(define-request :sweep (:keeper) ((keep naturals))
  (list :swept :killed (kill-children-except keep)))
