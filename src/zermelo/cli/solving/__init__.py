"""The commands that solve and check games on graphs."""
