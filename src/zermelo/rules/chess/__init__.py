"""Chess endgames of any material up to five men: board, materials, moves, index, FEN."""
