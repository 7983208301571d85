"""Partizan games: values of positions, numbers, canonical forms, temperatures.

The public names are in ``zermelo`` itself; each module here is imported at its first use.
"""
