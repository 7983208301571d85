// Sprague-Grundy values as one would write them on a good day: reverse moves by counting sort, a
// FIFO, one array for each thing. The peer that grundy.py measures against; honest, not tuned.
//
//   g++ -O3 -march=native -shared -fPIC -o baseline.so grundy_baseline.cpp
#include <chrono>
#include <cstdint>
#include <vector>

namespace {
double now() {
    using clock = std::chrono::steady_clock;
    return std::chrono::duration<double>(clock::now().time_since_epoch()).count();
}

struct Reverse {
    std::vector<int64_t> indptr;
    std::vector<int32_t> indices;
    Reverse(int64_t n, const int64_t* forward, const int32_t* targets)
        : indptr(n + 1, 0), indices(forward[n]) {
        for (int64_t k = 0; k < forward[n]; ++k) ++indptr[targets[k] + 1];
        for (int64_t v = 0; v < n; ++v) indptr[v + 1] += indptr[v];
        std::vector<int64_t> next(indptr.begin(), indptr.end() - 1);
        for (int64_t u = 0; u < n; ++u)
            for (int64_t k = forward[u]; k < forward[u + 1]; ++k)
                indices[next[targets[k]]++] = static_cast<int32_t>(u);
    }
};
}  // namespace

// Values of an acyclic graph; seconds for all of it. Returns how many positions have one.
extern "C" int64_t acyclic_plain(int64_t n, const int64_t* indptr, const int32_t* indices,
                                 int32_t* value, double* seconds) {
    const double start = now();
    const Reverse reverse(n, indptr, indices);
    std::vector<int32_t> left(n), queue(n);
    int64_t head = 0, tail = 0, most = 0;
    for (int64_t v = 0; v < n; ++v) {
        left[v] = static_cast<int32_t>(indptr[v + 1] - indptr[v]);
        if (left[v] > most) most = left[v];
        if (left[v] == 0) queue[tail++] = static_cast<int32_t>(v);
    }
    std::vector<int64_t> seen(most + 2, -1);
    while (head < tail) {
        const int32_t v = queue[head++];
        for (int64_t k = indptr[v]; k < indptr[v + 1]; ++k) seen[value[indices[k]]] = v;
        int32_t mex = 0;
        while (seen[mex] == v) ++mex;
        value[v] = mex;
        for (int64_t k = reverse.indptr[v]; k < reverse.indptr[v + 1]; ++k)
            if (--left[reverse.indices[k]] == 0) queue[tail++] = reverse.indices[k];
    }
    *seconds = now() - start;
    return tail;
}

// Values of any graph, -1 for infinite ones, by rounds. Returns the number of rounds.
extern "C" int64_t loopy_plain(int64_t n, const int64_t* indptr, const int32_t* indices,
                               int32_t* value, double* seconds) {
    const double start = now();
    const Reverse reverse(n, indptr, indices);
    std::vector<int32_t> unlabelled(n), left(n, -1), won(n, -1), candidates(n), queue;
    for (int64_t v = 0; v < n; ++v) {
        unlabelled[v] = static_cast<int32_t>(indptr[v + 1] - indptr[v]);
        value[v] = -1;
        candidates[v] = static_cast<int32_t>(v);
    }
    int32_t round = 0;
    for (; !candidates.empty(); ++round) {
        queue.clear();
        for (const int32_t v : candidates) {
            left[v] = unlabelled[v];
            if (left[v] == 0) {
                value[v] = round;
                queue.push_back(v);
            }
        }
        for (size_t head = 0; head < queue.size(); ++head) {
            const int32_t w = queue[head];
            for (int64_t k = reverse.indptr[w]; k < reverse.indptr[w + 1]; ++k) {
                const int32_t v = reverse.indices[k];
                --unlabelled[v];
                if (value[v] >= 0 || won[v] == round) continue;
                won[v] = round;
                for (int64_t j = reverse.indptr[v]; j < reverse.indptr[v + 1]; ++j) {
                    const int32_t u = reverse.indices[j];
                    if (value[u] < 0 && won[u] != round && left[u] > 0 && --left[u] == 0) {
                        value[u] = round;
                        queue.push_back(u);
                    }
                }
            }
        }
        size_t kept = 0;
        for (const int32_t v : candidates) {
            left[v] = -1;
            if (value[v] < 0 && won[v] == round) candidates[kept++] = v;
        }
        candidates.resize(kept);
    }
    *seconds = now() - start;
    return round;
}
