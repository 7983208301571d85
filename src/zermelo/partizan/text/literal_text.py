"""The text of literal forms: on one line, or as definitions in which repeated forms have letters.

The canonical forms of numbers, ups and nimbers are written by their names (``1/2``, ``^*``), all
other forms with braces (``{1/2,*|1}``). The text of a form can be longer than the form by a power
of 2, because a repeated form is written again each time. So its length is computed first; a long
form is written as definitions.
"""

from collections.abc import Iterator
from string import ascii_uppercase

from zermelo.errors import LimitError
from zermelo.partizan.store import STORE
from zermelo.partizan.text.literal import Literal, identify, subforms
from zermelo.partizan.text.spelling import spell

FLAT = 200
"""A form is written on one line if its text has at most this many characters."""
MAX_LINE_TEXT = 1_000_000
"""The most characters of a form on one line."""
MIN_LETTER_TEXT = 9
"""A repeated form gets a letter if its text is longer than this."""
MAX_INLINE_TEXT = 72
"""A form gets a letter, too, if its text is longer than this."""
LETTERS = ascii_uppercase.replace("G", "")


def name(form: Literal) -> str | None:
    """The name of a canonical form of a number, ups, a nimber or their sum, else None.

    >>> from zermelo.partizan.text.literal import literal
    >>> name(literal("{0|1}")), name(literal("{0,-1|1}")), name(literal("{0|0}"))
    ('1/2', None, '*')
    """
    v = identify(form)
    return spell(v) if STORE.parts(v) is not None and form.is_canonical else None


def flat_length(form: Literal) -> int:
    """The number of characters of a form on one line."""
    length: dict[Literal, int] = {}
    for x in subforms(form):
        text = name(x)
        length[x] = len(text) if text is not None else _length(x, length)
    return length[form]


def _length(x: Literal, length: dict[Literal, int]) -> int:
    commas = sum(max(len(side) - 1, 0) for side in (x.left, x.right))
    return 3 + commas + sum(length[y] for side in (x.left, x.right) for y in side)


def _braces(x: Literal, texts: dict[Literal, str]) -> str:
    left, right = (",".join(texts[y] for y in side) for side in (x.left, x.right))
    return f"{{{left}|{right}}}"


def flat_text(form: Literal) -> str:
    """The form on one line.

    >>> from zermelo.partizan.text.literal import literal
    >>> flat_text(literal("{{0|0}|{1|}} + 1"))
    '{{1,*|1},{*|2}|3}'
    """
    if flat_length(form) > MAX_LINE_TEXT:
        raise LimitError(
            f"on one line this form has more than {MAX_LINE_TEXT:,} characters; definitions() is "
            "shorter"
        )
    texts: dict[Literal, str] = {}
    for x in subforms(form):
        texts[x] = name(x) or _braces(x, texts)
    return texts[form]


def braced(form: Literal) -> str:
    """The form on one line, always with its options: ``{0|1}`` for 1/2."""
    texts = {x: flat_text(x) for x in (*form.left, *form.right)}
    return _braces(form, texts)


def sum_text(form: Literal) -> str | None:
    """The options of a sum before they are added up; None for a form that is not a sum.

    >>> from zermelo.partizan.text.literal import literal
    >>> sum_text(literal("{0|1} + {2|-1}"))
    '{0 + {2|-1}, 1/2 + 2 | 1 + {2|-1}, 1/2 + -1}'
    """
    summands = form.summands
    if len(summands) == 1 or sum(map(flat_length, summands)) > FLAT:
        return None
    sides = []
    for player in (0, 1):
        options = [
            " + ".join(y.text for y in (*summands[:k], option, *summands[k + 1 :]))
            for k, x in enumerate(summands)
            for option in (x.left, x.right)[player]
        ]
        sides.append(", ".join(dict.fromkeys(options)))
    return f"{{{sides[0]} | {sides[1]}}}"


def readable(form: Literal) -> str:
    """The form on one line if that is short, else as definitions, at most 100 of them."""
    return flat_text(form) if flat_length(form) <= FLAT else "\n".join(definitions(form, 100))


def definitions(form: Literal, most: int | None = None) -> list[str]:
    """Lines ``G = {A|B}``, ``A = {…}`` and so on; at most ``most`` of them.

    >>> from zermelo.partizan.text.literal import literal
    >>> for line in definitions(literal("{2|-1} + {0|{0|-2}}"), 3):
    ...     print(line)
    G = {{{F,1|D},2|B},{2|-1}|{-1|F,A},{B,{2|-1}|A,{{E|C}|-3,{C|-2,{2|-1}}}}}
    A = {-1|{0|-2},-3}
    B = {D,2|{E|C}}
    … and 4 more forms
    """
    place = subforms(form)
    uses = dict.fromkeys(place, 0)
    for x in place:
        for y in {*x.left, *x.right}:
            uses[y] += 1
    texts: dict[Literal, str] = {}
    lettered: list[Literal] = []
    for x in place:
        text = name(x)
        if text is None:
            text = _braces(x, texts)
            if x != form and len(text) > (MIN_LETTER_TEXT if uses[x] > 1 else MAX_INLINE_TEXT):
                lettered.append(x)
                text = "A"
        texts[x] = text
    # The letters are in the order in which a reader meets the forms, from the whole to its parts.
    letters = dict(zip(reversed(lettered), _letters(), strict=False))
    texts = {}
    lines = []
    for x in place:
        text = name(x) or _braces(x, texts)
        if x in letters or x == form:
            lines.append(f"{letters.get(x, 'G')} = {text if x != form else _braces(x, texts)}")
        texts[x] = letters.get(x, text)
    lines.reverse()
    if most is not None and len(lines) > most:
        rest = len(lines) - most
        lines[most:] = [f"… and {rest:,} more form{'' if rest == 1 else 's'}"]
    return lines


def _letters() -> Iterator[str]:
    """A, B, …, Z without G, then A1, B1 and so on."""
    k = 0
    while True:
        for letter in LETTERS:
            yield f"{letter}{k}" if k else letter
        k += 1
