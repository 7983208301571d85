"""The text of loopy values, in the notation of [CGSuite].

``on`` = {pass|}, ``off`` = {|pass}, ``over`` = {0|pass}, ``under`` = {pass|0}, ``dud`` =
{pass|pass}; ``2over`` = 2 + over; ``^[on]`` = {pass|*}, ``^[on]*`` = {0,pass|0}, ``^<on>`` =
{0|v[on]*}, with a number before and a nimber after them, and ``v`` for their negatives;
``Tiny(on)``, ``Miny(on)``, ``+-over``. Other values are written by their options: ``pass`` is a
move that changes nothing, and a position that occurs again within its braces has a name before
the brace: ``a{0||0|a}``. Two different sides have ``&`` between them.

Options without loops come first, in the order of :mod:`zermelo.partizan.spelling`; ``pass`` comes
last. Bars and braces follow the same rules as there.

The text is written once, from left to right, as a list of pieces. Some pieces are unknown when a
brace is opened: the name, the number of bars, and whether the brace is needed. They are left blank
and filled in when the brace is closed. Names are given at the end, in the order of the text. The
remaining steps are on a stack, so nothing here is recursive.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from typing import NamedTuple, TypeAlias

from zermelo.errors import LimitError
from zermelo.partizan import spelling, uptimal
from zermelo.partizan.forms import Form, Node, digest, followers, is_stopper, off, on, rows_of
from zermelo.partizan.loopy import nodes_of, value_of_sides
from zermelo.partizan.sidling import mirror
from zermelo.partizan.store import STORE
from zermelo.partizan.survival import Rows, components, survives, union
from zermelo.partizan.value import Value

_LEADS_BACK: dict[Form, bool] = STORE.memo()
_POSITIVE: dict[Node, bool] = STORE.memo()

LETTERS = "abcdefghijklmnopqrstuwxyz"
"""Letters for names of positions, without v, which means a down."""


def spell_sides(upper: Node, lower: Node) -> str:
    """The text of a value with these sides."""
    if upper == lower:
        return spell_node(upper)
    if (upper, lower) == (on(), off()):
        return "dud"
    return f"{spell_node(upper)} & {spell_node(lower)}"


def spell_node(node: Node) -> str:
    """The text of a node.

    >>> from zermelo.partizan.forms import intern
    >>> zero = Value.from_number(0)
    >>> spell_node(intern([[zero]], [[0]])[0]), spell_node(intern([[zero, 0]], [[zero]])[0])
    ('over', '^[on]*')
    """
    return _Writer().text(node)


# -------------------------------------------------------------------- names of values


class Name(NamedTuple):
    """A number, a name and a nimber, whose sum is a value."""

    number: Fraction
    symbol: str
    star: int

    def __str__(self) -> str:
        star = "" if not self.star else "*" if self.star == 1 else f"*{self.star}"
        return f"{self.number or ''}{self.symbol}{star}"

    @property
    def has_parts(self) -> bool:
        """Whether it is a sum whose parts are written without a sign between them."""
        return bool(self.number or self.star)


class _Stars(NamedTuple):
    """Options x + ∗k with one number x, sorted by k; without options there is no number."""

    number: Fraction | None
    stars: tuple[int, ...]


def _stars(options: Iterable[Node]) -> _Stars | None:
    """The options as x + ∗k with one number x, or None if that is impossible."""
    numbers, stars = set(), []
    for x in options:
        found = uptimal.compact(x.id) if isinstance(x, Value) else None
        if found is None or found.digits:
            return None
        numbers.add(found.number)
        stars.append(found.star)
    if len(numbers) > 1:
        return None
    return _Stars(next(iter(numbers), None), tuple(sorted(stars)))


class _Symbols(NamedTuple):
    """The names of values in which a player may pass."""

    alone: str
    number: str
    upon: str


_SYMBOLS = (_Symbols("on", "under", "^[on]"), _Symbols("off", "over", "v[on]"))
_POWERS = (("^<on>", "v[on]"), ("v<on>", "^[on]"))
"""The name of a form without a pass, and the only option of the other player."""


def name_of(form: Form) -> Name | None:
    """The name of on, over, ^[on] or ^<on>, with a number and a nimber, or of a negative.

    Moves from x + ^[on] + ∗n to nimbers are dominated or reversible, and so are some of those from
    x + ^<on> + ∗n. In canonical form

    - x + ^[on] + ∗n is {pass | x + ∗(n ⊕ 1)}, but {x, pass | x} for n = 1;
    - x + ^<on> + ∗n is {x, x + ∗, …, x + ∗n | x + v[on] + ∗(n ⊕ 1)}.

    >>> str(name_of(on()))
    'on'
    """
    if form in form.left:
        return _name_with_pass(form, form.left, form.right, _SYMBOLS[0])
    if form in form.right:
        return _name_with_pass(form, form.right, form.left, _SYMBOLS[1])
    both = (form.left, form.right), (form.right, form.left)
    for (symbol, answer), (mine, yours) in zip(_POWERS, both, strict=True):
        near = _stars(mine)
        if near is None or near.number is None or len(yours) != 1:
            continue
        n, x = len(near.stars) - 1, yours[0]
        if near.stars != tuple(range(n + 1)) or x not in (*x.left, *x.right):
            continue
        if isinstance(x, Form) and name_of(x) == Name(near.number, answer, n ^ 1):
            return Name(near.number, symbol, n)
    return None


def _name_with_pass(
    form: Form, mine: Sequence[Node], yours: Sequence[Node], symbols: _Symbols
) -> Name | None:
    """The name of a form in which a player with the options ``mine`` may pass."""
    near, far = _stars(x for x in mine if x is not form), _stars(yours)
    if near is None or far is None:
        return None
    if far.number is None:
        return None if near.stars else Name(Fraction(0), symbols.alone, 0)
    match near.stars, far.stars:
        case (), (0,):
            return Name(far.number, symbols.number, 0)
        case (), (star,):
            return Name(far.number, symbols.upon, star ^ 1)
        case (0,), (0,) if near.number == far.number:
            return Name(far.number, symbols.upon, 1)
    return None


class Tiny(NamedTuple):
    """A number plus Tiny(subscript), or plus Miny(subscript)."""

    number: Fraction
    kind: str
    subscript: Node


def tiny(form: Form) -> Tiny | None:
    """x + Tiny(G) = {x || x | x − G}, x + Miny(G) = {x + G | x || x} with a number x and G > 0.

    >>> zero = Value.from_number(0)
    >>> from zermelo.partizan.forms import intern
    >>> threat, = intern([[zero]], [[off()]])
    >>> tiny(intern([[zero]], [[threat]])[0]).kind
    'Tiny'
    """
    for kind, near, reply in (("Tiny", form.left, form.right), ("Miny", form.right, form.left)):
        base = _stars(near)
        if base is None or base.stars != (0,) or len(reply) != 1:
            continue
        y = reply[0]
        back, on_to = (y.left, y.right) if kind == "Tiny" else (y.right, y.left)
        if tuple(back) != tuple(near) or len(on_to) != 1 or not is_stopper(on_to[0]):
            continue
        subscript = mirror(on_to[0]) if kind == "Tiny" else on_to[0]
        if base.number:
            shift = Value.from_number(base.number if kind == "Tiny" else -base.number)
            subscript = nodes_of(value_of_sides(subscript, subscript) + shift)[0]
        if _is_positive(subscript):
            assert base.number is not None
            return Tiny(base.number, kind, subscript)
    return None


def _is_positive(node: Node) -> bool:
    """Whether a stopper is greater than 0; computed together for all its followers."""
    if node not in _POSITIVE:
        place, nothing = followers([node]), Rows([[]], [[]])
        rows = rows_of(place)
        at_least = survives(rows, nothing, stoppers=True)[:, 0]
        at_most = survives(nothing, rows, stoppers=True)[0]
        _POSITIVE.update(zip(place, (at_least & ~at_most).tolist(), strict=True))
    return _POSITIVE[node]


def _is_switch(form: Form) -> bool:
    """Whether a form is its own negative; the cheap tests come first."""
    left, right = ({x for x in row if isinstance(x, Value)} for row in (form.left, form.right))
    same = len(form.left) == len(form.right) and {-x for x in left} == right
    return same and form.is_stopper and mirror(form) is form


# -------------------------------------------------------------------- writing


@dataclass
class _Brace:
    """A position that is written by its options, and the places of its blanks in the text.

    If ``outer`` is not None, this is the only option on its side of ``outer``; then its own braces
    may be dropped. ``bars`` is the number of bars that such an option of its own shows.
    """

    outer: "_Brace | None"
    start: int
    middle: int = 0
    bars: int = 0
    has_name: bool = False


def _leads_back(form: Form) -> bool:
    """Whether some moves lead from a position back to it."""
    if form not in _LEADS_BACK:
        place = followers([form])
        nodes = list(place)
        for part in components(union(rows_of(place))):
            for x in map(nodes.__getitem__, part):
                if isinstance(x, Form):
                    _LEADS_BACK[x] = len(part) > 1 or x in x.left or x in x.right
    return _LEADS_BACK[form]


_Step: TypeAlias = Callable[[], object]


class _Writer:
    """A text that is being written."""

    def __init__(self) -> None:
        self.pieces: list[str] = []
        self.size = 0
        self.steps: list[_Step] = []
        self.scopes: list[dict[Form, _Brace]] = []
        self.named: list[_Brace] = []
        self.references: list[tuple[int, _Brace]] = []

    def text(self, node: Node) -> str:
        """The text of a node."""
        self.plan(*self.in_scope(node))
        # Invariant: the pieces are the text so far, except for its blanks, and ``steps`` write the
        # rest, the last step first.
        while self.steps:
            self.steps.pop()()
        names = {}
        for k, brace in enumerate(sorted(self.named, key=lambda x: x.start)):
            names[brace.start] = self.pieces[brace.start] = _letter(k)
        for at, brace in self.references:
            self.pieces[at] = names[brace.start]
        return "".join(self.pieces)

    def plan(self, *steps: _Step) -> None:
        """Make these the next steps, in this order."""
        self.steps += reversed(steps)

    def put(self, piece: str) -> int:
        """Write a piece or a blank, and return its place."""
        self.pieces.append("")
        self.fill(len(self.pieces) - 1, piece)
        return len(self.pieces) - 1

    def fill(self, at: int, piece: str) -> None:
        """Fill in a blank."""
        self.pieces[at] = piece
        self.size += len(piece)
        if self.size > spelling.MAX_TEXT:
            raise LimitError(f"the value's text has more than {spelling.MAX_TEXT:,} characters")

    def in_scope(self, node: Node) -> list[_Step]:
        """The steps that write a node in which names from outside are unknown."""
        return [
            lambda: self.scopes.append({}),
            partial(self.write, node),
            self.scopes.pop,
        ]

    def write(self, x: Node, outer: _Brace | None = None, *, parentheses: bool = False) -> None:
        """Write a node; see :class:`_Brace` for ``outer``. A sum may need parentheses."""
        if isinstance(x, Value):
            text, bars = spelling.spell_option(x.id, braces=outer is None)
            self.put(text)
            if outer is not None:
                outer.bars = max(outer.bars, bars)
            return
        brace = self.scopes[-1].get(x)
        if brace is not None:
            brace.has_name = True
            self.references.append((self.put(""), brace))
        elif (name := name_of(x)) is not None:
            self.put(f"({name})" if parentheses and name.has_parts else str(name))
        elif _leads_back(x) or not self.write_shorter(x, parentheses):
            self.spell_out(x, outer)

    def write_shorter(self, x: Form, parentheses: bool) -> bool:
        """Write ± or a tiny if the node has this form; the node does not lead back to itself."""
        if _is_switch(x):
            self.put("+-")
            if len(x.left) == 1:
                self.plan(partial(self.write, x.left[0], parentheses=True))
            else:
                self.put("{")
                self.plan(*self.list(in_order(x.left, x)), partial(self.put, "}"))
            return True
        if (found := tiny(x)) is None:
            return False
        self.put(f"{'(' * parentheses}{found.number or ''}{found.kind}(")
        self.plan(*self.in_scope(found.subscript), partial(self.put, ")" + ")" * parentheses))
        return True

    def spell_out(self, x: Form, outer: _Brace | None) -> None:
        """Write a node by its options; blanks for its name and its brace come first."""
        brace = _Brace(outer, self.put(""))
        self.put("")
        self.scopes[-1][x] = brace
        left, right = in_order(x.left, x), in_order(x.right, x)
        self.plan(
            *self.list(left, x, brace),
            lambda: setattr(brace, "middle", self.put("")),
            *self.list(right, x, brace),
            partial(self.close, x, brace),
        )

    def list(
        self, options: Sequence[Node], home: Form | None = None, brace: _Brace | None = None
    ) -> list[_Step]:
        """The steps that write the options of a player, with commas between them."""
        outer = brace if len(options) == 1 else None
        steps: list[_Step] = []
        for k, x in enumerate(options):
            if k:
                steps.append(partial(self.put, ","))
            is_pass = x is home
            steps.append(partial(self.put, "pass") if is_pass else partial(self.write, x, outer))
        return steps

    def close(self, x: Form, brace: _Brace) -> None:
        """Fill in the blanks of a brace after all its options are written."""
        del self.scopes[-1][x]
        bars = brace.bars + 1
        self.fill(brace.middle, "|" * bars)
        if brace.has_name:
            self.named.append(brace)
        if brace.outer is not None and bars < spelling.MAX_BARS and not brace.has_name:
            brace.outer.bars = max(brace.outer.bars, bars)
        else:
            self.fill(brace.start + 1, "{")
            self.put("}")


def _letter(k: int) -> str:
    """a, b, …, z without v, then b1, b2, …"""
    return LETTERS[k] if k < len(LETTERS) else f"b{k - len(LETTERS) + 1}"


def in_order(nodes: Iterable[Node], home: Form) -> list[Node]:
    """Options in the order of the text: finite ones first, a pass last."""
    options = list(nodes)
    short = spelling.in_order(x.id for x in options if isinstance(x, Value))
    loopy = (x for x in options if isinstance(x, Form))
    return [*map(Value, short), *sorted(loopy, key=lambda x: (x is home, digest(x)))]
