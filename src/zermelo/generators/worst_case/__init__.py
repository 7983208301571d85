"""Families of parity games on which some algorithm takes long."""
