(in-package #:cl-user)

;;; Prints the folders in which ASDF looks for systems by the environment and the configuration of
;;; the user, in order of precedence, one a line: `tree` for all folders below it, or `folder`.

(require "asdf")

(handler-case
    (loop for (folder . options) in (funcall (find-symbol "FLATTEN-SOURCE-REGISTRY"
                                                          "ASDF/SOURCE-REGISTRY"))
          do (format t "~:[folder~;tree~] ~A~%" (getf options :recurse)
                     (sb-ext:native-namestring folder)))
  (error (condition)
    (format t "~A" condition)
    (finish-output)
    (sb-ext:exit :code 1 :abort t)))
