"""Decision diagrams against truth tables, and labels in every spelling."""

import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.sampling import examples
from tests.synthesis.oracle import holds
from zermelo._diagrams import FALSE, TRUE, Diagrams
from zermelo.errors import FormatError
from zermelo.formats.hoa.automaton import read_automaton

VARIABLES = range(4)
VALUATIONS = [
    frozenset(k for k in VARIABLES if bits[k]) for bits in itertools.product((0, 1), repeat=4)
]

formulas = st.recursive(
    st.sampled_from([[0], [1], [2], [3], ["t"], ["f"]]),
    lambda some: st.one_of(
        some.map(lambda f: [*f, "!"]),
        st.tuples(some, some, st.sampled_from("&|")).map(lambda x: [*x[0], *x[1], x[2]]),
    ),
    max_leaves=12,
)


def table(formula):
    return [holds(formula, true) for true in VALUATIONS]


@examples(300)
@given(formulas, formulas, formulas)
def test_formulas(f, g, h):
    d = Diagrams()
    order = {x: x for x in VARIABLES}
    one, two, three = (d.formula(x, order) for x in (f, g, h))
    for x, label in ((one, f), (two, g), (three, h)):
        assert [d.at(x, true) == TRUE for true in VALUATIONS] == table(label)
    assert (one == two) == (table(f) == table(g))
    chosen = [y if x else z for x, y, z in zip(*map(table, (f, g, h)), strict=True)]
    assert [d.at(d.choose(one, two, three), true) == TRUE for true in VALUATIONS] == chosen
    assert d.negated(d.negated(one)) == one
    matters = {
        x for x in VARIABLES
        if any(holds(f, true | {x}) != holds(f, true - {x}) for true in VALUATIONS)
    }  # fmt: skip
    assert d.support(one) == matters
    if one != FALSE:
        assert holds(f, set(d.true_variables(one)))


@examples(100)
@given(st.lists(formulas, min_size=1, max_size=4))
def test_functions_with_other_values(cases):
    """The first formula that holds determines the value."""
    d = Diagrams()
    f = d.leaf("none")
    for k, formula in reversed(list(enumerate(cases))):
        f = d.choose(d.formula(formula, {x: x for x in VARIABLES}), d.leaf(("case", k)), f)
    for true in VALUATIONS:
        first = next((("case", k) for k, x in enumerate(cases) if holds(x, true)), "none")
        assert d.value(d.at(f, true)) == first


def test_the_limit():
    d = Diagrams(limit=4)
    d.node(0, FALSE, TRUE)
    d.node(1, FALSE, TRUE)
    with pytest.raises(OverflowError):
        d.node(2, FALSE, TRUE)


cubes = st.lists(
    st.lists(st.tuples(st.booleans(), st.integers(0, 3)), min_size=1, max_size=4),
    min_size=1,
    max_size=4,
)


@examples(150)
@given(cubes)
def test_labels_in_every_spelling(form):
    """A label in disjunctive form is one token; with brackets or more blanks it is several."""
    plain = " | ".join("&".join(("!" if no else "") + str(x) for no, x in cube) for cube in form)
    expected = [
        any(all((x in true) != no for no, x in cube) for cube in form) for true in VALUATIONS
    ]
    for text in (plain, plain.replace(" ", ""), f" {plain} ", f"({plain})", f"  {plain}\n"):
        automaton = read_automaton(
            f'HOA: v1 States: 1 AP: 4 "a" "b" "c" "d" Acceptance: 0 t --BODY-- State: 0 [{text}] 0 '
            "--END--"
        )
        assert table(automaton.states[0].edges[0].label) == expected


@pytest.mark.parametrize("label", ["[0&2]", "[0 & (2)]", "[0&99999999999]", "[0&!2 | 1]"])
def test_labels_with_unknown_propositions(label):
    head = 'HOA: v1 States: 1 AP: 2 "a" "b" Acceptance: 0 t\n--BODY--\nState: 0\n'
    with pytest.raises(FormatError, match=r"expected a proposition below 2, got '?[29]") as caught:
        read_automaton(f"{head}{label} 0\n--END--")
    assert str(caught.value).startswith("4:")
    assert str(caught.value).split(":")[1] == str(label.translate({57: "2"}).index("2") + 1)
