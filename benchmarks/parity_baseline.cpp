// A plain parity game solver: Zielonka's recursive algorithm as it is written in textbooks, over
// arrays, with the recursion on an explicit stack of subgames. Reads a PGSolver file whose lines
// are "position priority owner successor,successor,…;" and prints nanoseconds for reading and for
// solving, and how many positions player 0 wins.
#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <vector>

using Clock = std::chrono::steady_clock;

struct Game {
    std::vector<int> priority, owner, target, source;
    std::vector<std::int64_t> begin, rev_begin;
    int n() const { return static_cast<int>(priority.size()); }
};

static std::vector<char> slurp(const char *path) {
    std::FILE *file = std::fopen(path, "rb");
    if (!file) std::exit(2);
    std::fseek(file, 0, SEEK_END);
    std::vector<char> text(std::ftell(file) + 1, 0);
    std::rewind(file);
    if (std::fread(text.data(), 1, text.size() - 1, file) != text.size() - 1) std::exit(2);
    std::fclose(file);
    return text;
}

static Game read(const char *path) {
    std::vector<char> text = slurp(path);
    const char *p = text.data();
    if (*p == 'p') while (*p++ != ';') {}
    Game g;
    std::vector<std::vector<int>> rows;
    auto number = [&] {
        while (*p && (*p < '0' || *p > '9')) ++p;
        int x = 0;
        while (*p >= '0' && *p <= '9') x = 10 * x + (*p++ - '0');
        return x;
    };
    for (;;) {
        while (*p && (*p < '0' || *p > '9')) ++p;
        if (!*p) break;
        std::size_t v = number();
        if (v >= rows.size()) rows.resize(v + 1), g.priority.resize(v + 1), g.owner.resize(v + 1);
        g.priority[v] = number();
        g.owner[v] = number();
        do rows[v].push_back(number()); while (*p == ',');
        while (*p && *p != ';') ++p;
    }
    g.begin.assign(1, 0);
    for (auto &row : rows) {
        g.target.insert(g.target.end(), row.begin(), row.end());
        g.begin.push_back(static_cast<std::int64_t>(g.target.size()));
    }
    g.rev_begin.assign(g.n() + 1, 0);
    for (int w : g.target) ++g.rev_begin[w + 1];
    for (int v = 0; v < g.n(); ++v) g.rev_begin[v + 1] += g.rev_begin[v];
    g.source.resize(g.target.size());
    auto at = g.rev_begin;
    for (int v = 0; v < g.n(); ++v)
        for (auto k = g.begin[v]; k < g.begin[v + 1]; ++k) g.source[at[g.target[k]]++] = v;
    return g;
}

// inside[v] is 1 in the subgame, 2 in the queue of an attractor, 0 outside.
struct Solver {
    const Game &g;
    std::vector<char> inside;
    std::vector<int> escapes, winner, strategy;
    explicit Solver(const Game &game)
        : g(game), inside(game.n(), 1), escapes(game.n(), -1), winner(game.n(), -1),
          strategy(game.n(), -1) {}

    // Everything of the subgame that the player can force into the seeds leaves it.
    std::vector<int> attract(std::vector<int> queue, int player) {
        std::vector<int> touched;
        for (int v : queue) inside[v] = 2;
        for (std::size_t head = 0; head < queue.size(); ++head) {
            int v = queue[head];
            inside[v] = 0;
            for (auto k = g.rev_begin[v]; k < g.rev_begin[v + 1]; ++k) {
                int u = g.source[k];
                if (inside[u] != 1) continue;
                if (g.owner[u] == player) {
                    strategy[u] = v;
                } else {
                    if (escapes[u] < 0) {
                        escapes[u] = 0;
                        touched.push_back(u);
                        for (auto j = g.begin[u]; j < g.begin[u + 1]; ++j)
                            escapes[u] += inside[g.target[j]] != 0;
                        if (escapes[u] > 0) continue;
                    } else if (--escapes[u] > 0) {
                        continue;
                    }
                }
                inside[u] = 2;
                queue.push_back(u);
            }
        }
        for (int u : touched) escapes[u] = -1;
        return queue;
    }

    struct Frame {
        std::vector<int> positions, claimed;
        int player;
    };

    // The positions of a subgame are those inside when its frame is on top of the stack.
    void run() {
        std::vector<int> all(g.n());
        for (int v = 0; v < g.n(); ++v) all[v] = v;
        std::stable_sort(all.begin(), all.end(),
                         [&](int a, int b) { return g.priority[a] > g.priority[b]; });
        std::vector<Frame> stack;
        auto open = [&](std::vector<int> positions) {
            stack.push_back({std::move(positions), {}, 0});
            Frame &f = stack.back();
            if (f.positions.empty()) return;
            int top = g.priority[f.positions[0]];
            f.player = top & 1;
            std::vector<int> tops;
            for (int v : f.positions) {
                if (g.priority[v] != top) break;
                tops.push_back(v);
                if (g.owner[v] == f.player)
                    for (auto k = g.begin[v]; k < g.begin[v + 1]; ++k)
                        if (inside[g.target[k]]) strategy[v] = g.target[k];
            }
            f.claimed = attract(std::move(tops), f.player);
        };
        auto rest = [&](const Frame &f) {
            std::vector<int> left;
            for (int v : f.positions) if (inside[v]) left.push_back(v);
            return left;
        };
        open(std::move(all));
        while (!stack.empty()) {
            Frame &f = stack.back();
            std::vector<int> left = rest(f);
            if (!left.empty()) {
                open(std::move(left));
                continue;
            }
            // The subgame below is solved: what the opponent has won there comes first.
            std::vector<int> lost;
            for (int v : f.positions)
                if (winner[v] == 1 - f.player) lost.push_back(v);
            for (int v : f.claimed) winner[v] = f.player;
            if (!lost.empty()) {
                for (int v : f.positions) inside[v] = 1;
                std::vector<int> taken = attract(lost, 1 - f.player);
                if (taken.size() > lost.size()) {
                    for (int v : taken) winner[v] = 1 - f.player;
                    std::vector<int> again;
                    for (int v : f.positions) if (inside[v]) winner[v] = -1, again.push_back(v);
                    stack.pop_back();
                    open(std::move(again));
                    continue;
                }
            }
            for (int v : f.positions) inside[v] = 0;
            for (int v : f.claimed)
                if (g.owner[v] == f.player && strategy[v] >= 0 && winner[strategy[v]] != f.player)
                    for (auto k = g.begin[v]; k < g.begin[v + 1]; ++k)
                        if (winner[g.target[k]] == f.player) strategy[v] = g.target[k];
            stack.pop_back();
        }
    }
};

int main(int argc, char **argv) {
    if (argc != 2) return 2;
    auto start = Clock::now();
    Game game = read(argv[1]);
    auto middle = Clock::now();
    Solver solver(game);
    solver.run();
    auto end = Clock::now();
    auto ns = [](auto d) { return (long long)std::chrono::nanoseconds(d).count(); };
    std::printf("%lld %lld %lld\n", ns(middle - start), ns(end - middle),
                (long long)std::count(solver.winner.begin(), solver.winner.end(), 0));
}
