// Plain value iteration for energy games with a worklist, as a baseline of benchmarks/quantitative.py.
//
//     baseline FILE    reads n, m, then owners, offsets of rows, targets and weights as binary int64
//
// Prints the nanoseconds that solving took, and how many positions player 0 wins.
#include <cstdint>
#include <cstdio>
#include <ctime>
#include <deque>
#include <vector>

using Numbers = std::vector<int64_t>;

static Numbers take(FILE *file, size_t count) {
    Numbers numbers(count);
    if (fread(numbers.data(), 8, count, file) != count) return {};
    return numbers;
}

int main(int, char **words) {
    FILE *file = fopen(words[1], "rb");
    if (!file) return 2;
    Numbers head = take(file, 2);
    int64_t n = head[0], m = head[1];
    Numbers owner = take(file, n), first = take(file, n + 1), to = take(file, m);
    Numbers weight = take(file, m);
    std::clock_t begun = std::clock();
    Numbers into(n + 1), from(m), credit(n), waits(n, 1);
    for (int64_t v : to) into[v + 1]++;
    for (int64_t v = 0; v < n; v++) into[v + 1] += into[v];
    Numbers at = into;
    for (int64_t u = 0; u < n; u++)
        for (int64_t k = first[u]; k < first[u + 1]; k++) from[at[to[k]]++] = u;
    int64_t top = 1;
    for (int64_t u = 0; u < n; u++) {
        int64_t most = 0;
        for (int64_t k = first[u]; k < first[u + 1]; k++) most = std::max(most, -weight[k]);
        top += most;
    }
    std::deque<int64_t> queue;
    for (int64_t u = 0; u < n; u++) queue.push_back(u);
    while (!queue.empty()) {
        int64_t u = queue.front();
        queue.pop_front();
        waits[u] = 0;
        if (credit[u] == top) continue;
        int64_t best = owner[u] ? 0 : top;
        for (int64_t k = first[u]; k < first[u + 1]; k++) {
            int64_t x = credit[to[k]];
            x = x == top ? top : std::min(top, std::max<int64_t>(0, x - weight[k]));
            best = owner[u] ? std::max(best, x) : std::min(best, x);
        }
        if (best <= credit[u]) continue;
        credit[u] = best;
        for (int64_t k = into[u]; k < into[u + 1]; k++)
            if (!waits[from[k]]) waits[from[k]] = 1, queue.push_back(from[k]);
    }
    std::clock_t ended = std::clock();
    int64_t won = 0;
    for (int64_t x : credit) won += x < top;
    long long spent = (ended - begun) * (1000000000LL / CLOCKS_PER_SEC);
    printf("%lld %lld\n", spent, (long long)won);
}
