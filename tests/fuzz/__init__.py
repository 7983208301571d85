"""Calls of the public interface with arguments that nobody should give."""
