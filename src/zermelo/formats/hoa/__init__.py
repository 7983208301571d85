"""The Hanoi Omega-Automata format."""
