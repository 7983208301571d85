// A plain generator of one chess endgame without pawns: each side has a king and at most one man.
//
//     tables_baseline Q R        KQvKR; "-" is no man
//
// Distances are plies to checkmate, a byte for each index. An index is the pair of kings up to the
// eight symmetries of the board (462), the side to move, and the squares of the other men. What
// captures lead to, KQvK and KvKR, is generated first. A position is settled by the layer of its
// distance: from a lost position all positions before it are won, and from a won position all
// positions before it have one move less that does not lose. Moves are not stored, but made again
// backwards. One thread.
//
// Prints a line of JSON for each endgame, the one asked for last: the indices, the seconds of the
// processor, and the positions up to symmetry that the side to move wins, loses and draws, with
// White and with Black to move. The longest distance is in plies.

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <string>
#include <vector>

using Mask = std::uint64_t;
using Byte = std::uint8_t;

enum { WHITE, BLACK };
enum Kind { KING, QUEEN, ROOK, BISHOP, KNIGHT, NO_MAN };
const char LETTERS[] = "KQRBN";

const Byte ILLEGAL = 255, DRAWN = 254;  // all other distances: even are lost, odd are won
const Byte NEVER = 255;                 // of a counter: the side to move does not lose
const Mask DIAGONAL = 0x8040201008040201;

// ------------------------------------------------------------------------------------ the board

struct Ray { int length; Byte squares[7]; };
struct Fan { int count; Ray rays[8]; };

Fan fans[5][64];       // where a man of a kind goes from a square, in up to eight directions
Mask attacks[5][64];   // the same as a set, on an empty board
Mask between[64][64];  // the squares between two of a line

Mask bit(int square) { return Mask(1) << square; }

void make_fans() {
    const int lines[8][2] = {{0, 1}, {1, 0}, {0, -1}, {-1, 0}, {1, 1}, {1, -1}, {-1, -1}, {-1, 1}};
    const int jumps[8][2] = {{1, 2}, {2, 1}, {2, -1}, {1, -2}, {-1, -2}, {-2, -1}, {-2, 1}, {-1, 2}};
    for (int kind = KING; kind <= KNIGHT; kind++)
        for (int from = 0; from < 64; from++)
            for (int d = 0; d < 8; d++) {
                if ((kind == ROOK && d >= 4) || (kind == BISHOP && d < 4)) continue;
                const int *step = kind == KNIGHT ? jumps[d] : lines[d];
                const int most = kind == KING || kind == KNIGHT ? 1 : 7;
                Ray ray = {};
                Mask passed = 0;
                int x = from % 8 + step[0], y = from / 8 + step[1];
                for (; x >= 0 && x < 8 && y >= 0 && y < 8 && ray.length < most;
                     x += step[0], y += step[1]) {
                    const int to = 8 * y + x;
                    ray.squares[ray.length++] = Byte(to);
                    attacks[kind][from] |= bit(to);
                    if (kind != KNIGHT) between[from][to] = passed;
                    passed |= bit(to);
                }
                if (ray.length) fans[kind][from].rays[fans[kind][from].count++] = ray;
            }
}

bool attacked(int kind, int from, int to, Mask occupied) {
    return (attacks[kind][from] & bit(to)) && !(between[from][to] & occupied);
}

// The squares that a man reaches, each way up to the first man, which is included.
template <class Visit>
void reach(int kind, int from, Mask occupied, Visit visit) {
    const Fan &fan = fans[kind][from];
    for (int d = 0; d < fan.count; d++)
        for (int i = 0; i < fan.rays[d].length; i++) {
            const int to = fan.rays[d].squares[i];
            visit(to);
            if (occupied & bit(to)) break;
        }
}

// ---------------------------------------------------------------------------------- symmetries

struct Fold {
    int pair;       // the number of the pair of kings, -1 for neighbours
    int symmetry;   // what makes the pair one of those that have numbers
    bool diagonal;  // both kings are on the diagonal then
};

const int PAIRS = 462;
Byte image[8][64];  // squares under the symmetries
Fold folds[64][64];
int kings_of[PAIRS][2];

void make_folds() {
    for (int s = 0; s < 8; s++)
        for (int square = 0; square < 64; square++) {
            int x = square % 8, y = square / 8;
            if (s & 1) x = 7 - x;
            if (s & 2) y = 7 - y;
            image[s][square] = Byte(s & 4 ? 8 * x + y : 8 * y + x);
        }
    int pairs = 0, number[64][64];
    for (int white = 0; white < 64; white++)
        for (int black = 0; black < 64; black++) {
            const int x = white % 8, y = white / 8, u = black % 8, v = black / 8;
            const bool apart = std::max(std::abs(x - u), std::abs(y - v)) > 1;
            const bool first = x < 4 && (y < x || (y == x && v <= u));
            number[white][black] = -1;
            if (!apart || !first) continue;
            kings_of[pairs][WHITE] = white, kings_of[pairs][BLACK] = black;
            number[white][black] = pairs++;
        }
    for (int white = 0; white < 64; white++)
        for (int black = 0; black < 64; black++) {
            folds[white][black] = {-1, 0, false};
            for (int s = 0; s < 8; s++) {
                const int w = image[s][white], b = image[s][black];
                if (number[w][b] < 0) continue;
                const bool diagonal = !((bit(w) | bit(b)) & ~DIAGONAL);
                folds[white][black] = {number[w][b], s, diagonal};
                break;
            }
        }
}

