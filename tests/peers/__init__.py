"""Whole sessions between two processes over pipes: ours against the official packages, and those against each other."""
