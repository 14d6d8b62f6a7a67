"""What would come of several answers: each is tried in a fork of its own."""
