"""New graphs from old."""
