"""Values and sums of games of return and repetition."""
