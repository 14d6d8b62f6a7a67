(in-package #:jiti-kernel)

;;; What stands in the code of a function beside its instructions.

(defvar *description-words*
  (let* ((name '#:name)
         (code (sb-kernel:fun-code-header (compile nil `(sb-int:named-lambda ,name ())))))
    (if (eq name (sb-kernel:code-header-ref code sb-vm:code-constants-offset))
        sb-vm:code-slots-per-simple-fun
        0))
  "How many words before the constants of code describe each of its functions: newer SBCLs keep
descriptions elsewhere.")

(defun literal-p (object)
  "True if OBJECT, a constant of code, can be changed by whoever has it."
  (typecase object
    ;; The source of an inline function stands beside the code of others of the same form.
    ((cons (member lambda sb-int:named-lambda sb-c:lambda-with-lexenv)) nil)
    ((or cons array hash-table) t)
    ((or structure-object standard-object)
     (not (sbcls-class-p (class-of object))))))

(defun function-form (function)
  "The form that FUNCTION was compiled in, NIL if it is not known."
  (let* ((code (sb-kernel:fun-code-header (sb-kernel:%fun-fun function)))
         (source (sb-c::debug-info-source (sb-kernel:%code-debug-info code))))
    (and (typep source 'sb-c::core-debug-source)
         (sb-c::core-debug-source-form source))))

(defun sbcls-type-p (literal function)
  "True if LITERAL is a type that SBCL has written down in FUNCTION, for its error messages. It is
`(or null fixnum)` in one process and `(or fixnum null)` in another."
  (and (typep literal '(cons symbol))
       (standard-symbol-p (car literal))
       (ignore-errors (sb-ext:valid-type-specifier-p literal))
       (progn (walk-datum (lambda (part)
                            (when (eq part literal)
                              (return-from sbcls-type-p nil)))
                          (function-form function))
              t)))

(defun code-literals (function)
  "The mutable objects that stand in the code of FUNCTION, in an order of the compiler's."
  (let ((code (sb-kernel:fun-code-header (sb-kernel:%fun-fun function))))
    (loop for index from (+ sb-vm:code-constants-offset
                            (* *description-words* (sb-kernel:code-n-entries code)))
            below (sb-kernel:code-header-words code)
          for constant = (sb-kernel:code-header-ref code index)
          when (and (literal-p constant)
                    (not (sbcls-type-p constant function)))
            collect constant)))
