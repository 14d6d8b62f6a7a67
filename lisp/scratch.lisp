(in-package #:jiti-kernel)

;;; Folders of the sandbox that code of the world can write to and that no adapter describes. What
;;; an attempt leaves there goes with it, and is no part of what is accepted: a fresh process would
;;; not find it.

(defvar *own-scratch* :unknown
  "What stands in each of the folders since base code was loaded: lists of a folder and names.")

(defun scratch-folders ()
  "The folders as paths. None is known outside of the sandbox: there they are the system's."
  (let ((paths (command-line-option "--scratch")))
    (and paths (split-path paths #\:))))

(defun note-own-scratch ()
  "Let what is in the scratch folders now stay there: base code has put it there."
  (setf *own-scratch* (loop for folder in (scratch-folders)
                            collect (cons folder (folder-names folder)))))

(defun empty-scratch ()
  "Remove what attempts have left in the scratch folders and below the folder of copies. Called when
an attempt or a verification begins or ends."
  (when (eq *own-scratch* :unknown)
    (note-own-scratch))
  (loop for (folder . names) in *own-scratch*
        do (empty-folder folder (lambda (name) (member name names :test #'string=))))
  (sweep-copies))

(defun empty-unused-scratch ()
  "Empty the scratch folders if no process holds a world. Called by the keeper before it forks one."
  (unless (child-process-ids)
    (mapc #'empty-folder (scratch-folders))))
