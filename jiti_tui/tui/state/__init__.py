"""What the screen knows besides the session's snapshot: where the operator is, and what was painted."""
