"""The session of `peers.sessions` as programs on `wiretypes` hold it."""
