(in-package #:jiti-kernel)

;;; Removing what code of the world has left in folders: it may be much, deep, and changing while it
;;; is removed. What cannot be removed now is there for the next time.

(defconstant +removal-count+ 100000 "How many things are removed at once: a second's worth.")
(defconstant +names-at-once+ 1000 "How many names of a folder are read before they are dealt with.")

(defun folder-p (path)
  "True if a folder stands at PATH, and no link to one."
  (let ((facts (unless-missing (file-facts path))))
    (and facts (eq :folder (facts-kind facts)))))

(defun empty-folder (folder &optional (kept (constantly nil)))
  "Remove what is in FOLDER, but for the names of which KEPT returns true. Folders in folders are
moved up, so that no path gets too long."
  (let ((count 0))
    (labels ((names (path &optional (kept (constantly nil)))
               (and (< count +removal-count+)
                    (unless-missing (folder-names path :most +names-at-once+ :kept kept))))
             (deal-with (path)
               (incf count)
               (handler-case (if (folder-p path)
                                 (remove-opened path)
                                 (remove-file path))
                 (posix-error ())))
             (remove-opened (path)
               (open-up path)
               (loop for names = (names path)
                     while names
                     do (dolist (name names)
                          (move-up (concatenate 'string path "/" name))))
               (remove-folder path))
             (move-up (path)
               (cond ((folder-p path)
                      (open-up path)
                      (rename-path path (format nil "~A/~D-~D" folder (process-id) (incf count))))
                     (t
                      (incf count)
                      (remove-file path)))))
      (loop for names = (names folder kept)
            while names
            do (dolist (name names)
                 (deal-with (concatenate 'string folder "/" name)))))))

(defun remove-tree (path)
  "Remove whatever stands at PATH. Others may remove it at the same time."
  (cond ((folder-p path)
         (open-up path)
         (empty-folder path)
         (remove-folder path))
        (t (remove-file path))))
