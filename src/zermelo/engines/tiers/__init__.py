"""Games given by rules on the partitioned program: exploring and tiers."""
