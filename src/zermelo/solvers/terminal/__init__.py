"""Terminal-payoff games."""
