// Plain retrograde analysis of normal play, as one would write it on a good day: reverse moves by
// counting sort, a FIFO, out-degree counters, one array for each thing. The peer that
// retrograde.py measures against; honest, not tuned.
//
//   g++ -O3 -march=native -shared -fPIC -o baseline.so retrograde_baseline.cpp
#include <chrono>
#include <cstdint>
#include <vector>

namespace {
double now() {
    using clock = std::chrono::steady_clock;
    return std::chrono::duration<double>(clock::now().time_since_epoch()).count();
}
}  // namespace

// label: -1 LOSE, 0 DRAW, +1 WIN; distance: -1 for draws. seconds[0] the reversal, [1] the wave.
extern "C" void solve_plain(int64_t n, const int64_t* indptr, const int32_t* indices,
                            int8_t* label, int32_t* distance, double* seconds) {
    const double start = now();
    const int64_t m = indptr[n];
    std::vector<int64_t> rev_indptr(n + 1, 0);
    std::vector<int32_t> rev_indices(m);
    for (int64_t k = 0; k < m; ++k) ++rev_indptr[indices[k] + 1];
    for (int64_t v = 0; v < n; ++v) rev_indptr[v + 1] += rev_indptr[v];
    {
        std::vector<int64_t> next(rev_indptr.begin(), rev_indptr.end() - 1);
        for (int64_t u = 0; u < n; ++u)
            for (int64_t k = indptr[u]; k < indptr[u + 1]; ++k)
                rev_indices[next[indices[k]]++] = static_cast<int32_t>(u);
    }
    const double reversed = now();

    std::vector<int32_t> left(n);
    std::vector<int32_t> queue(n);
    int64_t head = 0, tail = 0;
    for (int64_t v = 0; v < n; ++v) {
        left[v] = static_cast<int32_t>(indptr[v + 1] - indptr[v]);
        label[v] = 0;
        distance[v] = -1;
        if (left[v] == 0) {
            label[v] = -1;
            distance[v] = 0;
            queue[tail++] = static_cast<int32_t>(v);
        }
    }
    while (head < tail) {
        const int32_t v = queue[head++];
        for (int64_t k = rev_indptr[v]; k < rev_indptr[v + 1]; ++k) {
            const int32_t u = rev_indices[k];
            if (label[u] != 0) continue;
            if (label[v] < 0) {
                label[u] = 1;
            } else {
                if (--left[u] > 0) continue;
                label[u] = -1;
            }
            distance[u] = distance[v] + 1;
            queue[tail++] = u;
        }
    }
    seconds[0] = reversed - start;
    seconds[1] = now() - reversed;
}
