"""Guards check the results of methods of rules before kernels use them.

Kernels use these results as indices of arrays without checks, and anybody may write rules. So a
template does not call a member itself. It calls a *guard* of the member: one of the functions
``fill``, ``give`` and ``give_outcome`` below, in which ``member`` is the member, and ``least`` and
``most`` are its limits. Inside members the compiled code checks every index
(:class:`~zermelo._runtime.compiled.flatten.Flat`). When a guard finds a wrong result, it notes the
member and the position for this thread, and raises an error. Then :func:`complaint` calls the
member once more in Python, to find out what is wrong.
"""

from collections.abc import Callable
from typing import Any

from zermelo._runtime.compiled.instructions import note_fault
from zermelo._runtime.compiled.jit import kernel
from zermelo.labels import LARGEST_POSITION as LARGEST
from zermelo.labels import OPEN, Int64Array

LEAST = -(1 << 63)

MAX_TIERS = 1 << 12
"""Tiers are 0 … MAX_TIERS − 1."""

FILLING = {
    "moves": "most_moves",
    "unmoves": "most_unmoves",
    "unmoves_by_index": "most_unmoves",
    "fill_left": "most_options",
    "fill_right": "most_options",
    "fill_components": "most_parts",
}
"""The members that fill an array, and the parameters that limit the number of items."""

OF_INDICES = ("unmoves_by_index",)
"""The members that fill an array with indices."""

GIVING: dict[str, tuple[int, int, str]] = {
    "outcome": (-1, OPEN, f"−1, 0, 1 or OPEN ({OPEN})"),
    "rank": (0, LEAST, "an index from 0 to size − 1"),
    "unrank": (LEAST, LARGEST, "a position up to 2⁶³ − 2, or −1"),
    "canonical": (0, LARGEST, "a position from 0 to 2⁶³ − 2"),
    "orbit": (0, LARGEST, "a number from 0 on"),
    "tier": (0, MAX_TIERS - 1, f"a tier from 0 to {MAX_TIERS - 1}"),
    "player": (0, 1, "0 or 1"),
    "moves_differ": (0, 1, "True or False"),
    "image": (LEAST, LARGEST + 1, "a position"),
    "opposite_image": (LEAST, LARGEST + 1, "a position, or −1"),
}
"""The members that return a number: the least one allowed, the greatest one, and a description."""

OF_POSITIONS = ("outcome", "rank", "canonical", "orbit", "tier", "player", "moves_differ")
"""The members whose argument is a position."""

POSITIONS = "positions from 0 to 2⁶³ − 2"

REACHED = "unrank of an index that is reached"
STEADY = "moves that were others before"

GUARDED = (*FILLING, *GIVING, REACHED, STEADY)
REACHED_CODE, STEADY_CODE = len(GUARDED) - 2, len(GUARDED) - 1

least, most, size, code = 0, (0,), (0,), 0
"""What a member may give; ``most[0]`` and ``size[0]`` may be data, see
:mod:`zermelo._runtime.compiled.native`."""


def member(*args: Any) -> int:
    """A placeholder for the member."""
    raise NotImplementedError


@kernel
def fill(position: int, out: Int64Array) -> int:
    """Call a member that fills ``out``; check the number of the positions, and their signs."""
    count, signs, sound = 0, 0, True
    try:
        count = member(position, out)
    except Exception:
        sound = False
    if sound and 0 <= count <= most[0] and count <= len(out):
        for k in range(count):
            signs |= out[k]
        if signs >= 0:
            return count
    note_fault(code, position)
    raise ValueError("the rules are wrong")


@kernel
def fill_indices(position: int, out: Int64Array) -> int:
    """Call a member that fills ``out`` with indices; check their number and each of them."""
    count, sound = 0, True
    try:
        count = member(position, out)
    except Exception:
        sound = False
    if sound and 0 <= count <= most[0] and count <= len(out):
        for k in range(count):
            sound &= 0 <= out[k] < size[0]
        if sound:
            return count
    note_fault(code, position)
    raise ValueError("the rules are wrong")


@kernel
def give(position: int) -> int:
    """Call a member that returns a number, and check the number."""
    value, sound = 0, True
    try:
        value = member(position)
    except Exception:
        sound = False
    if sound and least <= value <= most[0]:
        return value
    note_fault(code, position)
    raise ValueError("the rules are wrong")


