"""The entries of a table as arrays, and the rules in the form in which kernels look them up."""

from typing import Any, NamedTuple

from zermelo._kernels.verify.records import ABSENT, TIED, UNKNOWN, find_key
from zermelo.labels import AnyArray, Int8Array, Int64Array
from zermelo.rules.views import Doubtful, view
from zermelo.verify.tables.game import Game

__all__ = ["ABSENT", "TIED", "UNKNOWN", "Decoded", "view_of"]


class Decoded(NamedTuple):
    """All entries of a table."""

    label: Int8Array
    """The label of each entry, ABSENT for an entry of no position."""
    distance: AnyArray
    """The distance of each entry, UNKNOWN for a win whose distance the table leaves out.

    In a table of labels alone it is TIED for a tie."""
    keys: Int64Array | None
    """Keys beside the entries; None where the number of an entry is an index."""
    by_index: bool
    """Whether keys are indices; otherwise they are positions in canonical form."""


class ByIndex:
    """The number of an entry is the index of its position."""

    def index_of(self, position: int) -> int:
        """The index of a position, −1 if the index belongs to another position."""
        index = self.rank(position)  # type: ignore[attr-defined]
        if not 0 <= index < self.size:  # type: ignore[attr-defined]
            return -1
        own = self.unrank(index)  # type: ignore[attr-defined]
        form = self.form(position)  # type: ignore[attr-defined]
        if own < 0 or (own != form and self.canonical(own) != form):  # type: ignore[attr-defined]
            return -1
        return index  # type: ignore[no-any-return]

    def entry_of(self, keys: Any, slots: Any, position: int) -> int:
        """The number of the entry of a position, −1 if there is none."""
        return self.index_of(position)

    def position_in(self, keys: Any, i: int) -> int:
        """The position of an entry, negative if there is none."""
        return self.unrank(i)  # type: ignore[attr-defined,no-any-return]


class ByListedIndex(ByIndex):
    """Entries have indices beside them."""

    def entry_of(self, keys: Any, slots: Any, position: int) -> int:
        """The number of the entry of a position, −1 if there is none."""
        index = self.index_of(position)
        return find_key(keys, slots, index) if index >= 0 else -1

    def position_in(self, keys: Any, i: int) -> int:
        """The position of an entry, negative if there is none."""
        return self.unrank(keys[i])  # type: ignore[attr-defined,no-any-return]


class ByForm:
    """Entries have positions in canonical form beside them."""

    def entry_of(self, keys: Any, slots: Any, position: int) -> int:
        """The number of the entry of a position, −1 if there is none."""
        return find_key(keys, slots, self.form(position))  # type: ignore[attr-defined]

    def position_in(self, keys: Any, i: int) -> int:
        """The position of an entry."""
        return keys[i]  # type: ignore[no-any-return]


class Reduced:
    """One entry stands for all positions of a canonical form."""

    def form(self, position: int) -> int:
        """The canonical form of a position."""
        return self.canonical(position)  # type: ignore[attr-defined,no-any-return]


class Single:
    """Every position has its own entry."""

    def form(self, position: int) -> int:
        """The position itself."""
        return position

    def orbit(self, position: int) -> int:
        """Every position stands for itself alone."""
        return 1


class Owned:
    """The rules say which player is to move."""

    def mover(self, position: int) -> int:
        """The player to move."""
        return self.player(position)  # type: ignore[attr-defined,no-any-return]

    def moves_again(self, before: int, after: int) -> bool:
        """Whether the same player is to move after a move."""
        return self.player(before) == self.player(after)  # type: ignore[attr-defined,no-any-return]


class InTurn:
    """The players move in turn, and the player to move counts as player 0."""

    def mover(self, position: int) -> int:
        """The player to move."""
        return 0

    def moves_again(self, before: int, after: int) -> bool:
        """Whether the same player is to move after a move."""
        return False


class ToTheEnd:
    """Distances lead to the end of play, so that no move begins a new count."""

    def is_conversion(self, before: int, after: int) -> bool:
        """Whether a distance counts as 0 after this move."""
        return False


def view_of(game: Game, decoded: Decoded) -> Any:
    """The rules of a table with members that look up its entries."""
    space = ByForm if not decoded.by_index else ByIndex if decoded.keys is None else ByListedIndex
    form, owner = Reduced if game.table.symmetry else Single, Owned if game.owned else InTurn
    # Where the file has no keys, all positions come from the rules.
    doubt = () if space is ByIndex else (Doubtful,)
    return view(game.rules, *doubt, space, form, owner, ToTheEnd)
