"""What a game would take before it is solved: positions, moves, bytes and time on each engine."""
