"""Proposers: what they are shown, what they may answer, and who they are: a model or a transcript."""
