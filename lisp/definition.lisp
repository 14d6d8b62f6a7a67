(in-package #:jiti-kernel)

;;; What the kernel keeps of a definition, and the tables of all definitions.

(defstruct definition
  "The text of a form and what it defines. A thing (:removed THING) says that it takes THING away."
  text
  package ; name of the package in which the text is read
  (line 0) ; where the text stood in what was imported
  main ; the thing that the rest of PROVIDES belongs to, or NIL
  makes ; the things that the text defines when it is evaluated
  provides ; those of them that nothing has replaced or removed
  mentions ; the symbols by which the text, or what macros make of it, refers to others of the world
  homes ; the packages of these symbols
  expansion ; fingerprint of what macros that are not the standard's make of the text
  early ; fingerprint of the data that LOAD-TIME-VALUE may have read, NIL if it reads none
  reading ; fingerprint of what was read
  conditional ; true if the text may have parts that are read or not as *FEATURES* say
  plain ; true if the form itself says what it defines
  renewable ; true if the text can be evaluated again without touching data
  (stale nil) ; what has changed since the text was compiled with it, if that cannot be undone
  (outside '()) ; provided things that no definition form has made
  (documents '())) ; alist from provided things to their documentation strings

(defvar *definitions* '() "The definitions of the world, in the order in which they are written.")
(defvar *providers* (make-hash-table :test 'equal)
  "From a thing to the DEFINITION that provides it.")
(defvar *base-things* (make-hash-table :test 'equal)
  "From a thing that base code has defined to (THING . TOKEN), as base code has left it.")
