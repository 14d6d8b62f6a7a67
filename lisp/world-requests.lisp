(in-package #:jiti-kernel)

;;; What a world or a verifier is asked: to be filled and to be named.

(defvar *received* (list :definitions '() :data '() :block '())
  "Texts that arrived for each part, newest first.")

(defmacro unless-failed ((condition-type) &body body)
  "The value of BODY, or the reply :FAILED when it signals CONDITION-TYPE, a kind of LOAD-FAILED."
  `(handler-case (progn ,@body)
     (,condition-type (condition)
       (list :failed :file (condition-file condition) :line (condition-line condition)
                     :reason (condition-reason condition) :type (condition-type condition)))))

(define-request :open (:world :verifier)
    ((packages strings) (output-bytes natural) (forms-bytes natural) (depth natural)
     (files-bytes natural) (allow strings) (deny strings))
  (open-world :packages packages :output-bytes output-bytes :forms-bytes forms-bytes
              :depth depth :files-bytes files-bytes :allow allow :deny deny)
  (open-base)
  (list :opened))

(define-request :load-base (:world :verifier) ((file string) (text string))
  (unless-failed (base-failed)
    (load-base file text)
    (remember-standard-functions)
    (list :loaded)))

(define-request :require-policy (:world :verifier) ()
  (multiple-value-bind (problem entry name) (policy-problem)
    (if problem
        (list :failed :reason problem :path entry :type name)
        (list :opened))))

(define-request :receive (:world :verifier) ((part part) (text string))
  (push text (getf *received* part))
  (list :received))

(defun received-text (part)
  (apply #'concatenate 'string (reverse (shiftf (getf *received* part) ()))))

(define-request :import (:world :verifier) ((part part) (name string))
  (let ((text (received-text part)))
    (unless-failed (import-failed)
      (ecase part
        (:definitions (note-own-scratch)
                      (settle-files)
                      (import-definitions text))
        (:block (import-block name text))
        (:data (import-data text)))
      (list :imported))))

(define-request :make-way (:world :verifier) ((blocks strings))
  (drop-blocks blocks)
  (forget-loose-data)
  (list :imported))

(define-request :set-aside (:verifier) ((name string))
  (list :kept :blocks (and (set-block-aside name (received-text :block))
                           (list name))))

(define-request :bring-back (:verifier) ((blocks strings) (again strings))
  (list :kept :blocks (bring-back-blocks blocks again)))

(define-request :settle (:world :verifier) ()
  (if (settle-table)
      (list :imported)
      (list :failed :reason "The blocks of data are cut otherwise than this kernel cuts them.")))

(define-request :adopt (:world :idle :paused :ready) ((revision natural) (generation natural))
  (setf (worker-revision *worker*) revision
        (worker-generation *worker*) (max generation (generation)))
  (list :adopted :revision revision :generation (generation)))
