"""Games given by rules: what the moves of a position are, one game a file."""
