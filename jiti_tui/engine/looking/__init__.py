"""Looks that change nothing: into worlds, back at revisions, at what is being typed."""
