"""Solved games with other entries or other rules than their own."""

import dataclasses

from zermelo.tables.solved import SolvedGame
from zermelo.tables.storage.codes import distances, labels


def forged(solved, **changes):
    """The same game with another ``entry`` or other ``rules``."""
    storage = dataclasses.replace(solved.storage, **changes)
    facts = {x: getattr(solved, x) for x in ("symmetry", "asked", "turns")}
    return SolvedGame(storage.rules, storage, **facts)


def claims(solved):
    """The label and the distance of each entry, also of those of no position."""
    return labels(solved.entry), distances(solved.entry)
