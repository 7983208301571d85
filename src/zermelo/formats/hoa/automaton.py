"""The automata of the Hanoi Omega-Automata format, parsed and checked; they are not yet games."""

import re
from dataclasses import dataclass, field
from typing import NamedTuple

from zermelo.errors import FormatError
from zermelo.formats.common.names import shorten
from zermelo.formats.hoa.acceptance import Acceptance, EmersonLei, Set, read_acceptance
from zermelo.formats.hoa.tokens import Token, Tokens, read_expression

Label = list[int | str]
"""A Boolean expression over numbers of propositions, in postfix order."""

MAX_PROPOSITIONS = 200
"""The most propositions in the labels of one state."""


_NUMBER = re.compile("[0-9]+")

_LONG = 10_000
"""The most operands and operators of an alias; aliases of aliases may grow exponentially."""


class Edge(NamedTuple):
    """``[label] target {sets}``; the label is None if there is none."""

    label: Label | None
    target: int
    sets: tuple[int, ...]


class State(NamedTuple):
    """``State: [label] number "name" {sets}``, with its edges; ``offset`` is its place."""

    label: Label | None
    name: str | None
    sets: tuple[int, ...]
    edges: list[Edge]
    offset: int


@dataclass
class Automaton:
    """The content of a file that is needed for the game."""

    tokens: Tokens
    size: int | None = None
    start: int | None = None
    propositions: int = 0
    names: list[str] = field(default_factory=list)
    """The names of the propositions."""
    aliases: dict[str, Label] = field(default_factory=dict)
    controllable: list[int] | None = None
    player: list[int] | None = None
    colours: int = 0
    acceptance: Acceptance | EmersonLei | None = None
    formula: list[Set | str] = field(default_factory=list)
    """The acceptance condition as it was read, in postfix order."""
    states: dict[int, State] = field(default_factory=dict)


def read_automaton(text: str) -> Automaton:
    """Parse a file that has one automaton."""
    tokens = Tokens(text)
    automaton = Automaton(tokens)
    body = _read_header(automaton)
    while tokens.ahead.text == "State:":
        _read_state(automaton)
    if not tokens.accept("--END--"):
        raise tokens.unexpected("'State:', an edge or '--END--'")
    if tokens.ahead.kind != "end":
        raise tokens.unexpected("one automaton, the end of the file")
    _check_states(automaton, body)
    return automaton


# -------------------------------------------------------------------- header


def _read_header(automaton: Automaton) -> Token:
    """Read everything up to ``--BODY--``, and return that token."""
    tokens = automaton.tokens
    tokens.expect("HOA:")
    if not re.fullmatch(r"v1(\.[0-9]+)?", tokens.ahead.text):
        raise tokens.unexpected("version v1")
    tokens.take()
    seen: set[str] = set()
    starts: list[Token] = []
    while tokens.ahead.kind == "header":
        head = tokens.take()
        name = head.text[:-1]
        if name in seen and name in _ONCE:
            raise tokens.error(f"'{head.text}' appears twice", head.offset)
        seen.add(name)
        if name == "Start":
            starts.append(tokens.ahead)
        if name in _READERS:
            _READERS[name](automaton)
        elif name[0].isupper():
            raise tokens.error(f"'{head.text}' is unknown, and may matter", head.offset)
        while name not in _READERS and tokens.ahead.kind not in ("header", "mark", "end"):
            tokens.take()
    body = tokens.ahead
    if not tokens.accept("--BODY--"):
        raise tokens.unexpected("a header such as 'States:', or '--BODY--'")
    if automaton.acceptance is None:
        raise tokens.error("expected a header 'Acceptance:'", body.offset)
    count, wrong = automaton.propositions, max(automaton.controllable or (), default=-1)
    if wrong >= count:
        message = f"controllable-AP: expected propositions below {count}, got {wrong}"
        raise tokens.error(message, body.offset)
    size = automaton.size
    for start in starts:
        if size is not None and int(start.text) >= size:
            raise tokens.error(f"expected a state below {size}, got {start.text}", start.offset)
    return body


def _size(automaton: Automaton) -> None:
    automaton.size = automaton.tokens.integer("the number of states")


def _start(automaton: Automaton) -> None:
    automaton.start = _read_target(automaton)


def _propositions(automaton: Automaton) -> None:
    count = automaton.tokens.integer("the number of propositions")
    expected = f"the names of {count} propositions in quotes"
    automaton.names = [automaton.tokens.string(expected) for _ in range(count)]
    automaton.propositions = count


def _alias(automaton: Automaton) -> None:
    tokens = automaton.tokens
    if tokens.ahead.kind != "alias":
        raise tokens.unexpected("a name such as @a")
    name = tokens.ahead
    if name.text in automaton.aliases:
        raise tokens.unexpected("a new name")
    tokens.take()
    label = _read_expression(automaton)
    if len(label) > _LONG:
        raise tokens.error(f"expected an alias for at most {_LONG} signs", name.offset)
    automaton.aliases[name.text] = label


