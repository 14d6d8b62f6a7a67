(in-package #:jiti-kernel/tests)

(def-suite source :in kernel :description "Forms and their texts, check files.")
(in-suite source)

(defun texts (text)
  (mapcar #'form-text (read-forms text)))

(test comments-stay-with-their-form
  (with-world ()
    (is (equal '("; first
(defun a () 1) ; the same line"
                 ";; about b
(defun b () 2)")
               (texts "; first
(defun a () 1) ; the same line
;; about b
(defun b () 2)")))
    (is (equal '("(a)
;; about a, since a blank line follows" "(b)")
               (texts "(a)
;; about a, since a blank line follows

(b)")))
    (is (equal '(";;; A section

;; about a
(a)")
               (texts ";;; A section

;; about a
(a)")))
    (is (equal '("(a) #| one |# ; two" "(b)
; at the end
; of the text")
               (texts "(a) #| one |# ; two
(b)

; at the end

; of the text
")))))

(test text-is-kept-exactly
  (with-world ()
    (let ((text "(DefUn Größe (x)   #| λ |#
  #+sbcl (List x \"zwei
 Zeilen\" #\\; |a b|)
  #-sbcl nil)"))
      (is (equal (list text) (texts text))))
    (is (equal '("#+(or) (skipped) (kept)") (texts "#+(or) (skipped) (kept)")))
    (is (equal '() (texts "  ; nothing but a comment")))))

(test a-comment-block-at-the-top-names-the-first-check
  (is (equal '("two lines" "goal 2")
             (mapcar #'second (jiti-kernel::index-checks :goal ";; two
;; lines
(lambda () 1) ; behind

(lambda () 2)")))))

(test an-open-comment-does-not-hide-what-follows
  (with-world ()
    (dolist (text '("(a) #| (b)" "#| #| |# (a)" "(progn (a) #| (b))"))
      (signals jiti-kernel::unreadable (texts text)))))

(test a-feature-expression-that-is-none-does-not-read
  (with-world ()
    (dolist (text '("#+(nor) (a)" "(a) #-5 (b)" "(progn #+\"x\" (a))" "#+(not) (a)"))
      (signals unreadable (texts text)))))

(test progn-is-split
  (with-world ()
    (is (equal '("; both
; about a
(defun a () 1) ; tail"
                 "(defun b ()
  2)
; last" "(c)" "(d)")
               (texts "; both
(progn
  ; about a
  (defun a () 1) ; tail
  (progn (defun b ()
           2)
         ; last
         )
  (c)) (d)")))
    (is (equal '() (texts "(progn)")))
    (is (equal '("(progn-like a)") (texts "(progn-like a)")))
    (is (equal '((3 9) (3 13))
               (mapcar (lambda (form) (list (form-line form) (form-column form)))
                       (read-forms "

  (progn a   b)"))))))

(test lines-inside-strings-do-not-move
  (with-world ()
    (is (equal '("(a \"x
    y\"
           b)")
               (texts "(progn (a \"x
    y\"
           b))")))))

(test packages-take-effect-while-reading
  (with-world ()
    (let ((forms (read-forms "(defpackage #:other (:use #:cl) (:export #:f))
(in-package #:other) (defun f ()) (in-package #:w) other:f")))
      (is (equal '("W" "W" "OTHER" "OTHER" "W") (mapcar #'form-package forms)))
      (is (eq (find-symbol "F" "OTHER") (second (form-datum (third forms)))))
      (is (eq (find-symbol "F" "OTHER") (form-datum (fifth forms)))))
    (signals unreadable (read-forms "(defpackage #:failed (:use #:cl)) ("))
    (is (null (find-package "FAILED")))
    (signals refused-form (read-forms "(in-package #:cl-user)"))
    (signals refused-form (read-forms "(defpackage #:p (:use #:sb-ext))"))
    (signals refused-form (read-forms "(defpackage #:cl-user (:use #:cl))"))
    (signals refused-form (read-forms "(defpackage #:p (:local-nicknames (#:k #:jiti-kernel)))"))
    (dolist (text '("(in-package 5)" "(in-package)" "(in-package . w)" "(in-package #:nowhere)"
                    "(defpackage)" "(defpackage . p)" "(defpackage 7)" "(defpackage #:p (:use 5))"
                    "(defpackage #:p . 3)" "(defpackage #:p (:use . 3))" "(progn . 3)"))
      (signals invalid-text (read-forms text)))))

(test what-does-not-read-names-its-place
  (with-world ()
    (with-complaint (c unreadable (read-forms "(a)

  (b \"c"))
      (is (equal '(3 2) (list (condition-line c) (condition-column c)))))
    (with-complaint (c unreadable (read-forms "(a) )"))
      (is (equal '(1 4) (list (condition-line c) (condition-column c)))))
    (with-complaint (c unreadable (read-forms "(progn (a)"))
      (is (equal '(1 0) (list (condition-line c) (condition-column c)))))
    (with-complaint (c unreadable (read-forms "(a nowhere:b)"))
      (is (search "NOWHERE" (condition-reason c))))
    (signals unreadable (read-forms "#.(setf jiti-kernel::*depth* 1)"))
    (signals unreadable (read-forms "#<unreadable>"))
    (is (= 200 jiti-kernel::*depth*))))

(test bounds
  (with-world ()
    (signals unreadable (read-forms (make-string 32769 :initial-element #\é)))
    (is (equal '() (read-forms (format nil "; ~C" (code-char #xd800)))))
    (is (equal '(1) (mapcar #'form-line
                            (read-forms (format nil "~A1~A" (make-string 199 :initial-element #\()
                                                (make-string 199 :initial-element #\)))))))
    (signals unreadable (read-forms (make-string 60000 :initial-element #\()))
    (signals unreadable (read-forms (make-string 60000 :initial-element #\')))
    (signals unreadable
      (read-forms (format nil "~{~A~}a" (loop repeat 20000 collect "#+a"))))))

(test short-texts-make-no-long-objects
  (with-world ()
    (dolist (text '("#99999999*1" "#4000000000(1)" "(a #65537(1))" "#100000000000000000000(1)"
                    "1e999999" "1d9999999999999999999" "#70000A0" "#1=#1#" "#5000r1"
                    "#99999999999999999999999r1" "(1 . 2 3)" "#\\no-such-character"))
      (signals unreadable (read-forms text)))
    (is (equalp #(1 1 1) (form-datum (first (read-forms "#3(1)")))))
    (is (= 65536 (length (form-datum (first (read-forms "#65536*1"))))))))

(test what-is-not-taken-leaves-no-symbols
  (with-world (:packages '("W" "V"))
    (flet ((gone (name)
             (notany (lambda (package) (find-symbol name package)) '("W" "V"))))
      (dolist (text '("(stray) (" "(stray v::stray (sb-ext:exit))" "(stray) )" "(stray no:stray)"
                      "(stray #.1)" "(defpackage #:p (:use #:cl)) (stray) (in-package #:sb-ext)"))
        (signals invalid-text (jiti-kernel::read-checked text))
        (is-true (gone "STRAY") "~A" text))
      (signals restart-misused
        (jiti-kernel::restart-arguments
         (jiti-kernel::make-choice :id "0/0" :least 0 :most nil) '("stray" "(")))
      (is-true (gone "STRAY"))
      (jiti-kernel::read-checked "(kept v::kept-too)")
      (is-false (gone "KEPT"))
      (is-true (find-symbol "KEPT-TOO" "V"))
      (signals refused-form (jiti-kernel::read-checked "(kept (sb-ext:exit))"))
      (is-false (gone "KEPT")))))

(test symbols-are-made-in-managed-packages-only
  (with-world (:packages '("W" "V"))
    (is (equal "NEW" (symbol-name (form-datum (first (read-forms "v::new"))))))
    (signals unreadable (read-forms "cl-user::no-such-symbol"))
    (signals unreadable (read-forms "cl::no-such-symbol"))
    (is (null (find-symbol "NO-SUCH-SYMBOL" "COMMON-LISP-USER")))))

(test check-files
  (is (equal '((:goal "the tax is 5%" 2 "(goal \"the tax is 5%\" (= (sales-tax 100.00) 5.0))" nil)
               (:goal "named by a comment of two lines" 5 "(lambda () (nowhere:f nowhere::g))" nil)
               (:goal "goal 3" 7 "(jiti:goal \"goal 3\" #.(error \"evaluated\"))" nil)
               (:goal "goal 4" 8 "(lambda () t)" nil))
             (index-checks :goal "; Goals
(goal \"the tax is 5%\" (= (sales-tax 100.00) 5.0)) ; tail
;;; named by a comment
;;; of two lines
(lambda () (nowhere:f nowhere::g))

(jiti:goal \"goal 3\" #.(error \"evaluated\"))
(lambda () t)
")))
  (is (equal '((:invariant "block" 3 "(lambda ())" nil))
             (index-checks :invariant "; far above

#| block |# (lambda ())")))
  (dolist (case '((1 :invariant "(goal \"a\" t)")
                  (2 :goal "(goal \"a\" t)
(goal \"a\" nil)")
                  (1 :goal "(suite)")
                  (1 :goal "(goal a t)")
                  (1 :goal "symbol")
                  (2 :goal "(goal \"a\" t)
(goal \"b\" t")))
    (destructuring-bind (line kind text) case
      (with-complaint (c unreadable (index-checks kind text))
        (is (eql line (condition-line c)) "~A: line ~A" text (condition-line c))))))