@kernel
def give_outcome(position: int) -> int:
    """Call ``outcome``, which may return None for OPEN, and check the number.

    If ``outcome`` never returns None, the compiler removes the test for None.
    """
    value, sound = OPEN, True
    try:
        outcome = member(position)
        if outcome is not None:
            value = outcome
    except Exception:
        sound = False
    if sound and least <= value <= most[0]:
        return value
    note_fault(code, position)
    raise ValueError("the rules are wrong")


def template(name: str) -> Any:
    """The template of the guard for a member."""
    if name in OF_INDICES:
        return fill_indices
    if name in FILLING:
        return fill
    return give_outcome if name == "outcome" else give


@kernel
def require_position(index: int, position: int) -> None:
    """Refuse the index of a position that occurs, if ``unrank`` returned no position for it."""
    if position < 0:
        note_fault(REACHED_CODE, index)
        raise ValueError("the rules are wrong")


@kernel
def require_same_moves(position: int, place: int, count: int) -> None:
    """Refuse a move that an earlier call did not list: there is no place for it."""
    if not 0 <= place < count:
        note_fault(STEADY_CODE, position)
        raise ValueError("the rules are wrong")


LIMITS = {**FILLING, "rank": "size"}
"""The parameter that limits the results of a member."""


def limits(rules: Any, name: str) -> tuple[int, int]:
    """The least and the greatest number that a member may return."""
    if name in FILLING:  # ``fill`` checks the length of the array, too
        return 0, int(getattr(rules, FILLING[name], LARGEST))
    low, high, _ = GIVING[name]
    return low, int(rules.size) - 1 if name == "rank" else high


class RecordedArray:
    """An object that a member can fill like an array; it accepts and stores any index."""

    def __init__(self, size: int) -> None:
        self.size = size
        self.filled: dict[int, int] = {}

    def __len__(self) -> int:
        return self.size

    def __getitem__(self, k: int) -> int:
        return self.filled.get(k + self.size if k < 0 else k, 0)

    def __setitem__(self, k: int, value: int) -> None:
        self.filled[k + self.size if k < 0 else k] = value


def complaint(rules: Any, name: str, position: int) -> str | None:
    """What is wrong with a member at a position; None if it returns a correct result in Python."""
    if name == REACHED:
        return f"a position has the index {position}, but unrank({position}) gave none"
    if name == STEADY:
        fault = complaint(rules, "moves", position)
        return fault or f"moves({position}) gave other moves than before, for the same position"
    call: Callable[..., Any] = getattr(rules, name)
    low, high = limits(rules, name)
    out = RecordedArray(max(1, high)) if name in FILLING else None
    try:
        value = call(position) if out is None else call(position, out)
    except Exception as error:
        return f"{name}({position}) fails with {type(error).__name__}: {error}"
    if name == "outcome" and value is None:
        value = OPEN
    sound = hasattr(value, "__index__") and low <= value <= high
    if out is None:
        return (
            None
            if sound
            else f"{name}({position}) gave {_shown(value)}; expected {GIVING[name][2]}"
        )
    items = "moves" if name == "moves" else "positions"
    if not sound:
        return f"{name}({position}) gave {_shown(value)} {items}; {FILLING[name]} is {high}"
    if beyond := [k for k in out.filled if not 0 <= k < len(out)]:
        return f"{name}({position}) writes to out[{beyond[0]}]; {FILLING[name]} is {high}"
    if (left := next((k for k in range(value) if k not in out.filled), None)) is not None:
        return f"{name}({position}) gave {value} {items}, but did not write to out[{left}]"
    for k in range(value):
        if name in OF_INDICES and not 0 <= out[k] < rules.size:
            return (
                f"{name}({position}) gave {_shown(out[k])}; expected {GIVING['rank'][2]}, "
                f"and size is {rules.size}"
            )
        if not 0 <= out[k] <= LARGEST:
            return f"{name}({position}) gave {_shown(out[k])}; expected {POSITIONS}"
    return None


def _shown(value: Any) -> str:
    """The text of a value for a message; Python has no text of very long integers."""
    long = isinstance(value, int) and value.bit_length() > 200
    return f"an integer of {value.bit_length():,} bits" if long else str(value)