def _accept(automaton: Automaton) -> None:
    found = read_acceptance(automaton.tokens)
    automaton.colours, automaton.acceptance, automaton.formula = found


def _controllable(automaton: Automaton) -> None:
    automaton.controllable = []
    while automaton.tokens.ahead.kind == "int":  # AP: may come later, so there is no bound yet
        automaton.controllable.append(automaton.tokens.integer("a proposition"))


def _player(automaton: Automaton) -> None:
    automaton.player = []
    while automaton.tokens.ahead.kind == "int":
        automaton.player.append(automaton.tokens.integer("a player 0 or 1", 1))


_READERS = {
    "States": _size,
    "Start": _start,
    "AP": _propositions,
    "Alias": _alias,
    "Acceptance": _accept,
    "controllable-AP": _controllable,
    "spot-state-player": _player,
    "spot.state-player": _player,
}
_ONCE = {*_READERS, "HOA", "acc-name", "tool", "name"} - {"Alias"}
"""Headers that may occur only once; a game has one start."""


# -------------------------------------------------------------------- body


def _read_state(automaton: Automaton) -> None:
    tokens = automaton.tokens
    tokens.take()
    label = _read_label(automaton)
    place = tokens.ahead.offset
    number = _read_target(automaton)
    if number in automaton.states:
        raise tokens.error(f"state {number} appears twice", place)
    name = tokens.string("a name") if tokens.ahead.kind == "string" else None
    state = State(label, name, _read_sets(automaton), [], place)
    while tokens.ahead.kind in ("int", "label") or tokens.ahead.text == "[":
        at = tokens.ahead.offset
        own = _read_label(automaton)
        if own is not None and label is not None:
            raise tokens.error("expected no label, because the state has one for all edges", at)
        if state.edges and (own is None) != (state.edges[0].label is None):
            raise tokens.error("expected labels on all edges of a state or on none", at)
        state.edges.append(Edge(own, _read_target(automaton), _read_sets(automaton)))
    automaton.states[number] = state


def _read_target(automaton: Automaton) -> int:
    tokens = automaton.tokens
    if automaton.size is None:
        number = tokens.integer("a state")
    else:
        number = tokens.integer(f"a state below {automaton.size}", automaton.size - 1)
    if tokens.ahead.text == "&":
        raise tokens.unexpected("one state, because alternating automata are not games")
    return number


def _read_sets(automaton: Automaton) -> tuple[int, ...]:
    tokens = automaton.tokens
    if not tokens.accept("{"):
        return ()
    found = []
    top = automaton.colours
    while not tokens.accept("}"):
        found.append(tokens.integer(f"an acceptance set below {top} or '}}'", top - 1))
    return tuple(found)


def _read_label(automaton: Automaton) -> Label | None:
    if automaton.tokens.ahead.kind == "label":
        return _read_cubes(automaton)
    if not automaton.tokens.accept("["):
        return None
    label = _read_expression(automaton)
    automaton.tokens.expect("]")
    return label


def _read_cubes(automaton: Automaton) -> Label:
    """A label that is one token: conjunctions of propositions and negated ones."""
    token, count = automaton.tokens.take(), automaton.propositions
    for match in _NUMBER.finditer(token.text):
        if len(match[0]) > 10 or int(match[0]) >= count:
            message = f"expected a proposition below {count}, got {shorten(match[0])}"
            raise automaton.tokens.error(message, token.offset + match.start())
    label: Label = []
    for number, cube in enumerate(token.text[1:-1].replace(" ", "").split("|")):
        for place, literal in enumerate(cube.split("&")):
            label.append(int(literal.lstrip("!")))
            if literal[0] == "!":
                label.append("!")
            if place:
                label.append("&")
        if number:
            label.append("|")
    return label


def _read_expression(automaton: Automaton) -> Label:
    def atom(tokens: Tokens) -> Label:
        if tokens.ahead.kind != "alias":
            return [_read_proposition(automaton)]
        if tokens.ahead.text not in automaton.aliases:
            raise tokens.unexpected("an alias that was defined before")
        return automaton.aliases[tokens.take().text]

    return read_expression(automaton.tokens, atom, "a proposition, t, f, '!' or '('")


def _read_proposition(automaton: Automaton) -> int:
    count = automaton.propositions
    return automaton.tokens.integer(f"a proposition below {count}", count - 1)


# -------------------------------------------------------------------- the whole


def _check_states(automaton: Automaton, body: Token) -> None:
    states, tokens = automaton.states, automaton.tokens
    used = max((e.target for s in states.values() for e in s.edges), default=-1)
    size = automaton.size
    if size is None:
        size = max(used, max(states, default=-1)) + 1
    if len(states) < size:
        missing = next(s for s in range(size) if s not in states)
        raise FormatError(f"state {missing} is not defined: expected a line 'State: {missing}'")
    automaton.size = size
    if automaton.player is not None and len(automaton.player) != size:
        raise tokens.error(
            f"expected a player for each of {size} states, got {len(automaton.player)}",
            body.offset,
        )
