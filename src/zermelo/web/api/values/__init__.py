"""Values of partizan games and of heaps: expressions, positions, nim-values."""
