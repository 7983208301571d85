"""What :mod:`tables` prints: a line for each game in each of its tables, and goals."""

PUBLISHED = {
    "dobutsu": (173, "the table that R. Clausecker's program dobutsu generates"),
    "chess:KBNvKN": (213, "H. Conrady, from Nalimov's tables, Computer-Chess Club, 1 June 2000"),
    "chess:KRPvKR": (148, "the bounds that the program Texel has for Gaviota's tables: mate in 74"),
}
"""The longest distance in plies, and who found it."""


GOALS = (
    ("chess:KQvKR", "own rate", "millions of indices a second", ">=", 8),
    ("chess:KRvKN", "own rate", "millions of indices a second", ">=", 8),
    ("chess:KPvKP", "own rate", "millions of indices a second", ">=", 5),
    ("chess:KQvKR", "C++ ratio", "speed of C++ / ours", "<=", 2),
    ("chess:KRvKN", "C++ ratio", "speed of C++ / ours", "<=", 2),
    ("teeko", "slot rate", "millions of slots a second", ">=", 6),
    ("dobutsu", "minutes", "minutes", "<=", 8),
    ("chess:KBNvKN", "bytes", "bytes of memory an index", "<=", 2),
    ("connect4:5x5", "bits", "bits a position", "<=", 2),
    ("chess:KQvKR", "verify ratio", "speed of checking / building", ">=", 0.5),
    ("chess:KPvKP", "verify ratio", "speed of checking / building", ">=", 0.5),
    ("chess:KQvKR", "best", "thousands of probes a second with best moves", ">=", 10),
    ("chess:KPvKP", "many", "thousands of probes a second in one call", ">=", 100),
    ("chess:KPvKP", "best", "thousands of probes a second with best moves", ">=", 10),
)
"""What the package aims at on two idle cores."""


def longest(row):
    """The longest distance of a table in plies."""
    return max(row["counts"]["longest_win"], row["counts"]["longest_lose"])


def agrees(row):
    """Whether a table has the values that the C++ generator found, and the published ones."""
    if plain := row.get("plain"):
        same = plain["counts"][: len(row["own_counts"])] == row["own_counts"]
        return same and plain["longest"] == row["own_longest"]
    return row["game"] not in PUBLISHED or PUBLISHED[row["game"]][0] == longest(row)


def measured(row, what):
    """One figure of a row by the name that it has in GOALS; None where it was not measured."""
    own = row.get("own_solving")
    rate = row["own_indices"] / 1e6 / own if own else None
    if what == "own rate":
        return rate
    if what == "C++ ratio":
        plain = row.get("plain")
        return plain["indices"] / 1e6 / plain["seconds"] / rate if plain and rate else None
    if what == "slot rate":
        return row["slots"] / row["solve_seconds"] / 1e6
    if what == "bytes":
        return row["peak_bytes"] / row["slots"]
    if what == "minutes":
        return row["building"][0] / 60
    if what == "verify ratio":
        return row["building"][1] / row["verify"] if "verify" in row else None
    return row.get(what)


def goal_lines(rows):
    """A line for each goal of the games that were measured."""
    lines, by_game = [], {row["game"]: row for row in rows}
    for game, what, unit, relation, bound in GOALS:
        value = measured(by_game[game], what) if game in by_game else None
        if value is not None:
            good = value >= bound if relation == ">=" else value <= bound
            verdict = "reached" if good else "NOT reached"
            lines.append(f"{game:<15}{unit:<46}{value:>8.2f}  {relation} {bound:<5}{verdict}")
    return lines


def line(columns, cells):
    """The cells of a row, as wide as the columns."""
    return "".join(f"{x:{'<' if w > 12 else '>'}{w}}" for x, w in zip(cells, columns, strict=True))


SOLVING = {
    "game": 15, "stored": 9, "all": 9, "slots": 9, "explore": 9, "/s": 8, "solve": 9,
    "slots/s": 8, "all/s": 8, "bytes": 7, "peak": 11, "  start and longest": 30,
}  # fmt: skip


