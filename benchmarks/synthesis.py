"""Games of synthesis: reading, solving, the machine, the fewest states, the circuit, its check.

    python benchmarks/synthesis.py [DIRECTORY|FILE…] [--limit N] [--json FILE]

Files are games in the extended HOA format, also compressed; of a directory all ``.ehoa`` and
``.hoa`` files are taken, the largest first. Without files, games of two families are generated:
*arbiter n* grants requests of n clients, one at a time and each of them at last; *delay n* repeats
n inputs one step later. Times are seconds of the processor, which other programs disturb less than
those on the clock. For an unrealizable game the machine is that of the environment. ``pairs`` is
the number of pairs of states of game and circuit that the check follows.
"""

import argparse
import io
import itertools
import json
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "src"))

STAGES = ("read", "solve", "build", "minimize", "circuit", "check")
PACKED = ("", ".gz", ".bz2", ".xz", ".zst")


def arbiter(n):
    """Every request is granted at last, and at most one client at a time.

    A state has the clients that wait, and the client whose turn it is to be without a request; a
    run is accepted if the turn passes through all clients infinitely often.
    """
    names = [f"r{k}" for k in range(n)] + [f"g{k}" for k in range(n)]
    states = list(itertools.product(itertools.product((0, 1), repeat=n), range(n)))
    number = {state: k for k, state in enumerate(states)}
    lines = [
        f"HOA: v1 States: {len(states) + 1} Start: {number[(0,) * n, 0]} AP: {2 * n} "
        + " ".join(f'"{name}"' for name in names),
        "controllable-AP: " + " ".join(map(str, range(n, 2 * n))),
        "Acceptance: 1 Inf(0) --BODY--",
    ]
    single = [[k == j for k in range(n)] for j in range(n)] + [[False] * n]
    for wait, turn in states:
        lines.append(f"State: {number[wait, turn]}")
        for asked in itertools.product((0, 1), repeat=n):
            for granted in single:
                left = tuple(
                    int((w or a) and not g) for w, a, g in zip(wait, asked, granted, strict=True)
                )
                after, done = turn, ""
                if not left[turn]:
                    after = (turn + 1) % n
                    done = " {0}" if after == 0 else ""
                label = letter([*asked, *granted])
                lines.append(f"[{label}] {number[left, after]}{done}")
        crowded = [f"{n + i}&{n + j}" for i, j in itertools.combinations(range(n), 2)]
        lines.append(f"[{' | '.join(crowded) or 'f'}] {len(states)}")
    return "\n".join([*lines, f"State: {len(states)} [t] {len(states)}", "--END--"])


def delay(n):
    """Each output is the input of the step before."""
    names = [f"i{k}" for k in range(n)] + [f"o{k}" for k in range(n)]
    count = 1 << n
    lines = [
        f"HOA: v1 States: {count + 1} Start: 0 AP: {2 * n} "
        + " ".join(f'"{name}"' for name in names),
        "controllable-AP: " + " ".join(map(str, range(n, 2 * n))),
        "Acceptance: 1 Fin(0) --BODY--",
    ]
    for state in range(count):
        bits = [state >> k & 1 for k in range(n)]
        lines.append(f"State: {state}")
        right = "&".join(f"{'' if bit else '!'}{n + k}" for k, bit in enumerate(bits))
        for given in range(count):
            label = letter([given >> k & 1 for k in range(n)])
            lines.append(f"[{label}&{right}] {given}")
        lines.append(f"[!({right})] {count}")
    return "\n".join([*lines, f"State: {count} [t] {count} {{0}}", "--END--"])


def letter(bits):
    return "&".join(f"{'' if bit else '!'}{k}" for k, bit in enumerate(bits))


def generated():
    for n in (2, 3, 4):
        yield f"arbiter {n}", arbiter(n).encode()
    for n in (2, 4, 6):
        yield f"delay {n}", delay(n).encode()


def found(paths):
    """The files of all paths, the largest first."""
    files = []
    for path in map(Path, paths):
        if path.is_dir():
            ends = [f".{kind}{more}" for kind in ("ehoa", "hoa") for more in PACKED]
            files += [x for x in path.iterdir() if x.name.endswith(tuple(ends))]
        else:
            files.append(path)
    return sorted(files, key=lambda x: x.stat().st_size, reverse=True)


def measured(name, source):
    """One row of the table."""
    import zermelo as zm

    seconds = {}

    def timed(stage, work):
        begun = time.process_time()
        answer = work()
        seconds[stage] = time.process_time() - begun
        return answer

    game = timed("read", lambda: zm.read(source, format="hoa"))
    synthesis = timed("solve", lambda: zm.synthesize(game))
    before = timed("build", lambda: synthesis.unminimized)
    machine = timed("minimize", lambda: synthesis.machine)
    data = timed("circuit", lambda: machine.to("aag"))
    pairs = timed("check", lambda: zm.check_circuit(game, data, synthesis.winner))
    sizes = data.split(b"\n", 1)[0].split()
    return {
        "name": name, "states": len(game.synthesis.automaton.states),
        "propositions": game.synthesis.automaton.propositions, "positions": game.graph.n,
        "realizable": synthesis.realizable, "before": len(before), "after": len(machine),
        "latches": int(sizes[3]), "gates": int(sizes[5]), "pairs": pairs, "seconds": seconds,
    }  # fmt: skip


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("paths", nargs="*")
    parser.add_argument("--limit", type=int, help="at most this many files")
    parser.add_argument("--json", metavar="FILE")
    given = parser.parse_args()
    if given.paths:
        work = [(path.name.partition(".")[0], path) for path in found(given.paths)]
    else:
        work = [(name, io.BytesIO(data)) for name, data in generated()]
    work = work[: given.limit]
    print(
        f"{'game':28} {'states':>6} {'AP':>3} {'':12} {'machine':>10} {'latches':>7} {'gates':>6} "
        f"{'pairs':>6}  " + " ".join(f"{stage:>8}" for stage in STAGES)
    )
    rows = []
    for name, source in work:
        row = measured(name, source)
        rows.append(row)
        verdict = "realizable" if row["realizable"] else "unrealizable"
        print(
            f"{name[:28]:28} {row['states']:6} {row['propositions']:3} {verdict:12} "
            f"{row['before']:4} → {row['after']:3} {row['latches']:7} {row['gates']:6} "
            f"{row['pairs']:6}  " + " ".join(f"{row['seconds'][x]:8.3f}" for x in STAGES),
            flush=True,
        )
    total = {stage: sum(row["seconds"][stage] for row in rows) for stage in STAGES}
    print(f"{f'{len(rows)} games':85}  " + " ".join(f"{total[x]:8.3f}" for x in STAGES))
    if given.json:
        Path(given.json).write_text(json.dumps(rows, indent=1))


if __name__ == "__main__":
    main()
