"""Two pieces on a strip of squares; a move brings one of them nearer to the other."""

import zermelo as zm


class Strip(zm.Rules):
    """A move takes either piece one or two squares nearer to the other.

    A player who cannot move loses.
    """

    def __init__(self, length=8):
        self.length = length

    def start(self):
        return 0, self.length - 1

    def moves(self, position):
        left, right = position
        for step in 1, 2:
            if left + step < right:
                yield left + step, right
                yield left, right - step

    def show(self, position):
        left, right = position
        return "".join("x" if k in (left, right) else "." for k in range(self.length))
