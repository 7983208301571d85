"""Data that reach a kernel were checked in this process, are not shared, and never change."""

import copy
import dataclasses
import pickle

import numpy as np
import pytest

import zermelo as zm
from zermelo._inputs.values import is_sealed, owned, sealed
from zermelo.errors import (
    CertificateError,
    InvalidGraphError,
    InvalidOptionError,
    UnknownPositionError,
    ZermeloError,
)
from zermelo.graph import Graph

PATH = Graph.from_edges([(0, 1), (1, 2)], owner=[0, 1, 0])


@pytest.mark.parametrize("kind", [np.uint8, np.int8, np.uint16, np.int16, np.uint64, np.int64])
def test_sizes_are_python_integers(kind):
    """The largest number of a small type plus one does not fit into the type."""
    top = min(int(np.iinfo(kind).max), 100_000)
    assert Graph.from_edges([(0, 1)], n=kind(top)).n == top
    assert Graph.from_edges(np.array([[0, 1]], kind)).to_edges().tolist() == [[0, 1]]
    assert Graph.from_csr(np.array([0, 1, 1], kind), np.array([1], kind)).m == 1


def test_a_view_of_a_writable_array_is_copied():
    for readable in (lambda x: x[:], lambda x: x, lambda x: np.asarray(memoryview(x).toreadonly())):
        base = np.array([0, 1, 2], np.int32)
        indptr, view = np.array([0, 1, 2, 3], np.int64), readable(base)
        view.flags.writeable = False
        graph = Graph.from_csr(indptr, view)
        if base.flags.writeable or base.flags.owndata:
            base.flags.writeable = True
        base[0] = 10**9
        indptr[1] = 10**9
        assert graph.indices.tolist() == [0, 1, 2]
        assert graph.indptr.tolist() == [0, 1, 2, 3]


@pytest.mark.parametrize(
    "array",
    [
        PATH.indptr,
        PATH.indices,
        PATH.owner,
        PATH.out_degree,
        PATH.terminals,
        *PATH.reverse,
        zm.solve(PATH).level,
        zm.solve(PATH).label,
        zm.solve(PATH, zm.Buchi([0])).strategy,
        zm.solve(PATH, zm.Muller([0, 1, 0], "Inf(0)")).machines[0].after,
        zm.grundy(PATH.with_owner(None)).value,
        zm.maximum_matching(PATH).mate,
    ],
)
def test_an_array_of_a_record_cannot_be_made_writable(array):
    assert is_sealed(array)
    with pytest.raises(ValueError, match="cannot set WRITEABLE"):
        array.flags.writeable = True


def test_sealed_arrays_are_shared_and_others_copied():
    array = sealed(np.arange(3))
    assert owned(array) is array
    assert owned(array, np.int32) is not array
    mine = np.arange(3)
    mine.flags.writeable = False
    assert owned(mine) is not mine
    assert PATH.with_owner(None).indices is PATH.indices


def test_the_constructor_of_a_graph_checks():
    rows = np.array([0, 2, 2], np.int64)
    assert Graph(rows, np.array([0, 1], np.int32)).m == 2
    for bad in ([1, 0], [0, 5], [-1, 0], [0, 0]):
        with pytest.raises(InvalidGraphError):
            Graph(rows, np.array(bad, np.int32))
    for owner in ([0, 2], [0], "ab"):
        with pytest.raises(InvalidGraphError):
            Graph(rows, np.array([0, 1], np.int32), owner)
    with pytest.raises(InvalidGraphError, match="expected 2 names"):
        Graph(rows, np.array([0, 1], np.int32), None, ("a",))


SMALLER = Graph.from_edges([(0, 0)])
ANSWERS = {
    "terminal": zm.solve(PATH.with_owner(None)),
    "alternating": zm.solve(PATH.with_owner(None), zm.Asymmetric()),
    "parity": zm.solve(PATH, zm.Parity([0, 1, 2])),
    "muller": zm.solve(PATH, zm.Muller([0, 1, 0], "Inf(0)")),
    "grundy": zm.grundy(PATH.with_owner(None)),
    "kernel": zm.kernel(PATH.with_owner(None)),
    "matching": zm.maximum_matching(PATH),
    "classes": zm.classify(PATH),
    "machine": zm.solve(PATH, zm.Muller([0, 1, 0], "Inf(0)")).machines[0],
}


