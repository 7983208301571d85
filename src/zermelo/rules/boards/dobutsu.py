"""Dōbutsu shōgi: shogi on 3×4 squares, with a lion, a giraffe, an elephant and a chick.

Capture the lion, or bring your own lion to the farthest rank where it cannot be captured at once.
A chick that walks to the farthest rank becomes a hen. A captured animal belongs to its captor, who
may drop it, a hen as a chick. The second player wins in 78 plies, and the longest win takes 173
[Tanaka2009].

Where the mover can capture the lion, that is the only move. Positions are counted up to
reflection, and without the one of the captured lion, as [Tanaka2009] counts them: 246 803 167.
"""

from typing import Any, Self

import numpy as np

from zermelo._runtime.words import lowest
from zermelo.errors import InvalidOptionError
from zermelo.rules.boards._dobutsu_index import (
    CHICK,
    EACH,
    ELEPHANT,
    FAR,
    FOURS,
    FULL,
    GIRAFFE,
    HAND,
    HANDS,
    HELD,
    HEN,
    HOME,
    LEFT,
    LETTERS,
    LION,
    ONES,
    PLACED,
    RIGHT,
    TAKEN,
    THEIRS,
    TWOS,
    DobutsuIndex,
)
from zermelo.rules.boards.board_picture import svg, text_grid
from zermelo.rules.compiled import OPEN

