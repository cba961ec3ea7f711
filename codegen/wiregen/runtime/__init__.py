"""Support modules that are copied as they are into every generated package."""
