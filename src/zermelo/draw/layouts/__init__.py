"""Places for the positions of a picture."""
