"""What a notebook shows of rules: their name, and the position in which play starts."""

import inspect
from typing import Any

from zermelo._inputs import page

LONGEST = 200_000
"""A picture of more letters than this is left out."""


def rules_page(rules: Any) -> str:
    """The name of a game, what it is about, and a picture of its start.

    >>> from zermelo.rules.impartial.nim import Nim
    >>> "Nim" in rules_page(Nim(3, 4)), rules_page(Nim(3, 4)).count("<circle")
    (True, 7)
    """
    given = getattr(rules, "given", rules)
    name = getattr(rules, "known_as", None) or type(given).__name__
    about = (inspect.getdoc(type(given)) or "").split("\n\n")[0]
    about = about.replace("\n", " ").replace("``", "")
    return page.block(page.caption(f"{name}: {about}" if about else name), start_picture(rules))


def start_picture(rules: Any) -> str:
    """The picture of the start; empty where the rules have none that a page can hold.

    >>> from zermelo.rules.impartial.nim import Nim
    >>> start_picture(Nim(3, 4)).startswith("<svg")
    True
    """
    try:
        picture = rules.draw(rules.start())
    except Exception:  # a notebook shows the rest; the error comes when the rules are used
        return ""
    return picture if isinstance(picture, str) and len(picture) <= LONGEST else ""
