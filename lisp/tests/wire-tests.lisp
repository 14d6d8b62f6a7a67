(in-package #:jiti-kernel/tests)

(def-suite wire :in kernel :description "Frames and messages, well formed and not.")
(in-suite wire)

(defun octets (text)
  (sb-ext:string-to-octets text :external-format :utf-8))

(defun over-the-wire (message)
  "MESSAGE after it was written and read; its header says how long it is."
  (let* ((frame (encode-frame message))
         (header (subseq frame 0 6))
         (body (subseq frame 6)))
    (is (= (length body) (decode-header header)))
    (decode-message body)))

(defun gen-datum (depth)
  "A generator of what the wire can carry, lists nesting at most DEPTH."
  (let ((atoms (vector (gen-integer :min (- (expt 10 40)) :max (expt 10 40))
                       (gen-string :elements (gen-character :code-limit #x11000))
                       (lambda () (elt '(nil t :k :a-longer-one2 :pid) (random 5))))))
    (labels ((datum (depth)
               (if (or (zerop depth) (zerop (random 3)))
                   (funcall (elt atoms (random (length atoms))))
                   (loop repeat (random 6) collect (datum (1- depth))))))
      (lambda () (datum depth)))))

(test whatever-is-written-is-read-again
  (for-all ((message (gen-datum 5)))
    (is (equal message (over-the-wire message)))))

(test strings-are-exact
  (dolist (string (list "" "\"" "\\" "\\\"" (format nil "a~%b~Cc" #\Return) "Größe λ 😀 "
                        (string (code-char 0)) (string (code-char #x10FFFF))
                        ;; Lone surrogates, as Python's surrogatepass has them.
                        (coerce (list #\a (code-char #xD800) (code-char #xDFFF)) 'string)))
    (is (equal (list :k string) (over-the-wire (list :k string)))))
  (is (equalp #(#x22 #xED #xA0 #x80 #x22)
              (subseq (encode-frame (string (code-char #xD800))) 6))))

(test the-frame-is-as-documented
  (is (equalp (octets "000028(:hello :pid -7 :ok t :no nil :s \"a\\\"b\")")
              (encode-frame '(:hello :pid -7 :ok t :no nil :s "a\"b")))))

(test what-is-not-in-the-subset-is-refused
  (dolist (text '("" "(" ")" "()x" "(:a . :b)" "'a" "`a" "#.(exit)" "#(1)" "|a|" "a" "T" "NIL"
                  "nill" "1.5" "1/2" "+1" "-" "--1" "1-" ":" ":A" ":1" ":a_b" ":a:b"
                  "\"" "\"a" "\"\\n\"" "\"\\"
                  "; a" "(1;2)" "{}" "1 2" "#\\a"))
    (signals wire-error (decode-message (octets text)) "~S was read" text))
  (dolist (text '("zzzzzz" "00001G" "-00001" "ABCDEF" " 12345"))
    (signals wire-error (decode-header (octets text)))))

(test blanks-are-as-in-any-s-expression
  (is (equal '(:a (1 "x") nil) (decode-message (octets (format nil " (:a(1~%~C\"x\") ( ) )~C"
                                                               #\Tab #\Return))))))

(test malformed-utf-8-is-refused
  (dolist (body '((#xFF) (#xC0 #x80) (#xE0 #x80 #x80) (#xC3) (#xC3 #x28) (#x80) (#xE2 #x82)
                  (#xF4 #x90 #x80 #x80) (#xF8 #x88 #x80 #x80 #x80)))
    (signals wire-error
      (decode-message (coerce `(#x22 ,@body #x22) '(simple-array (unsigned-byte 8) (*)))))))

(test bounds-hold-on-both-sides
  (let ((deepest (loop with list = (list 1) repeat 63 do (setf list (list list))
                       finally (return list))))
    (is (equal deepest (over-the-wire deepest)))
    (signals wire-error (encode-frame (list deepest)))
    (signals wire-error
      (decode-message (octets (concatenate 'string (make-string 65 :initial-element #\()
                                           (make-string 65 :initial-element #\)))))))
  (signals wire-error (decode-message (octets (make-string 101 :initial-element #\1))))
  (signals wire-error (encode-frame (make-string (expt 16 6)))))

(test only-the-subset-can-be-written
  (dolist (object (list 1.5 1/2 #\a 'symbol #(1) (make-hash-table)))
    (signals wire-error (encode-frame (list object)))))
