"""A tiny game whose tiers are games of their own, for tables in a directory."""

from zermelo.rules.compiled import NO_POSITION, OPEN, CompiledRules


class Stairs(CompiledRules):
    """Floor f has f + 3 places in a ring: go one place on, or two, or down one floor.

    On floor 0, place 0 is lost, place 1 is a tie. The last index of every floor is no position.
    There are wins, losses, ties and draws.
    """

    most_moves = 3
    reachable = False

    def __init__(self, floor=3):
        self.floor = floor
        self.size = sum(self.room(f) for f in range(floor + 1))

    def room(self, floor):
        return floor + 4

    def start(self):
        return self.size - self.room(self.floor)

    def first(self, floor):
        return floor * 4 + floor * (floor - 1) // 2

    def tier(self, position):
        floor = 0
        while self.first(floor + 1) <= position:
            floor += 1
        return floor

    def tier_games(self):
        return [(str(f), self.room(f)) for f in range(self.floor + 1)]

    def moves(self, position, out):
        floor = self.tier(position)
        first = self.first(floor)
        place, ring = position - first, floor + 3
        out[0] = first + (place + 1) % ring
        count = 1
        if place % 2 == 1:
            out[1] = first + (place + 2) % ring
            count = 2
        if floor > 0 and place % 3 != 1:
            out[count] = self.first(floor - 1) + place % (ring - 1)
            count += 1
        return count

    def outcome(self, position):
        if position == 0:
            return -1
        if position == 1:
            return 0
        return OPEN

    def rank(self, position):
        return position

    def unrank(self, index):
        floor = self.tier(index)
        return index if index - self.first(floor) < floor + 3 else NO_POSITION
