"""Two colours and strong components, against networkx."""

import networkx as nx
import pytest
from tests.games import all_digraphs

import zermelo as zm
from zermelo.transform.shape import is_bipartite, shape


@pytest.mark.slow
def test_shapes_of_small_graphs():
    for graph in all_digraphs(3):
        other = nx.DiGraph(graph.to_edges().tolist())
        other.add_nodes_from(range(graph.n))
        found = shape(graph)
        sizes = [len(x) for x in nx.strongly_connected_components(other)]
        assert found.bipartite == nx.is_bipartite(other.to_undirected())
        assert (found.components, found.largest) == (len(sizes), max(sizes))
        assert found.cyclic == (not nx.is_directed_acyclic_graph(other))
        assert found.symmetric == all(other.has_edge(v, u) for u, v in other.edges)


def test_larger_and_empty_ones():
    for n in range(3, 9):
        assert is_bipartite(zm.generators.cycle(n).graph) == (n % 2 == 0)
    assert shape(zm.Graph.from_edges([])) == ("acyclic", False, 0, 0, True, True)
