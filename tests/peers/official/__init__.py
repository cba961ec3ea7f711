"""The session of `peers.sessions` as the official Python packages hold it."""
