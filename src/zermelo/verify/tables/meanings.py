"""What a distance means, and what is checked at one position because of it.

There are three kinds of tables: with plies to the end, with labels alone, and with plies to the
next conversion. :mod:`zermelo.verify.tables.table` says why the statements are proofs.
"""

from typing import TYPE_CHECKING, Any

from zermelo.labels import NO_DISTANCE
from zermelo.verify.tables.game import Game

if TYPE_CHECKING:
    from zermelo.tables.solved import SolvedGame


class PliesToEnd(Game):
    """Each value but that of infinite play has a distance in plies to the end of play."""

    def look_up(self, position: Any) -> tuple[int, int, int]:
        """Value and distance of a position, and the number of its entry, from the table."""
        return self.table.look_up(position)

    def check(self, position: Any) -> None:
        """Compare the entry of a position with the entries after its moves."""
        value, distance, _ = self.entry_of(position)
        after = list(self.after(position))
        if not after:
            best, expected = self.end(position), 0
        else:
            best = max(x for x, _ in after)
            distances = [d for x, d in after if x == best]
            infinite = self.infinite(position)
            if best == infinite:
                known = (d for d in distances if d != NO_DISTANCE)
                expected = 1 + min(known, default=NO_DISTANCE - 1)
            else:
                expected = 1 + (min(distances) if best > infinite else max(distances))
                if NO_DISTANCE in distances:
                    raise self.wrong(
                        f"{self.rules.show(position)}: a move keeps a forced value without a "
                        "distance"
                    )
        if (value, distance) != (best, expected):
            raise self.wrong(
                f"{self.rules.show(position)}: expected value {best} and distance {expected}, by "
                f"the entries after its moves; the table has {value} and {distance}"
            )


class LabelsAlone(Game):
    """There are no distances; that of a tie counts as 0 here, so that it is no draw."""

    alone = True

    def look_up(self, position: Any) -> tuple[int, int, int]:
        """Value and distance of a position, and the number of its entry, from the table."""
        value, tied, number = self.table.look_up_label(position)
        return value, 0 if tied else NO_DISTANCE, number

    def check(self, position: Any) -> None:
        """Compare the entry of a position with the entries after its moves."""
        value, distance, _ = self.entry_of(position)
        after = list(self.after(position))
        best = max(x for x, _ in after) if after else self.end(position)
        tied = best == 0 and (not after or self.infinite(position) != 0 or (0, 0) in after)
        if (value, distance == 0) != (best, tied):
            names = {True: ", a tie", False: ""}
            raise self.wrong(
                f"{self.rules.show(position)}: expected value {best}{names[tied]}, by the entries "
                f"after its moves; the table has {value}{names[distance == 0]}"
            )


class PliesToConversion(LabelsAlone):
    """Labels are proved alone, and distances lead to the next conversion; rules are compiled."""

    to_conversion = True

    def check(self, position: Any) -> None:
        """Compare the entry of a position with the entries after its moves."""
        super().check(position)
        value, _, _ = self.entry_of(position)
        options, distance = self.options(position), self.table.look_up(position)[1]
        expected = 0 if value else NO_DISTANCE
        if value and options:
            numbers = [
                0 if self.converts(position, option) else self.table.look_up(option)[1]
                for option, (x, _) in zip(options, self.after(position), strict=True)
                if x == value
            ]
            expected = 1 + (min(numbers) if value > 0 else max(numbers))
        if distance != expected:
            raise self.wrong(
                f"{self.rules.show(position)}: expected a distance of {expected} to conversion, by "
                f"the entries after its moves; the table has {distance}"
            )

    def converts(self, position: Any, option: Any) -> bool:
        """Whether a move is a conversion, by the rules."""
        if self.rules.has("converts"):
            return bool(self.rules.converts(position, option))
        return bool(self.rules.tier(position) != self.rules.tier(option))


def game_of(table: "SolvedGame") -> Game:
    """The rules and the objective of a table, with the distances that it has."""
    kinds: dict[bool | str, type[Game]] = {True: PliesToEnd, False: LabelsAlone}
    return kinds.get(table.distances, PliesToConversion)(table)
