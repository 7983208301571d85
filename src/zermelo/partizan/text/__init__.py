"""Forms and values as text, and games as they are written."""
