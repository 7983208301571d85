"""Partizan games, one a file; what they have in common is in ``base`` and ``grid``."""
