"""Games given by rules: the moves of every position, one game a file."""

from zermelo.labels import OPEN

__all__ = ["OPEN"]
