"""Breaks the store on purpose, on the real disk and under the real code, and looks whether it survives."""
