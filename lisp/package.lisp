(defpackage #:jiti
  (:documentation "What the code of a world, its goals and its invariants may use.")
  (:use)
  (:export
   ;; The data table.
   #:value
   ;; The texts of definitions.
   #:source
   ;; Forms of check files.
   #:goal #:invariant #:suite
   ;; The world adapter protocol.
   #:adapter #:adapter-name
   #:observe #:checkpoint #:restore #:export-world #:import-world #:record-form #:form-text
   #:begin-fork #:promote #:quiesce #:resume-activity
   ;; The directory adapter.
   #:directory-adapter #:world-file #:world-files #:path-refused
   ;; Conditions that a pause can show.
   #:time-limit #:heap-low #:evaluation-left #:activity-left #:memory-damaged))

(defpackage #:jiti-kernel
  (:documentation "The kernel of a worker process. No code of a world uses it.")
  (:use #:common-lisp)
  ;; JITI is not used as a whole: by SOURCE and SUITE the kernel means structures of its own.
  (:import-from #:jiti
                #:value
                #:adapter #:adapter-name
                #:observe #:checkpoint #:restore #:export-world #:import-world #:record-form
                #:form-text
                #:begin-fork #:promote #:quiesce #:resume-activity
                #:directory-adapter #:world-file #:world-files #:path-refused
                #:time-limit #:heap-low #:evaluation-left #:activity-left #:memory-damaged)
  (:export #:main))

(in-package #:jiti-kernel)
