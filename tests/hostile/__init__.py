"""Schemas that try to be more than data."""
