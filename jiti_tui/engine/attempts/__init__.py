"""An attempt, from its checkpoint to the next revision on disk, or back to the world as it was."""
