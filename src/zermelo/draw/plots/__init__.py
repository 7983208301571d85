"""Pictures of sequences and thermographs."""
