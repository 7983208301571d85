"""Plants as text: a line ``state,action,state`` for each transition.

- Fields are separated by commas; blanks before and after a field do not count. A field that
  contains a comma or a quote stands in double quotes, in which a quote is doubled: ``"a,b"``. The
  comma follows the closing quote at once.
- Empty lines, and lines that begin with ``#``, are skipped.
- The first line may be the header ``state,action,state``, which is skipped as well.
- A fourth field ``uncontrollable`` says so of the action, everywhere.

All names are text.
"""

import csv
from collections.abc import Hashable, Iterable

from zermelo._inputs.values import listed
from zermelo._runtime import files
from zermelo.errors import FormatError
from zermelo.formats.common import compression
from zermelo.plant import Plant

HEADER = ["state", "action", "state"]
FLAG = "uncontrollable"


def read_plant(
    path: files.PathLike,
    uncontrollable: Iterable[Hashable] = (),
    start: Hashable | None = None,
) -> Plant:
    """Read a plant: a line ``state,action,state`` for each transition.

    ``path`` is a file's name, ``"-"`` for standard input, or a binary file object. The actions of
    ``uncontrollable`` are those that no controller can disable, besides those that the file marks
    by a fourth field. The initial state is ``start``, by default that of the first line.

    >>> import io
    >>> read_plant(io.BytesIO(b"idle,start,busy\\nbusy,fail,broken\\n"), ["fail"])
    Plant(3 states, 2 actions (1 uncontrollable), 2 transitions, start idle)
    """
    name, named = files.name_of(path, "standard input")
    data = files.read_bytes(path)
    try:
        if named:
            data = compression.decompress(data, compression.split_suffix(name)[1])
        transitions, free = parse_plant(data)
    except FormatError as error:
        raise error.at(name) from None
    if not transitions:
        raise FormatError("expected lines state,action,state, got none", path=name)
    return Plant.from_transitions(
        transitions, [*listed(uncontrollable, "a list of actions"), *free], start
    )


def parse_plant(data: bytes) -> tuple[list[tuple[str, str, str]], list[str]]:
    """The transitions of a text, and the actions that it marks as uncontrollable.

    >>> parse_plant(b"a,go,b\\na,wind,c,uncontrollable\\n")
    ([('a', 'go', 'b'), ('a', 'wind', 'c')], ['wind'])
    """
    try:
        lines = data.removeprefix(b"\xef\xbb\xbf").decode().split("\n")
    except UnicodeDecodeError as error:
        place = data.count(b"\n", 0, error.start) + 1
        raise FormatError("expected UTF-8 text", line=place) from None
    transitions: list[tuple[str, str, str]] = []
    free: dict[str, None] = {}
    for k, line in enumerate(lines, 1):
        if not line.strip() or line.lstrip().startswith("#"):
            continue
        try:
            row = next(csv.reader([line.rstrip("\r")], strict=True, skipinitialspace=True))
        except csv.Error as error:
            raise FormatError(f"expected state,action,state, but {error}", line=k) from None
        row = [x.strip() for x in row]
        if row == HEADER and not transitions:
            continue
        if len(row) not in (3, 4) or "" in row[:3]:
            raise FormatError(f"expected state,action,state, got {_short(line)!r}", line=k)
        if row[3:] and row[3] not in ("", FLAG):
            raise FormatError(f"expected {FLAG} after the transition, got {_short(row[3])!r}",
                              line=k)  # fmt: skip
        transitions.append((row[0], row[1], row[2]))
        if row[3:] == [FLAG]:
            free[row[1]] = None
    return transitions, list(free)


def _short(text: str) -> str:
    text = text.strip()
    return text if len(text) <= 60 else text[:59] + "…"
