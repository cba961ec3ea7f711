"""Tests of peers, of what they declare, and of what they may be sent."""
