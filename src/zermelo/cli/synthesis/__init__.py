"""The commands that find controllers."""
