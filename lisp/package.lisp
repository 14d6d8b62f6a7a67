(defpackage #:jiti
  (:documentation "What the code of a world, its goals and its invariants may use.")
  (:use)
  (:export
   ;; The data table.
   #:value
   ;; Forms of check files.
   #:goal #:invariant #:suite
   ;; The world adapter protocol.
   #:adapter #:adapter-name
   #:observe #:checkpoint #:restore #:export-world #:import-world #:record-form
   #:quiesce #:resume-activity
   ;; Conditions that a pause can show.
   #:time-limit #:heap-low #:evaluation-left #:activity-left #:memory-damaged))

(defpackage #:jiti-kernel
  (:documentation "The kernel of a worker process. No code of a world uses it.")
  (:use #:common-lisp)
  (:import-from #:jiti
                #:value
                #:adapter #:adapter-name
                #:observe #:checkpoint #:restore #:export-world #:import-world #:record-form
                #:quiesce #:resume-activity
                #:time-limit #:heap-low #:evaluation-left #:activity-left #:memory-damaged)
  (:export #:main))

(in-package #:jiti-kernel)
