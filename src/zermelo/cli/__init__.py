"""The command, one file for each of its verbs."""
