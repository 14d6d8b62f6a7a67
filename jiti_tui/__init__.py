"""JITI: a terminal application that keeps a running Common Lisp world alive while a model proposes how to change it."""

__version__ = "0.1.0"
