"""The checks of all input from outside, before it reaches a kernel."""
