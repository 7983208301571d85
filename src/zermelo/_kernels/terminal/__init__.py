"""Kernels of terminal-payoff games."""
