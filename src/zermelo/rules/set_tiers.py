"""Tiers whose positions the rules of the package can move in sets, many positions at a time."""

from typing import Any, NamedTuple

from zermelo.labels import Int64Array


class SetTier(NamedTuple):
    """A tier that the rules move in sets."""

    key: int
    """The name that the rules have for the tier."""
    indices: range
    """The indices of its positions; moves out of the tier lead to lower indices."""
    width: int
    """The number of indices in one word."""
    even: bool
    """Whether only every other block has indices, because the others are images of these."""
    near: tuple[Int64Array, Int64Array]
    """Block b has moves to the blocks ``near[1][near[0][b]:near[0][b + 1]]``."""
    images: Int64Array | None = None
    """If ``even``: block 2p + 1 is the image of block ``2 images[p]``."""

    @property
    def words(self) -> int:
        """The number of words of a set."""
        return len(self.indices) // self.width * (1 + self.even)


def set_tiers(rules: Any) -> dict[int, SetTier]:
    """The tiers of rules that are moved in sets.

    >>> from zermelo.rules.loading.load import load_rules
    >>> found = set_tiers(load_rules("chess:KRvK"))
    >>> {tier: found[tier].indices for tier in found}, set_tiers(load_rules("tictactoe"))
    ({1: range(462, 59598)}, {})
    """
    given: dict[int, Any] = getattr(rules, "set_tiers", {})
    return {tier: SetTier(*facts) for tier, facts in given.items()}
