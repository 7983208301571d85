"""Games of one against many."""
