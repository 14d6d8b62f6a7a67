"""Screens in browsers: a server on loopback, one process a screen, and a token without which nothing is answered."""
