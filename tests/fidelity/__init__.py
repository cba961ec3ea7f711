"""Differential tests of a generated package: every definition against an independent JSON Schema validator."""
