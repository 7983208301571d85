"""Board games on integers, one a file; what boards have in common has an underscore."""
