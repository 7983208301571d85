// Nim-values of an octal game, plainly: stamp the value of every option, take the least unstamped.
#include <cstdint>
#include <vector>

extern "C" void nim_values(const int32_t *digit, int64_t digits, int64_t to, int32_t *value) {
    std::vector<int64_t> stamp(1 << 12, -1);
    for (int64_t n = 0; n <= to; ++n) {
        for (int64_t i = 0; i < digits && i <= n; ++i) {
            const int64_t rest = n - i;
            if ((digit[i] & 1) && rest == 0) stamp[0] = n;
            if ((digit[i] & 2) && rest > 0) stamp[value[rest]] = n;
            if (digit[i] & 4)
                for (int64_t a = 1; 2 * a <= rest; ++a) stamp[value[a] ^ value[rest - a]] = n;
        }
        int32_t mex = 0;
        while (stamp[mex] == n) ++mex;
        value[n] = mex;
    }
}