// ------------------------------------------------------------------------------- one endgame

struct Position {
    int king[2], man[2];
    int side;
    bool symmetric;  // all men are on one diagonal, so that a position has 4 images and not 8

    Mask men(const int kind[2]) const {
        Mask mask = bit(king[WHITE]) | bit(king[BLACK]);
        for (int c : {WHITE, BLACK})
            if (kind[c] != NO_MAN) mask |= bit(man[c]);
        return mask;
    }
};

struct Place {
    int index;
    bool symmetric;
};

class Endgame {
  public:
    int kind[2], radix[2], size;
    std::vector<Byte> distance;

    Endgame(int white, int black) : kind{white, black} {
        for (int c : {WHITE, BLACK}) radix[c] = kind[c] == NO_MAN ? 1 : 64;
        size = PAIRS * 2 * radix[WHITE] * radix[BLACK];
    }

    // without[c] is the endgame after the man of side c was captured.
    void generate(const Endgame *const without[2]) {
        mark_legal();
        left.assign(size, NEVER), least.assign(size, 0);
        for (int i = 0; i < size; i++)
            if (distance[i] != ILLEGAL) begin(i, without);
        for (int layer = 0; layer < DRAWN - 1; layer++)
            for (std::size_t k = 0; k < layers[layer].size(); k++)
                if (distance[layers[layer][k]] == layer) spread(layers[layer][k], layer);
    }

    Place place(const int king[2], const int man[2], int side) const {
        const Fold &fold = folds[king[WHITE]][king[BLACK]];
        const Byte *to = image[fold.symmetry];
        int white = kind[WHITE] == NO_MAN ? 0 : to[man[WHITE]];
        int black = kind[BLACK] == NO_MAN ? 0 : to[man[BLACK]];
        bool symmetric = false;
        if (fold.diagonal) {
            const int i = white * 64 + black, other = image[4][white] * 64 + image[4][black];
            symmetric = i == other;
            white = std::min(i, other) / 64, black = std::min(i, other) % 64;
        }
        const int index = (fold.pair * 2 + side) * radix[WHITE] * radix[BLACK];
        return {index + white * radix[BLACK] + black, symmetric};
    }

    Position position(int index) const {
        Position p;
        p.man[BLACK] = index % radix[BLACK], index /= radix[BLACK];
        p.man[WHITE] = index % radix[WHITE], index /= radix[WHITE];
        p.side = index % 2;
        for (int c : {WHITE, BLACK}) p.king[c] = kings_of[index / 2][c];
        p.symmetric = !(p.men(kind) & ~DIAGONAL);
        return p;
    }

  private:
    std::vector<Byte> left;   // moves that may not lose, in halves; NEVER if one cannot lose
    std::vector<Byte> least;  // how far a loss is at least, after the longest capture
    std::vector<int> layers[256];

    void settle(int index, int plies) {
        distance[index] = Byte(plies);
        layers[plies].push_back(index);
    }

    // Mark what is no position: two men on a square, a king that could be captured, or an index of
    // the other image of a position with both kings on the diagonal.
    void mark_legal() {
        distance.assign(size, DRAWN);
        for (int i = 0; i < size; i++) {
            const Position p = position(i);
            const Mask men = p.men(kind);
            const int count = 2 + (kind[WHITE] != NO_MAN) + (kind[BLACK] != NO_MAN);
            if (__builtin_popcountll(men) != count || check(p, 1 - p.side, men)
                || place(p.king, p.man, p.side).index != i)
                distance[i] = ILLEGAL;
        }
    }

    // Whether the king of a side is attacked.
    bool check(const Position &p, int side, Mask men) const {
        const int other = 1 - side;
        return kind[other] != NO_MAN && attacked(kind[other], p.man[other], p.king[side], men);
    }

