"""Questions that change nothing: about worlds, revisions, and what is being typed."""
