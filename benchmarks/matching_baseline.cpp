// Maximum matching by LEMON (-DLEMON) or Boost (-DBOOST) of a graph in a file, for matching.py.
// Reads n, m, offsets and neighbours as 64-bit integers; prints seconds without building, and size.
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <vector>
#ifdef LEMON
#include <lemon/matching.h>
#include <lemon/smart_graph.h>
#else
#include <boost/graph/adjacency_list.hpp>
#include <boost/graph/max_cardinality_matching.hpp>
#endif

int main(int, char** argv) {
    FILE* file = fopen(argv[1], "rb");
    int64_t head[2];
    if (!file || fread(head, 8, 2, file) != 2) return 1;
    const int64_t n = head[0], m = head[1];
    std::vector<int64_t> indptr(n + 1), indices(m);
    if ((int64_t)fread(indptr.data(), 8, n + 1, file) != n + 1) return 1;
    if ((int64_t)fread(indices.data(), 8, m, file) != m) return 1;
    int64_t size = 0;
#ifdef LEMON
    lemon::SmartGraph graph;
    graph.reserveNode(n);
    graph.reserveEdge(m / 2);
    for (int64_t v = 0; v < n; v++) graph.addNode();
    for (int64_t v = 0; v < n; v++)
        for (int64_t k = indptr[v]; k < indptr[v + 1]; k++)
            if (v < indices[k]) graph.addEdge(graph.nodeFromId(v), graph.nodeFromId(indices[k]));
    const auto start = std::chrono::steady_clock::now();
    lemon::MaxMatching<lemon::SmartGraph> matching(graph);
    matching.run();
    size = matching.matchingSize();
#else
    using Graph = boost::adjacency_list<boost::vecS, boost::vecS, boost::undirectedS>;
    std::vector<std::pair<int64_t, int64_t>> edges;
    for (int64_t v = 0; v < n; v++)
        for (int64_t k = indptr[v]; k < indptr[v + 1]; k++)
            if (v < indices[k]) edges.emplace_back(v, indices[k]);
    Graph graph(edges.begin(), edges.end(), n);
    const auto start = std::chrono::steady_clock::now();
    std::vector<boost::graph_traits<Graph>::vertex_descriptor> mate(n);
    boost::edmonds_maximum_cardinality_matching(graph, &mate[0]);
    size = boost::matching_size(graph, &mate[0]);
#endif
    const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - start;
    printf("%.6f %lld\n", taken.count(), (long long)size);
}
