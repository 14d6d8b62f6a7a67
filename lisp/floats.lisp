(in-package #:jiti-kernel)

;;; Floats that no digits express: the infinities, by name, and what is not a number, by its bits.

(defun float-bits (float)
  "The bits of FLOAT as an integer."
  (etypecase float
    (single-float (ldb (byte 32 0) (sb-kernel:single-float-bits float)))
    (double-float (logior (ash (ldb (byte 32 0) (sb-kernel:double-float-high-bits float)) 32)
                          (sb-kernel:double-float-low-bits float)))))

(defun signed-32 (bits)
  (if (logbitp 31 bits) (- bits (ash 1 32)) bits))

(defun special-float-text (float)
  "How FLOAT is written, NIL if digits do it."
  (let ((mark (cond ((sb-ext:float-infinity-p float)
                     (if (plusp float) ":infinity" ":minus-infinity"))
                    ((sb-ext:float-nan-p float)
                     (float-bits float)))))
    (and mark
         (format nil "#[~(~A~) ~A]" (type-of float) mark))))

(defun special-float (type mark)
  "The float of TYPE that MARK, :INFINITY, :MINUS-INFINITY or an integer of bits, stands for."
  (ecase type
    (:single-float
     (case mark
       (:infinity sb-ext:single-float-positive-infinity)
       (:minus-infinity sb-ext:single-float-negative-infinity)
       (t (sb-kernel:make-single-float (signed-32 mark)))))
    (:double-float
     (case mark
       (:infinity sb-ext:double-float-positive-infinity)
       (:minus-infinity sb-ext:double-float-negative-infinity)
       (t (sb-kernel:make-double-float (signed-32 (ash mark -32)) (ldb (byte 32 0) mark)))))))
