"""The checker of maximum matchings accepts one decomposition, and finds every other claim."""

import dataclasses
import itertools

import networkx as nx
import numpy as np
import pytest

import zermelo as zm
from tests.matching import oracle
from tests.matching.test_matching import STRUCTURED, chain_of_odd_cycles, random_graph
from zermelo.errors import CertificateError
from zermelo.verify.matching import check_matching

ATTACKED = [random_graph(seed, 12, 2.2) for seed in range(8)] + [
    zm.Graph.from_networkx(STRUCTURED[name][0])
    for name in ("odd path", "star", "three pentagons", "Petersen", "windmill", "K(3, 5)", "nested")
]
over_attacked = pytest.mark.parametrize("k", range(len(ATTACKED)))


def holds(matching):
    """Whether the checker accepts a claim; a decomposition is the same claim."""
    if matching is None:
        return False
    try:
        assert matching.verify() is matching
    except CertificateError:
        with pytest.raises(CertificateError):
            zm.matching.GallaiEdmonds(matching).verify()
        return False
    zm.matching.GallaiEdmonds(matching).verify()
    return True


def claim(matching, **arrays):
    """The matching with other arrays; None where the record itself refuses them."""
    arrays = {key: np.array(x, getattr(matching, key).dtype) for key, x in arrays.items()}
    try:
        return dataclasses.replace(matching, **arrays)
    except CertificateError:
        return None


@pytest.mark.slow("4")
@pytest.mark.parametrize("n", range(5))
def test_one_way_to_part_every_small_graph(n):
    for edges in oracle.all_graphs(n):
        found = zm.maximum_matching(zm.Graph.from_edges(edges, n=n))
        right = tuple("DAC".index(x) for x in oracle.parts(found.graph))
        for part in itertools.product(range(3), repeat=n):
            assert holds(claim(found, part=part)) == (part == right), (edges, part)


@pytest.mark.parametrize("n", range(4))
def test_every_list_of_mates_of_every_small_graph(n):
    """Right are those that are mutual, joined and as many as can be."""
    for edges in oracle.all_graphs(n):
        found = zm.maximum_matching(zm.Graph.from_edges(edges, n=n))
        best = oracle.sizes(found.graph)((1 << n) - 1)
        near = oracle.neighbours(found.graph)
        for mate in itertools.product(range(-2, n + 1), repeat=n):
            mutual = all(
                w == -1 or (0 <= w < n and mate[w] == v and w in near[v])
                for v, w in enumerate(mate)
            )
            right = mutual and sum(w >= 0 for w in mate) == 2 * best
            assert holds(claim(found, mate=mate)) == right, (edges, mate)


@pytest.mark.sampled(cases=6)
@over_attacked
def test_every_other_part_of_one_or_two_positions_is_refused(k):
    found = zm.maximum_matching(ATTACKED[k]).verify()
    n = min(found.graph.n, 16)
    for u, v in itertools.combinations_with_replacement(range(n), 2):
        for one, two in itertools.product(range(3), repeat=2):
            part = found.part.copy()
            part[u], part[v] = one, two
            assert holds(claim(found, part=part)) == np.array_equal(part, found.part)


@over_attacked
def test_every_other_mate_is_refused(k):
    found = zm.maximum_matching(ATTACKED[k]).verify()
    for v in range(found.graph.n):
        for wrong in {-2, -1, *range(found.graph.n + 1)} - {int(found.mate[v])}:
            mate = found.mate.copy()
            mate[v] = wrong
            assert not holds(claim(found, mate=mate))


@over_attacked
def test_every_smaller_matching_is_refused(k):
    found = zm.maximum_matching(ATTACKED[k]).verify()
    for u, v in found.edges.tolist():
        mate = found.mate.copy()
        mate[[u, v]] = -1
        with pytest.raises(CertificateError, match="by the witness"):
            claim(found, mate=mate).verify()


@over_attacked
def test_the_matching_of_another_graph_is_refused(k):
    """An edge of the matching is taken out of the graph; an exposed pair is joined in it."""
    found = zm.maximum_matching(ATTACKED[k]).verify()
    ends = found.graph.to_edges()
    for pair in found.edges.tolist():
        kept = [row for row in ends.tolist() if sorted(row) != pair]
        other = zm.Graph.from_edges(np.array(kept, np.int64).reshape(-1, 2), n=found.graph.n)
        assert not holds(dataclasses.replace(found, graph=other))
    for pair in itertools.pairwise(found.exposed.tolist()):
        other = zm.Graph.from_edges(np.concatenate([ends, [pair]]), n=found.graph.n)
        assert not holds(dataclasses.replace(found, graph=other))


def test_parts_are_refused_with_every_maximum_matching():
    """The parts do not depend on which matching proves them."""
    graph = zm.Graph.from_networkx(chain_of_odd_cycles(2, 5))
    found = zm.maximum_matching(graph)
    for seed in range(20):
        name = np.random.default_rng(seed).permutation(graph.n)
        other = zm.maximum_matching(zm.Graph.from_edges(name[graph.to_edges()], n=graph.n))
        back = np.argsort(name)
        mate = np.where(other.mate[name] < 0, -1, back[other.mate[name]])
        assert holds(claim(found, mate=mate))
        for v in range(graph.n):
            part = found.part.copy()
            part[v] = (part[v] + 1) % 3
            assert not holds(claim(found, mate=mate, part=part))


def test_shapes_types_and_numbers():
    found = zm.maximum_matching(zm.Graph.from_networkx(nx.path_graph(6))).verify()
    for field, array in (
        ("mate", found.mate[:5]),
        ("mate", found.mate.astype(np.int64)),
        ("part", found.part[:5]),
        ("part", found.part.astype(np.int64)),
    ):
        with pytest.raises(CertificateError, match=f"{field}: expected int"):
            dataclasses.replace(found, **{field: array.copy()}).verify()
    for wrong in (-1, 3):
        with pytest.raises(CertificateError, match="expected a part"):
            dataclasses.replace(found, part=np.array([wrong] * 6, np.int8)).verify()
    swapped = [2, 3, 0, 1, 5, 4]
    with pytest.raises(CertificateError, match="position 0: expected a mate that a move joins"):
        claim(found, mate=swapped).verify()


def test_a_witness_alone_does_not_make_d():
    """On the path a – b – c – d the set {b} proves a matching maximum, but a is never exposed."""
    found = zm.maximum_matching(zm.Graph.from_edges([("a", "b"), ("b", "c"), ("c", "d")]))
    with pytest.raises(CertificateError, match="'a': expected to be in every maximum matching"):
        check_matching(claim(found, part=[0, 1, 2, 2]))
