"""Where the partitioned program takes moves from."""
