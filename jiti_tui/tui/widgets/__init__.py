"""Widgets: what paints lines, and the editor."""