def solving_row(row):
    explore, solve, counts = row["explore_seconds"], row["solve_seconds"], row["counts"]
    result, distance = row["start"]
    ending = "" if distance is None or distance < 0 else f" in {distance}"
    return line(
        SOLVING.values(),
        (
            row["game"],
            f"{row['stored'] / 1e6:.2f}",
            f"{counts['positions'] / 1e6:.2f}",
            f"{row['slots'] / 1e6:.2f}",
            f"{explore:.1f}",
            "–" if explore < 0.01 else f"{row['stored'] / explore / 1e6:.2f}",
            f"{solve:.1f}",
            f"{row['slots'] / solve / 1e6:.2f}",
            f"{counts['positions'] / solve / 1e6:.2f}",
            f"{row['peak_bytes'] / row['slots']:.1f}",
            f"{(row['peak'] or 0) / 2**20:.0f} MiB",
            f"  {result}{ending}, longest {longest(row)}",
        ),
    )


CHESS = {
    "game": 15, "indices": 9, "solve": 8, "/s": 7, "build": 8, "/s ": 7, "own": 9, "solve ": 8,
    " /s": 7, "build ": 8, " /s ": 7, "C++": 8, "  /s": 7, "ratio": 7, "   ": 15,
}  # fmt: skip


def chess_row(row):
    plain = row["plain"]
    indices, own = row["slots"] / 1e6, row["own_indices"] / 1e6
    solve, build, own_solve = row["solving"][1], row["building"][1], row["own_solving"]
    own_build = row.get("own_building")
    if own_build is None and own_solve is not None:
        own_build = own_solve + (build - solve) * own / indices
    cells = [row["game"], f"{indices:.2f}"]
    for amount, seconds in ((indices, solve), (indices, build), (own, own_solve), (own, own_build)):
        known = seconds is not None
        cells += [f"{seconds:.2f}", f"{amount / seconds:.2f}"] if known else ["–", "–"]
    cells.insert(6, f"{own:.2f}")
    if plain is None:
        cells += ["–", "–", "–", ""]
    else:
        speed = plain["indices"] / 1e6 / plain["seconds"]
        ratio = measured(row, "C++ ratio")
        cells += [f"{plain['seconds']:.2f}", f"{speed:.2f}", f"{ratio:.2f}" if ratio else "–"]
        cells.append("   same values" if agrees(row) else "   OTHER VALUES")
    return line(CHESS.values(), cells)


DISK = {
    "game": 15, "stored": 9, "bits": 7, "build": 9, "verify": 9, "ratio": 7, "many": 9, "moves": 9,
    "one": 9, "best": 9,
}  # fmt: skip


def disk_row(row):
    build = row["building"][1]
    cells = [row["game"], f"{row['stored'] / 1e6:.2f}", f"{row['bits']:.2f}", f"{build:.1f}"]
    cells += [f"{row['verify']:.1f}", f"{measured(row, 'verify ratio'):.2f}"]
    cells += [f"{row[x]:.1f}" for x in ("many", "moves", "one", "best")]
    return line(DISK.values(), cells)


def long_row(row):
    """One sentence on a long job, with the published figure."""
    (seconds, cpu), counts = row["building"], row["counts"]
    published, source = PUBLISHED.get(row["game"], (None, ""))
    verdict = f"; published: {published} ({source})" if published else ""
    return (
        f"{row['game']}: {row['slots'] / 1e6:.1f} million indices, {counts['positions']:,} "
        f"positions, built in {seconds / 60:.1f} minutes, {cpu / 60:.1f} of the processor, "
        f"{row['slots'] / 1e6 / cpu:.2f} million indices a second of it; peak "
        f"{(row['peak'] or 0) / 2**30:.2f} GiB, {row['bits']:.2f} bits a position; the longest "
        f"distance is {longest(row)} plies{verdict}"
    )


def heading(title, columns):
    print(f"\n{title}\n\n{line(columns.values(), columns)}", flush=True)
