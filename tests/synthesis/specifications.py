"""Random specifications: automata, and the same as games in which the players move in turn."""

from hypothesis import strategies as st

from tests.synthesis.oracle import holds, subsets
from zermelo.formats.hoa.automaton import read_automaton

ACCEPTANCE = {
    "3 Inf(2) | (Fin(1) & Inf(0))": 3,
    "3 Fin(0) & (Inf(1) | Fin(2))": 3,
    "2 Inf(0) & Inf(1)": 2,
    "3 (Inf(0) & Fin(1)) | (Inf(1) & Inf(2))": 3,
    "1 Fin(0)": 1,
    "0 t": 0,
}
LABELS = ("0&1", "0&!1&2", "0&!1&!2", "!0&1", "!0&!1")


@st.composite
def automata(draw, complete=None):
    """A deterministic automaton with three propositions, of which some are outputs."""
    n, acceptance = draw(st.integers(1, 5)), draw(st.sampled_from(sorted(ACCEPTANCE)))
    outputs = draw(st.sampled_from(["1", "0 2", "2", "0 1 2", ""]))
    lines = [
        f'HOA: v1 States: {n} Start: {draw(st.integers(0, n - 1))} AP: 3 "a" "b" "c d"',
        f"controllable-AP: {outputs}",
        f"Acceptance: {acceptance}",
        "--BODY--",
    ]
    colours = st.sets(st.integers(0, max(0, ACCEPTANCE[acceptance] - 1)), max_size=2)
    if ACCEPTANCE[acceptance] == 0:
        colours = st.just(set())
    for s in range(n):
        lines.append(f"State: {s} {{{' '.join(map(str, draw(colours)))}}}")
        missing = None if complete else draw(st.sampled_from([None, None, *LABELS]))
        for label in LABELS:
            if label != missing:
                target = draw(st.integers(0, n - 1))
                lines.append(f"[{label}] {target} {{{' '.join(map(str, draw(colours)))}}}")
    return "\n".join([*lines, "--END--", ""])


@st.composite
def overlapping(draw):
    """An automaton whose edges have any labels, so that several may fit or none."""
    n, acceptance = draw(st.integers(1, 3)), draw(st.sampled_from(sorted(ACCEPTANCE)))
    lines = [
        f'HOA: v1 States: {n} Start: 0 AP: 2 "i" "o"',
        "controllable-AP: 1",
        f"Acceptance: {acceptance}",
        "--BODY--",
    ]
    top = ACCEPTANCE[acceptance] - 1
    colours = st.sets(st.integers(0, top), max_size=2) if top >= 0 else st.just(set())
    labels = st.sampled_from(["t", "0", "!0", "1", "!1", "0&1", "0&!1", "!0&1", "0|1"])
    edges = st.lists(st.tuples(labels, st.integers(0, n - 1), colours), min_size=1, max_size=4)
    for s in range(n):
        lines.append(f"State: {s}")
        for label, target, sets in [("t", draw(st.integers(0, n - 1)), {0} if top >= 0 else {}),
                                    *draw(edges)]:  # fmt: skip
            lines.append(f"[{label}] {target} {{{' '.join(map(str, sorted(sets)))}}}")
    return "\n".join([*lines, "--END--", ""])


def in_turn(text, first):
    """An automaton as a game with ``spot-state-player:``; in each round ``first`` moves first."""
    automaton = read_automaton(text)
    names, mine = automaton.names, sorted(set(automaton.controllable))
    rest = [x for x in range(len(names)) if x not in mine]
    own, other = (rest, mine) if first == 0 else (mine, rest)
    n = len(automaton.states)
    rows, owners, bodies = [], [first] * n, []

    def letter(true, some):
        return "&".join(f"{'' if x in true else '!'}{x}" for x in some) or "t"

    for s in range(n):
        state = automaton.states[s]
        lines = []
        for chosen in subsets(own):
            lines.append(f"[{letter(chosen, own)}] {n + len(bodies)}")
            body = []
            for answer in subsets(other):
                for edge in state.edges:
                    if holds(edge.label, chosen | answer):
                        sets = sorted({*state.sets, *edge.sets})
                        colours = " ".join(map(str, sets))
                        body.append(f"[{letter(answer, other)}] {edge.target} {{{colours}}}")
            owners.append(1 - first)
            bodies.append(body)
        rows.append(lines)
    head = text.partition("--BODY--")[0].replace(f"States: {n} ", f"States: {n + len(bodies)} ")
    lines = [head + "spot-state-player: " + " ".join(map(str, owners)), "--BODY--"]
    for s, row in enumerate([*rows, *bodies]):
        lines += [f"State: {s}", *row]
    return "\n".join([*lines, "--END--", ""])
