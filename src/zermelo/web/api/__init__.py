"""The functions that answer requests, one file a room; they run in worker processes."""
