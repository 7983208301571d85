"""Games of men in a row."""
