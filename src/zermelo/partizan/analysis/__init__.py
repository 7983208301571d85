"""What is computed of a value: temperatures, weights, stops, play."""
