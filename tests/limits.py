"""When a test gives up."""

HANG = 900
"""Seconds after which a process counts as hung. No busy machine takes so long."""
