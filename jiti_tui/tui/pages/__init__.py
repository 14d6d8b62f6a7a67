"""Pure functions from a scene to lines. They are tested without a terminal."""
