(in-package #:jiti-kernel)

;;; What somebody types: whether it reads, and the names that it may go on to. Asked in a throwaway
;;; fork, so that what reading makes goes with it.

(defconstant +name-count+ 50 "How many names are offered.")

(define-request :read-check (:runner) ((text string) (datum boolean))
  (with-valid (forms (if datum (list (argument-datum text)) (read-checked text)))
    (list :reads :forms (length forms))))

(defun means-something-p (symbol)
  (or (fboundp symbol) (boundp symbol) (find-class symbol nil)))

(defun split-prefix (prefix)
  "The package that the token PREFIX is in and the beginning of a symbol's name, in upper case; NIL
for a package that does not exist."
  (let ((colon (position #\: prefix :from-end t))
        (*package* (reading-package)))
    (values (if colon
                (find-package (string-upcase (string-right-trim ":" (subseq prefix 0 colon))))
                *package*)
            (string-upcase (subseq prefix (if colon (1+ colon) 0))))))

(defun names-from (prefix)
  "The names that code can mean by a token that begins with PREFIX, the shortest first, as the world
prints them: of a managed package all, of others those that are exported."
  (multiple-value-bind (package beginning) (split-prefix prefix)
    (let ((names '()))
      (flet ((offer (symbol)
               (when (and (starts-with-p beginning (symbol-name symbol))
                          (means-something-p symbol))
                 (pushnew (world-name symbol) names :test #'string=))))
        (cond ((null package))
              ((member package (managed-packages)) (do-symbols (symbol package) (offer symbol)))
              (t (do-external-symbols (symbol package) (offer symbol)))))
      (let ((sorted (sort names (lambda (a b)
                                  (or (< (length a) (length b))
                                      (and (= (length a) (length b)) (string< a b)))))))
        (subseq sorted 0 (min +name-count+ (length sorted)))))))

(define-request :complete (:runner) ((prefix string))
  (list :names :names (names-from prefix)))