NAMES = [f"{'abc'[s % 3]}{s // 3 + 1}" for s in range(12)]
"""The squares as the first player sees them."""
PLACES = [(s % 3, 3 - s // 3) for s in range(12)]


def _attacks(kind: int, square: int) -> int:
    """The squares that an animal of the mover's attacks."""
    x, y = square % 3, square // 3
    steps = {
        CHICK: [(0, 1)],
        ELEPHANT: [(-1, -1), (-1, 1), (1, -1), (1, 1)],
        GIRAFFE: [(-1, 0), (1, 0), (0, -1), (0, 1)],
        HEN: [(-1, 0), (1, 0), (0, -1), (0, 1), (-1, 1), (1, 1)],
    }
    steps[LION] = steps[ELEPHANT] + steps[GIRAFFE]
    ends = ((x + dx, y + dy) for dx, dy in steps.get(kind, []))
    return sum(1 << u + 3 * v for u, v in ends if 0 <= u < 3 and 0 <= v < 4)


ATTACKS = np.array([_attacks(kind, s) for kind in range(6) for s in range(12)], np.int64)
"""``ATTACKS[kind * 12 + square]``."""
ORIGINS = np.array(
    [sum(1 << s for s in range(12) if _attacks(kind, s) >> t & 1)
     for kind in range(6) for t in range(12)], np.int64)  # fmt: skip
"""``ORIGINS[kind * 12 + square]``: from where an animal attacks a square."""


class Dobutsu(DobutsuIndex):
    """Dōbutsu shōgi; in text the mover's animals are capital letters, and walk upwards.

    >>> rules = Dobutsu()
    >>> rules.show(rules.start())
    'gle/.c./.C./ELG -'
    >>> sorted(rules.show(x) for x in rules.options(rules.start()))[0]
    '.le/gc./.C./ELG -'
    """

    most_moves = 48
    most_unmoves = 160
    relative = True
    """Positions are what the player to move sees."""

    @classmethod
    def from_text(cls, text: str) -> Self:
        """An empty text."""
        if text:
            raise InvalidOptionError(f"expected nothing after the colon, got {text!r}")
        return cls()

    def start(self) -> int:
        """All animals but the chicks on the ranks at the ends, lions in the middle."""
        return self.parse("gle/.c./.C./ELG -")

    def attacks(self, position: int) -> int:
        """The squares that the mover attacks."""
        mine = position & FULL
        ones, twos = position >> ONES & mine, position >> TWOS & mine
        fours = position >> FOURS & mine
        walkers = (ones & twos) | fours  # giraffes, lions, hens: along files and ranks
        climbers = (twos & ~ones) | fours  # elephants, lions, hens: diagonally ahead
        leavers = climbers & ~ones  # elephants, lions: diagonally back
        ahead = (walkers | (ones & ~twos)) << 3 | walkers >> 3
        aside = (walkers & ~LEFT) >> 1 | (walkers & ~RIGHT) << 1
        up = (climbers & ~LEFT) << 2 | (climbers & ~RIGHT) << 4
        down = (leavers & ~LEFT) >> 4 | (leavers & ~RIGHT) >> 2
        return (ahead | aside | up | down) & FULL

    def outcome(self, position: int) -> int:
        """Lost if the lion is captured, or if the opponent's on the home rank cannot be."""
        if position == TAKEN:
            return -1
        lion = position >> FOURS & ~(position >> ONES) & ~position & FULL
        if lion & HOME and not self.attacks(position) & lion:
            return -1
        return OPEN

    def moves(self, position: int, out: Any) -> int:
        """Capture the lion; where that is not possible, all moves."""
        lion = position >> FOURS & ~(position >> ONES) & ~position & FULL
        if self.attacks(position) & lion:
            out[0] = TAKEN
            return 1
        return self.all_moves(position, out)

    def all_moves(self, position: int, out: Any) -> int:
        """All moves, also where the lion can be captured."""
        mine = position & FULL
        occupied = (position >> ONES | position >> TWOS | position >> FOURS) & FULL
        turned = self.turned(position)
        active = FULL & ~occupied if position >> HAND & HANDS else 0
        active |= mine
        count = 0
        while active:
            here = lowest(active)
            active &= active - 1
            if mine >> here & 1:
                kind = self.kind_at(position, here)
                ends = ATTACKS[kind * 12 + here] & ~mine
                lifted = turned & ~(EACH << 11 - here)
                while ends:
                    to = lowest(ends)
                    ends &= ends - 1
                    out[count] = self.landed(lifted, kind, to)
                    count += 1
            else:
                for kind in range(CHICK, LION):
                    if position >> HAND + 2 * (kind - 1) & 3:
                        out[count] = turned + (PLACED[kind] << 11 - here) - (HELD[kind] << THEIRS)
                        count += 1
        return count

    def kind_at(self, position: int, square: int) -> int:
        """The animal on a square."""
        return (
            position >> ONES + square & 1
            | (position >> TWOS + square & 1) << 1
            | (position >> FOURS + square & 1) << 2
        )

    def landed(self, turned: int, kind: int, to: int) -> int:
        """The position for the opponent after an animal is put on a square.

        ``turned`` is the position as the opponent sees it, after the animal was lifted.
        """
        place = 11 - to
        taken = self.kind_at(turned, place)
        if taken == LION:
            return TAKEN
        if kind == CHICK and FAR >> to & 1:
            kind = HEN
        return (turned & ~(EACH << place)) + (PLACED[kind] << place) + (HELD[taken] << THEIRS)  # type: ignore[no-any-return]

    def moves_differ(self, position: int) -> bool:
        """Whether a lion is beside the middle file.

        If the reflection maps the position after one move to that after another, it keeps the lion
        of the other side. It also keeps the mover's, or the mover's is between two squares that it
        exchanges.
        """
        return position >> FOURS & ~(position >> ONES) & (LEFT | RIGHT) != 0

    def unmoves(self, position: int, out: Any) -> int:
        """Lift what was dropped, move back what was moved, give back what was captured.

        The mover could not capture the lion. Animals attack neighbouring squares only, so no other
        animal than the one that moved attacks it now, and that one did not from its origin.
        """
        if position == TAKEN:
            return 0
        after = self.turned(position)
        mine = after & FULL
        ones, twos, fours = after >> ONES & FULL, after >> TWOS & FULL, after >> FOURS & FULL
        lions = fours & ~ones
        if lions & ~mine & HOME:
            return 0
        lion = lowest(lions & ~mine)
        attackers = mine & (
            (ones & ~twos & ~fours & ORIGINS[CHICK * 12 + lion])
            | (twos & ~ones & ORIGINS[ELEPHANT * 12 + lion])
            | (twos & ones & ORIGINS[GIRAFFE * 12 + lion])
            | (lions & ORIGINS[LION * 12 + lion])
            | (fours & ones & ORIGINS[HEN * 12 + lion])
        )
        if attackers & attackers - 1:
            return 0
        men = lions & mine & FAR or mine
        if attackers:
            men &= attackers
        occupied = ones | twos | fours
        count = 0
        while men:
            here = lowest(men)
            men &= men - 1
            kind = self.kind_at(after, here)
            lifted = after & ~(EACH << here)
            if kind < LION:
                out[count] = lifted + (HELD[kind] << HAND)
                count += 1
            origins = ORIGINS[kind * 12 + here] & ~(occupied | ORIGINS[kind * 12 + lion])
            if kind == CHICK and FAR >> here & 1:
                origins = 0
            if kind == LION:
                origins &= ~FAR
            while origins:
                before = lifted + (PLACED[kind] + 1 << lowest(origins))
                origins &= origins - 1
                count = self.given_back(before, here, out, count)
            below = FULL & ~(occupied | ORIGINS[CHICK * 12 + lion])
            if kind == HEN and FAR >> here & 1 and below >> here - 3 & 1:
                before = lifted + (PLACED[CHICK] + 1 << here - 3)
                count = self.given_back(before, here, out, count)
        return count

    def given_back(self, before: int, here: int, out: Any, count: int) -> int:
        """Add a position, and those with an animal of the mover's hand back on a square."""
        out[count] = before
        count += 1
        if before >> HAND & HANDS:
            for kind in range(CHICK, HEN + 1):
                if kind != LION and before >> HAND & 3 * HELD[kind]:
                    out[count] = before + (PLACED[kind] << here) - (HELD[kind] << HAND)
                    count += 1
        return count

    def unmoves_by_index(self, index: int, out: Any) -> int:
        """The indices of the positions before one, which differ where its moves would."""
        position = self.unrank(index)
        count = self.unmoves(position, out)
        for k in range(count):
            out[k] = self.rank(out[k])
        if self.moves_differ(position):
            return count
        distinct = 0
        for k in range(count):
            new = True
            for j in range(distinct):
                new = new and out[j] != out[k]
            if new:
                out[distinct] = out[k]
                distinct += 1
        return distinct

    def letters(self, position: int) -> str:
        """The animal on each square; capital letters are the mover's."""
        kinds = (LETTERS[self.kind_at(position, s)] for s in range(12))
        return "".join(x if position >> s & 1 else x.lower() for s, x in enumerate(kinds))

    def held(self, position: int) -> str:
        """The animals in the hands; capital letters are in the mover's."""
        return "".join(
            letter * (position >> hand + 2 * k & 3)
            for hand, names in ((HAND, "CEG"), (THEIRS, "ceg"))
            for k, letter in enumerate(names)
        )

    def show(self, position: int) -> str:
        """The ranks from the top, / between, then the animals in hand; capitals are the mover's."""
        if position == TAKEN:
            return "taken"
        letters = self.letters(position)
        board = "/".join(letters[y : y + 3] for y in (9, 6, 3, 0))
        return f"{board} {self.held(position) or '-'}"

    def parse(self, text: str) -> int:
        """The position that ``show`` shows as ``text``."""
        if text == "taken":
            return TAKEN
        board, _, held = text.strip().partition(" ")
        ranks = board.split("/")
        held = held.replace("-", "") if held in ("", "-") else held
        if [len(rank) for rank in ranks] != [3] * 4 or {*board} - {*"/.CEGLHceglh"}:
            raise InvalidOptionError(
                f"expected a position such as 'gle/.c./.C./ELG -', got {text!r}"
            )
        if {*held} - {*"CEGceg"}:
            raise InvalidOptionError(
                f"expected animals of CEG and ceg in hand, got {held!r} in {text!r}"
            )
        position = 0
        for s, letter in enumerate("".join(reversed(ranks))):
            kind = LETTERS.index(letter.upper())
            position += int(PLACED[kind]) + letter.isupper() << s
        for letter in held:
            hand = HAND if letter.isupper() else THEIRS
            position += int(HELD[LETTERS.index(letter.upper())]) << hand
        animals = (board + held).upper().replace("H", "C")
        if any(animals.count(x) != 2 for x in "CEGL") or board.count("L") != 1:
            raise InvalidOptionError(f"expected two of each animal and a lion each, got {text!r}")
        if "L" in ranks[0]:
            raise InvalidOptionError(
                f"expected the mover's lion below the farthest rank, got {text!r}"
            )
        return position

    def diagram(self, position: int, second: bool = False) -> str:
        """The board on lines of text, the first player below, in capitals."""
        if position == TAKEN:
            return "the lion is captured"
        seen = self.turned(position) if second else position
        hands = f"in hand: {self.held(seen) or 'nothing'}"
        return f"{text_grid(PLACES, self.letters(seen))}\n\n{hands}"

    def describe(self, position: int, option: int, second: bool = False) -> str:
        """A move in words: ``Lb1-a2``, ``Cb2xb3``, ``Cb3-b4=H``, ``E*b2``.

        >>> rules = Dobutsu()
        >>> [rules.describe(rules.start(), x) for x in rules.options(rules.start())]
        ['Lb1-a2', 'Lb1-c2', 'Gc1-c2', 'Cb2xb3']
        """
        if option == TAKEN:
            return "takes the lion"
        before, after = self.letters(position), self.letters(self.turned(option))
        names = NAMES[::-1] if second else NAMES
        gone = [s for s in range(12) if before[s].isupper() and after[s] == "."]
        to = next(s for s in range(12) if after[s].isupper() and before[s] != after[s])
        if not gone:
            return f"{after[to]}*{names[to]}"
        sign = "-" if before[to] == "." else "x"
        promoted = "=H" if before[gone[0]] != after[to] else ""
        return f"{before[gone[0]]}{names[gone[0]]}{sign}{names[to]}{promoted}"

    def move_cells(
        self, position: int, option: int, second: bool = False
    ) -> tuple[tuple[str, ...], ...]:
        """The square or the hand that an animal leaves, and the square that it reaches."""
        before, names = self.letters(position), NAMES[::-1] if second else NAMES
        if option == TAKEN:
            return ((names[before.index("l")],),)
        after = self.letters(self.turned(option))
        gone = [s for s in range(12) if before[s].isupper() and after[s] == "."]
        to = next(s for s in range(12) if after[s].isupper() and before[s] != after[s])
        hand = f"{self.side_names[second]} {after[to]}"
        return ((names[gone[0]] if gone else hand, names[to]),)

    def draw(self, position: int) -> str:
        """The board in SVG, the mover below, in capitals."""
        return self.draw_for(position)

    def draw_for(self, position: int, second: bool = False) -> str:
        """The board in SVG, the first player below, in capitals; hands at the right."""
        if position == TAKEN:
            return svg(PLACES, [], "." * 12, names=NAMES, caption="the lion is taken")
        seen = self.turned(position) if second else position
        letters, held = self.letters(seen), self.held(seen)
        owners = [0 if letter.isupper() else 1 for letter in letters]
        hands = [
            (3.5 + k, 3 * (1 - side), f"{held.count(x) if held.count(x) > 1 else ''}{x}", side,
             f"{self.side_names[side]} {x.upper()}")
            for side, animals in enumerate(("CEG", "ceg"))
            for k, x in enumerate(x for x in animals if x in held)
        ]  # fmt: skip
        return svg(PLACES, [], letters, owners=owners, names=NAMES, hands=hands)
