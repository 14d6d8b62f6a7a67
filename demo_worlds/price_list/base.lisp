;;;; What proposals are made of: the files of the list, as lines.

(in-package #:price-list)

(make-instance 'jiti:directory-adapter :name "list")

(defun lines (path)
  "The lines of the file PATH."
  (with-open-file (in (jiti:world-file "list" path) :external-format :utf-8)
    (loop for line = (read-line in nil)
          while line collect line)))

(defun (setf lines) (lines path)
  "Write LINES to the file PATH."
  (let ((file (jiti:world-file "list" path)))
    (ensure-directories-exist file)
    (with-open-file (out file :direction :output :if-exists :supersede :external-format :utf-8)
      (format out "~{~A~%~}" lines))
    lines))

(defun fields (line)
  "The fields of LINE, which commas separate."
  (loop for start = 0 then (1+ end)
        for end = (position #\, line :start start)
        collect (subseq line start end)
        while end))
