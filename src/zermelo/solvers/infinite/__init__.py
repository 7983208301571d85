"""Games of infinite duration: parity games and their kin."""