    // Count the moves of a position, and settle it if there are none or if captures decide.
    void begin(int index, const Endgame *const without[2]) {
        const Position p = position(index);
        const int side = p.side, other = 1 - side;
        const Mask men = p.men(kind), own = bit(p.king[side]) | bit(p.king[other])
            | (kind[side] == NO_MAN ? 0 : bit(p.man[side]));
        int quiet = 0, captures = 0, best = DRAWN, worst = 0;
        bool holds = false;
        int king[2] = {p.king[0], p.king[1]}, man[2] = {p.man[0], p.man[1]};
        auto play = [&](int to) {
            if (!(men & bit(to))) {
                quiet += distance[place(king, man, other).index] != ILLEGAL;
                return;
            }
            const Endgame &after = *without[other];
            const Byte value = after.distance[after.place(king, man, other).index];
            if (value == ILLEGAL) return;
            captures++;
            if (value == DRAWN) holds = true;
            else if (value % 2 == 0) best = std::min(best, value + 1);
            else worst = std::max(worst, value + 1);
        };
        reach(KING, p.king[side], men, [&](int to) {
            if ((own | attacks[KING][p.king[other]]) & bit(to)) return;
            king[side] = to;
            play(to);
        });
        king[side] = p.king[side];
        if (kind[side] != NO_MAN)
            reach(kind[side], p.man[side], men, [&](int to) {
                if (own & bit(to)) return;
                man[side] = to;
                play(to);
            });
        if (best != DRAWN) settle(index, best);
        else if (!quiet && !captures) { if (check(p, side, men)) settle(index, 0); }
        else if (!quiet && !holds) settle(index, worst);
        else if (!holds) left[index] = Byte(2 * quiet), least[index] = Byte(worst);
    }

    // Tell all positions before a settled one. Of two positions with different numbers of images,
    // one move stands for two in the other direction, so counters are in halves of moves.
    void spread(int index, int layer) {
        const Position p = position(index);
        const int mover = 1 - p.side;
        const Mask men = p.men(kind);
        int king[2] = {p.king[0], p.king[1]}, man[2] = {p.man[0], p.man[1]};
        auto tell = [&] {
            const Place before = place(king, man, mover);
            Byte &value = distance[before.index];
            if (value == ILLEGAL) return;
            if (layer % 2 == 0) {
                if (value > layer + 1) settle(before.index, layer + 1);
            } else if (value == DRAWN && left[before.index] != NEVER) {
                left[before.index] -= p.symmetric == before.symmetric ? 2 : p.symmetric ? 1 : 4;
                if (!left[before.index])
                    settle(before.index, std::max<int>(layer + 1, least[before.index]));
            }
        };
        reach(KING, p.king[mover], men, [&](int from) {
            if ((men | attacks[KING][p.king[p.side]]) & bit(from)) return;
            king[mover] = from;
            tell();
        });
        king[mover] = p.king[mover];
        if (kind[mover] != NO_MAN)
            reach(kind[mover], p.man[mover], men, [&](int from) {
                if (men & bit(from)) return;
                man[mover] = from;
                tell();
            });
    }
};

// ------------------------------------------------------------------------------------ the report

void report(const Endgame &endgame, double seconds) {
    long count[2][3] = {};
    int longest = 0;
    for (int i = 0; i < endgame.size; i++) {
        const Byte value = endgame.distance[i];
        if (value == ILLEGAL) continue;
        count[endgame.position(i).side][value == DRAWN ? 2 : value % 2 ? 0 : 1]++;
        if (value != DRAWN) longest = std::max<int>(longest, value);
    }
    std::string name = "K";
    if (endgame.kind[WHITE] != NO_MAN) name += LETTERS[endgame.kind[WHITE]];
    name += "vK";
    if (endgame.kind[BLACK] != NO_MAN) name += LETTERS[endgame.kind[BLACK]];
    std::printf("{\"material\": \"%s\", \"indices\": %d, \"seconds\": %.4f, \"longest\": %d, "
                "\"counts\": [[%ld, %ld, %ld], [%ld, %ld, %ld]]}\n",
                name.c_str(), endgame.size, seconds, longest, count[0][0], count[0][1], count[0][2],
                count[1][0], count[1][1], count[1][2]);
}

int kind_of(const char *text) {
    if (!std::strcmp(text, "-")) return NO_MAN;
    const char *found = std::strchr(LETTERS + 1, text[0]);
    return found && text[0] && !text[1] ? int(found - LETTERS) : -1;
}

int main(int count, char **arguments) {
    const int white = count == 3 ? kind_of(arguments[1]) : -1;
    const int black = count == 3 ? kind_of(arguments[2]) : -1;
    if (white < 0 || black < 0) {
        std::fprintf(stderr, "expected White's man and Black's, each one of Q R B N -, as in Q R\n");
        return 2;
    }
    make_fans();
    make_folds();
    Endgame kings(NO_MAN, NO_MAN), only_white(white, NO_MAN), only_black(NO_MAN, black),
        all(white, black);
    const Endgame *const after_one[2] = {&kings, &kings};
    const Endgame *const after_two[2] = {&only_black, &only_white};
    kings.generate(after_one);
    for (Endgame *endgame : {&only_white, &only_black, &all}) {
        if (endgame != &all && (white == NO_MAN || black == NO_MAN)) continue;
        const std::clock_t begun = std::clock();
        const bool last = endgame == &all && white != NO_MAN && black != NO_MAN;
        endgame->generate(last ? after_two : after_one);
        report(*endgame, double(std::clock() - begun) / CLOCKS_PER_SEC);
    }
}
