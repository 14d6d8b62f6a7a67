"""Starts worker processes, confines them, and talks to them."""
