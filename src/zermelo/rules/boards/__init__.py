"""Board games on integers, one game in each file; files with an underscore are shared."""
