"""Revisions on disk, and the log of what happened."""
