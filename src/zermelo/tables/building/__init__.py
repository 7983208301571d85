"""Building tables: files of tiers, checkpoints, directories."""
