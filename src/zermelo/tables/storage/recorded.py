"""The rules that a table records: a game of zermelo is found by its name, and no file is run."""

from typing import Any

from zermelo.errors import InvalidOptionError, InvalidRulesError
from zermelo.registry import GAMES
from zermelo.rules.base import as_rules
from zermelo.rules.loading.games import game


def recorded_rules(name: str | None, kind: str, path: str) -> Any:
    """The rules by the ``name`` of their game in a header, if that is a game of zermelo.

    What a file says runs no code, so a user's own rules of the class ``kind`` have to be given. A
    name is never a path, not even ``nim:strip.py``.

    >>> recorded_rules("nim:1,2", "Nim", "nim.zt").start()
    (1, 2)
    >>> recorded_rules("strip.py:5", "Strip", "strip.zt")
    Traceback (most recent call last):
    zermelo.errors.InvalidRulesError: strip.zt: it was built with the rules strip.py:5, and a \
table runs no code; give its rules: --rules strip.py:5 (rules= in Python)
    """
    if name is not None and name.partition(":")[0] in GAMES:
        try:
            return as_rules(game(name))
        except InvalidOptionError as error:
            raise InvalidRulesError(f"{path}: {error}") from None
    built_with = f"the rules {name}" if name else f"rules of the class {kind!r}"
    raise InvalidRulesError(
        f"{path}: it was built with {built_with}, and a table runs no code; give its rules: "
        f"--rules {name or 'FILE.py'} (rules= in Python)"
    )
