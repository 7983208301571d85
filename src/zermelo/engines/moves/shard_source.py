"""The moves of a game that is in shards on disk, for the partitioned program."""

from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import Any

import numpy as np

from zermelo._runtime.memory import show_size
from zermelo.engines.moves.source import Rows, Source, cut_rows
from zermelo.engines.partitions.budget import Budget
from zermelo.engines.partitions.terms import Terms
from zermelo.errors import InvalidObjectiveError, MemoryLimitError
from zermelo.formats.binary.shards import Piece, Shards, rows_only
from zermelo.graph import Graph
from zermelo.objectives import Objective
from zermelo.objectives.terminal import StuckPayoff
from zermelo.objectives.terminal_form import TerminalForm, form_on

UNPACKING_FACTOR = 4
"""Memory that reading a shard takes, in sizes of its file; more if the file is compressed."""


def check_sizes(shards: Shards, budget: Budget) -> None:
    """Refuse shards that the budget does not let us read at once."""
    largest = max((shards.size(k) for k in range(len(shards.files))), default=0)
    if largest * UNPACKING_FACTOR > budget.usable // 2:
        count = len(shards.files) * largest * UNPACKING_FACTOR // (budget.usable // 2) + 1
        raise MemoryLimitError(
            f"{shards.path}: the largest shard has {show_size(largest)}, too much for this budget; "
            f"give more memory, or make at least {count:,} shards (zermelo convert --shards)"
        )


class ShardSource(Source):
    """A game in shards; ``objective`` replaces that of the shards, if it needs no data."""

    def __init__(
        self, shards: Shards, budget: Budget | None, objective: Objective | None = None
    ) -> None:
        """Without a budget, shards of any size are read."""
        self.shards, self.n = shards, shards.n
        if objective is not None and not isinstance(objective, StuckPayoff):
            raise InvalidObjectiveError(
                f"{shards.path}: the data of a game of {objective.keyword} must be in the shards; "
                "write them with zermelo convert"
            )
        self.spec = shards.spec if objective is None else {"objective": objective.keyword}
        if budget is not None:
            check_sizes(shards, budget)

    @cached_property
    def terms(self) -> Terms:  # type: ignore[override]
        """The payoffs of all shards together."""
        return self.joined([self.terms_of(k) for k in self.shards_with_payoffs])

    def joined(self, parts: Sequence[Terms]) -> Terms:
        """The payoffs of several shards together."""
        one, levels = self._no_terms if not parts else parts[-1], set[Any]()
        for part in parts or (one,):
            levels |= set(part.levels)
        ordered = tuple(sorted(levels))
        infinite = ordered.index(one.levels[one.infinite])
        return Terms(one.layout, ordered, infinite, one.agreed_ends)

    @property
    def _no_terms(self) -> Terms:
        """The payoffs of a game without positions."""
        owner = np.empty(0, np.int8) if self.shards.owned else None
        none = Piece(0, np.zeros(1, np.int64), np.empty(0, np.int32), owner, np.empty(0))
        return Terms.of(self._form(none))

    def terms_of(self, k: int) -> Terms:
        """The payoffs of one shard."""
        return Terms.of(self.piece(k)[1])

    @property
    def shards_with_payoffs(self) -> range:
        """The shards that have to be read to know all payoffs."""
        known = self.spec["objective"] != "terminal-payoff"
        return range(0 if known else len(self.shards.files))

    def _form(self, piece: Piece) -> TerminalForm:
        graph: Graph = rows_only(piece)
        return form_on(self.shards.objective(piece, self.spec), graph)

    def piece(self, k: int) -> tuple[Piece, TerminalForm]:
        """A shard, and the ends of play in it."""
        piece = self.shards.piece(k)
        return piece, self._form(piece)

    def rows(self, most: int) -> Iterator[Rows]:
        """The rows of all shards, each of which is read completely."""
        for k in range(len(self.shards.files)):
            yield from self.rows_of(k, most)

    def rows_of(self, k: int, most: int) -> Iterator[Rows]:
        """The rows of one shard."""
        place = {level: code for code, level in enumerate(self.terms.levels)}
        piece, form = self.piece(k)
        codes = np.array([place[level] for level in form.levels], np.int32)
        owner = np.empty(0, np.int8) if piece.owner is None else piece.owner
        yield from cut_rows(piece.first, piece.indptr, piece.indices, owner, form.absorbing,
                            codes[form.absorbing_level], self.terms.shift, most)  # fmt: skip

    def name(self) -> str:
        """The digest of the shards and of the objective."""
        from hashlib import blake2b

        text = f"{self.shards.digest()} {sorted(self.spec.items())}"
        return blake2b(text.encode(), digest_size=16).hexdigest()
