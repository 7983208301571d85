"""The door: every check of what comes from outside, before it reaches a kernel."""
