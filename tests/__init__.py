"""The tests; ``from tests.oracles import …`` works wherever pytest runs."""