@pytest.mark.parametrize("answer", ANSWERS.values(), ids=ANSWERS)
def test_an_answer_belongs_to_its_graph(answer):
    for other in (SMALLER, Graph.from_edges([], n=10), None, PATH.indptr):
        with pytest.raises(CertificateError):
            dataclasses.replace(answer, graph=other)


@pytest.mark.parametrize("answer", ANSWERS.values(), ids=ANSWERS)
def test_arrays_of_other_shapes_and_types_are_refused(answer):
    for field in dataclasses.fields(answer):
        array = getattr(answer, field.name)
        if not isinstance(array, np.ndarray):
            continue
        for bad in (array[:0], array[..., None], array.astype(np.float64), array.tolist(), None):
            if isinstance(bad, np.ndarray) and (bad.shape, bad.dtype) == (array.shape, array.dtype):
                continue
            with pytest.raises(CertificateError):
                dataclasses.replace(answer, **{field.name: bad})


@pytest.mark.parametrize(
    "changes",
    [
        {"after": np.full((1, 2), 7, np.int32)},
        {"after": np.full((1, 2), -1, np.int32)},
        {"letter": np.full(3, 9, np.int32)},
        {"moves": np.full((1, 3), 3, np.int32)},
        {"moves": np.full((1, 3), -2, np.int32)},
        {"initial": 1},
        {"initial": -1},
        {"player": 2},
    ],
)
def test_machines_with_numbers_out_of_range_are_refused(changes):
    machine = ANSWERS["machine"]
    assert machine.after.shape[0] == 1
    if "after" in changes:
        changes = {"after": np.full(machine.after.shape, changes["after"][0, 0], np.int32)}
    with pytest.raises(CertificateError):
        dataclasses.replace(machine, **changes)


@pytest.mark.parametrize("answer", ANSWERS.values(), ids=ANSWERS)
@pytest.mark.parametrize(
    "copied", [copy.copy, copy.deepcopy, lambda x: pickle.loads(pickle.dumps(x))]
)
def test_copies_are_sealed(answer, copied):
    found = copied(answer)
    for field in dataclasses.fields(found):
        array = getattr(found, field.name)
        if isinstance(array, np.ndarray):
            assert is_sealed(array) or not array.flags.writeable
            assert array.tolist() == getattr(answer, field.name).tolist()


def test_positions_are_numbers_of_the_graph():
    for call in (PATH.successors, PATH.predecessors, PATH.name):
        assert call(np.uint8(1)) is not None
        for bad in (-1, 3, 10**30, True, 1.0, "1", None, [0]):
            with pytest.raises(UnknownPositionError):
                call(bad)
    for bad in (-1, 3, 10**30, [0], {}, None, np.zeros(2)):
        with pytest.raises(UnknownPositionError):
            PATH.index(bad)
        assert bad not in PATH


def test_objectives_of_others_are_checked():
    """An objective of another author may return anything for a graph."""
    form = zm.NormalPlay().terminal_form(Graph.from_edges([], n=10))

    class Elsewhere(zm.NormalPlay):
        def terminal_form(self, graph):
            return form

    for solver in ("retrograde", "nmfl", "fraenkel-levy"):
        with pytest.raises(ZermeloError):
            zm.solve(Graph.from_edges([(0, 1)]), Elsewhere(), solver=solver)
    with pytest.raises(ZermeloError):
        zm.trace(Graph.from_edges([(0, 1)]), Elsewhere())


def test_options_that_are_no_numbers_are_refused():
    with pytest.raises(InvalidOptionError):
        zm.solve(PATH).line(0, limit="a")
    with pytest.raises(InvalidOptionError):
        zm.solve(PATH).at(0, player=2**70)
