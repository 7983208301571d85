"""Files that the command line names: reading a game, and whether an output can be written."""

import errno
import os
from collections.abc import Iterable

import zermelo as zm
from zermelo._runtime.files import is_url
from zermelo.cli.inputs.kinds import DESCRIPTIONS, kind_of
from zermelo.errors import InvalidOptionError
from zermelo.registry import FORMATS


def read_game(path: str, format_: str | None = None) -> "zm.Game":
    """The game of a file."""
    if path != "-" and not is_url(path):
        if os.path.isdir(path):
            from zermelo.formats.binary.shards import is_shards

            if not is_shards(path):
                raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), path)
        os.stat(path)  # a missing file is reported before an unknown suffix
    return zm.read(path, format=format_)


def check_output(
    path: str | None,
    kind: str,
    inputs: "Iterable[str | None]" = (),
    force: bool = False,
    *,
    format_: str | None = None,
) -> None:
    """Refuse an output that cannot or should not be written, before anything is computed for it.

    ``kind`` is what is written: ``graph``, ``objective`` (with its graph), ``solution``,
    ``picture``, ``table`` or ``values``. A file that is one of the ``inputs``, or that holds
    another kind of thing, is replaced only by ``force``. If ``format_`` is given, the suffix is not
    checked.
    """
    if path == "-" and kind == "solution" and format_ is None:
        raise InvalidOptionError("writing to standard output needs a format, for example --to json")
    if path is None or path == "-":
        return
    folder = os.path.dirname(path)
    if os.path.isdir(path):
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), path)
    if folder and not os.path.isdir(folder):
        raise FileNotFoundError(errno.ENOENT, f"there is no directory {folder!r}", path)
    if format_ is None:
        _check_suffix(path, kind)
    if not force and os.path.isfile(path):
        _check_replaced(path, kind, inputs)


def _check_suffix(path: str, kind: str) -> None:
    """Refuse a file whose suffix belongs to no format for this kind of thing."""
    from zermelo.formats.common.compression import split_suffix

    ending = os.path.splitext(split_suffix(path.lower())[0])[1]
    if kind == "picture":
        from zermelo.draw.drawing import FORMATS as PICTURES

        suffixes = [*(f".{name}" for name in PICTURES), ".gv"]
        fits = ending in suffixes
    elif kind in ("graph", "objective", "solution"):
        fits = any(kind in row.holds and ending in row.suffixes for row in FORMATS)
        known = () if fits else FORMATS
        suffixes = [x for row in known if kind in row.holds for x in row.suffixes]
    else:
        return
    if not fits:
        article = "an" if kind == "objective" else "a"
        raise InvalidOptionError(
            f"{path}: no format for {article} {kind} has this suffix; known: {' '.join(suffixes)}"
        )


def _check_replaced(path: str, kind: str, inputs: "Iterable[str | None]") -> None:
    """Refuse to replace an input, or a file of another kind."""
    if any(_same_file(path, source) for source in inputs):
        raise InvalidOptionError(f"{path}: this is the input itself; --force replaces it")
    found = kind_of(path)
    if found not in ("empty", "graph" if kind == "objective" else kind):
        held = f"holds {DESCRIPTIONS[found]}" if found else "exists"
        raise InvalidOptionError(
            f"{path}: this file {held} and would be replaced by {DESCRIPTIONS[kind]}; "
            "--force does that"
        )


def _same_file(path: str, source: str | None) -> bool:
    """Whether an input is this file, under any name; a file of rules may have a class after it."""
    if source is None:
        return False
    try:
        if source == "-":
            return os.path.samestat(os.fstat(0), os.stat(path))
        rules, colon, _ = source.partition(".py:")
        return os.path.samefile(f"{rules}.py" if colon else source, path)
    except (OSError, ValueError):
        return False


def name_of(path: str) -> str:
    """A file's name for messages."""
    return "standard input" if path == "-" else path
