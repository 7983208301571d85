"""Checking all entries of a table in Python, one position after the other."""

from typing import Any

from zermelo._runtime.progress import Report
from zermelo.labels import NO_DISTANCE
from zermelo.verify.tables.examination import POSITIONS_BETWEEN_REPORTS, Examined, prove
from zermelo.verify.tables.game import Game


def examine_plain(game: Game, progress: Report | None) -> Examined:
    """Examine all positions that play reaches; a wrong entry is a CertificateError."""
    tier = PlainTier(game, progress)
    prove([tier])
    return tier.counts, tier.examined, sum(1 for _ in game.table.kinds())


class PlainTier:
    """All positions of a table; distances leave nothing to prove, but labels alone do."""

    def __init__(self, game: Game, progress: Report | None) -> None:
        self.game, self.progress, self.examined = game, progress, 0
        self.counts = dict.fromkeys(game.table.counts(), 0)
        if game.table.has_distances:
            self.counts |= {"longest_win": NO_DISTANCE, "longest_lose": NO_DISTANCE}
        self.left: dict[int, int] = {}
        """How many moves of an entry must still lead to something proved; 0 if it is proved."""
        self.before: dict[int, list[int]] = {}
        self.fresh: list[int] = []
        """What was proved by the last step."""
        self.waiting: dict[int, Any] = {}
        """A position for each entry whose value must be proved."""

    def begin(self) -> None:
        """Check every position that play reaches."""
        for position in self.game.reached():
            self.game.check(position)
            self._count(position)
            if self.game.alone:
                self._wait(position)
            if self.progress is not None and self.examined % POSITIONS_BETWEEN_REPORTS == 0:
                self.progress(self.examined, len(self.game.table), "positions verified")

    def _count(self, position: Any) -> None:
        value, distance, _ = self.game.entry_of(position)
        name = {1: "win", -1: "lose"}.get(value, "tie" if distance != NO_DISTANCE else "draw")
        orbit = self.game.orbit(position)
        self.examined += 1
        self.counts[name] += orbit
        self.counts["positions"] += orbit
        if value and self.game.table.has_distances:
            self.counts[f"longest_{name}"] = max(self.counts[f"longest_{name}"], distance)

    def _wait(self, position: Any) -> None:
        """Note what a value that is not that of infinite play, or a tie, follows from."""
        value, distance, number = self.game.entry_of(position)
        infinite = self.game.infinite(position)
        if value == infinite and distance == NO_DISTANCE:
            return
        options, after = self.game.options(position), self.game.after(position)
        kept = [option for option, (x, _) in zip(options, after, strict=True) if x == value]
        self.left[number] = len(kept) if value < infinite else min(len(kept), 1)
        self.waiting[number] = position
        for option in kept:
            self.before.setdefault(self.game.entry_of(option)[2], []).append(number)
        if not options:
            self.fresh.append(number)

    def step(self) -> bool:
        """Prove the values that follow from those that are new."""
        proved, self.fresh = self.fresh, []
        for number in proved:
            del self.waiting[number]
            for earlier in self.before.get(number, ()):
                self.left[earlier] -= 1
                if self.left[earlier] == 0:
                    self.fresh.append(earlier)
        return bool(self.fresh)

    def finish(self) -> None:
        """Refuse a value that was not proved."""
        for position in self.waiting.values():
            raise self.game.circle(position)
