"""Distances to conversion: solving, tables, answers, and the checker."""

import numpy as np
import pytest
from tests.tables import plain
from tests.tables.games import SPREAD, arrays, random_game
from tests.tables.test_forged import forge
from tests.tables.test_solve import Bag

import zermelo as zm
from zermelo.errors import CertificateError, FormatError, InvalidOptionError
from zermelo.rules.chess.endgame import Chess
from zermelo.tables.solving import slot_ways as thin_layers
from zermelo.tables.solving.job import Job
from zermelo.tables.solving.measures import PliesToEnd
from zermelo.tables.solving.solve import solve_rules
from zermelo.tables.storage.codes import (
    KIND_DRAW,
    KIND_LOSE_IN,
    KIND_TIED,
    KIND_WIN,
    KIND_WIN_IN,
    distances,
    labels,
)
from zermelo.tables.storage.file import TableFile

SETS = [
    ("tiers",),
    ("ends", "converts"),
    ("ends", "back", "tiers"),
    ("ends", "back", "tiers", "index"),
    ("ends", "back", "tiers", "index", "converts"),
    ("ends", "back", "tiers", "players", "converts"),
    ("ends", "tiers", "players", "converts"),
    ("ends", "back", "tiers", "twins", "index"),
    ("ends", "back", "tiers", "twins", "converts"),
]
"""Members of rules, with all ways to go back and to tell conversions among them."""


def made(members, seed=0, n=18):
    rng = np.random.default_rng([seed, *map(ord, "+".join(members))])
    given = random_game(rng, n, 3 if "tiers" in members else 1, 4 if "twins" in members else 0)
    if "players" not in members:
        given["players"] = None
    return arrays(*members, **given)


def made_long(members, n=24):
    """A way from 0 to n − 1 in two tiers, with moves back that the winner need not make."""
    edges = {(v, v + 1) for v in range(n - 1)} | {(v, v - 3) for v in range(4, n - 1, 2)}
    edges = {(a, b) for a, b in edges if (a < 9) == (b < 9) or a < b}
    given = {"edges": edges, "n": n, "tiers": [int(v < 9) for v in range(n)], "ends": None}
    players = [v % 2 for v in range(n)] if "players" in members else None
    return arrays(*(x for x in members if x != "ends"), players=players, **given)


def starts(rules):
    return [0, SPREAD] if rules.twins else [0]


def oracle(rules, misere=False):
    """Label, distance to conversion and whether it is a tie, by position, from the definitions.

    In round k a won position gets the distance k if a move that keeps the win converts or leads to
    an earlier distance, and a lost one if all its moves do.
    """
    values = plain.solve(rules, misere, starts(rules))
    moves = plain.explore(rules, starts(rules))

    def keeps(p, q):
        again = rules.has("player") and rules.player(p) == rules.player(q)
        return values[q][0] == (values[p][0] if again else -values[p][0])

    def converts(p, q):
        return rules.converts(p, q) if rules.has("converts") else rules.tier(p) != rules.tier(q)

    far = {p: 0 for p, (x, _) in values.items() if x and not moves[p]}
    settled, k = True, 0
    while settled:
        k += 1
        settled = {}
        for p, (x, _) in values.items():
            good = [converts(p, q) or q in far for q in moves[p] if keeps(p, q)]
            if x and p not in far and (any(good) if x > 0 else all(good)):
                settled[p] = k
        far |= settled
    return {p: (x, far.get(p, -1), x == 0 and d >= 0) for p, (x, d) in values.items()}


def best(rules, values, p):
    """The best moves of a position, from the definitions."""
    value, far, tied = values[p]
    found = set()
    for q in plain.options(rules, p):
        again = rules.has("player") and rules.player(p) == rules.player(q)
        x, d, t = values[q]
        convert = rules.converts(p, q) if rules.has("converts") else rules.tier(p) != rules.tier(q)
        along = (0 if convert else d) == far - 1 if value else t or not tied
        if along and (x if again else -x) == value:
            found.add(q)
    return found


# -------------------------------------------------------------------- solving


@pytest.mark.parametrize("members", SETS, ids="+".join)
@pytest.mark.parametrize("seed", range(2))
def test_solving_agrees_with_the_oracle(members, seed):
    rules = made(members, seed)
    objective = zm.Misere() if seed % 2 else None
    solved = solve_rules(rules, objective, distances="conversion")
    for p, (value, far, _) in oracle(rules, seed % 2 == 1).items():
        entry = solved.entry[[solved.place(p)]]
        assert labels(entry)[0] == value, rules.show(p)
        assert value == 0 or distances(entry)[0] == far, rules.show(p)


@pytest.mark.parametrize("members", [x for x in SETS if "twins" not in x], ids="+".join)
def test_long_ways_agree_with_the_oracle(members):
    rules = made_long(members)
    solved = solve_rules(rules, distances="conversion")
    for p, (value, far, _) in oracle(rules).items():
        entry = solved.entry[[solved.place(p)]]
        assert (labels(entry)[0], distances(entry)[0]) == (value, far), rules.show(p)


@pytest.mark.parametrize("members", [SETS[2], SETS[5], SETS[6]], ids="+".join)
def test_any_state_leads_to_the_same_end(members, monkeypatch):
    monkeypatch.setattr("zermelo.tables.solving.job.CHECKPOINT_SECONDS", -1.0)
    monkeypatch.setattr(
        "zermelo.tables.solving.waves.MAX_SERIAL_SLOTS", 16 * 8
    )  # pieces of eight slots
    rules = made(members, 5, 30)
    bag = Bag()
    whole = solve_rules(rules, checkpoint=bag, distances="conversion")
    assert {state.get("phase") for state in bag.states} == {None, 0, 1}
    for state in bag.states[::3]:
        again = solve_rules(rules, checkpoint=Bag(state), distances="conversion")
        assert again.entry.tobytes() == whole.entry.tobytes()


@pytest.mark.parametrize("way", ["made again", "queue"])
@pytest.mark.parametrize("members", [x for x in SETS if "twins" not in x], ids="+".join)
def test_every_way_to_spread_gives_the_same(members, way, monkeypatch):
    rules = made_long(members)
    usual = solve_rules(rules, distances="conversion").entry
    if way == "queue":
        monkeypatch.setattr(thin_layers, "MIN_THIN_LAYERS", 0)
        monkeypatch.setattr(thin_layers, "SLOTS_PER_THIN", 0)
    else:
        monkeypatch.setattr(Job, "fits", lambda self, more: False)
    again = solve_rules(rules, distances="conversion").entry
    assert again.tobytes() == usual.tobytes()


@pytest.mark.parametrize("members", [SETS[0], SETS[2], SETS[3]], ids="+".join)
def test_long_play_takes_wider_entries(members, monkeypatch):
    rules = made_long(members)
    usual = solve_rules(rules, distances="conversion").entry
    assert max(distances(usual)) >= 12
    monkeypatch.setattr(PliesToEnd, "farthest_layer", lambda *_: 6)
    wide = solve_rules(rules, distances="conversion").entry
    assert (usual.dtype, wide.dtype) == (np.uint16, np.uint32)
    assert labels(usual).tolist() == labels(wide).tolist()
    assert distances(usual).tolist() == distances(wide).tolist()


def test_a_distance_is_not_that_to_the_end():
    """0 → 1 → 2 → 3 → 4 is forced; the first and the third move convert, within the only tier."""
    rules = arrays("back", "converts", edges=[(v, v + 1) for v in range(4)], n=5)
    assert [v for v in range(4) if rules.converts(SPREAD * v, SPREAD * (v + 1))] == [0, 2]
    solved = solve_rules(rules, distances="conversion")
    assert [int(distances(solved.entry[[solved.place(SPREAD * v)]])[0]) for v in range(5)] == [
        1, 2, 1, 1, 0,
    ]  # fmt: skip


# -------------------------------------------------------------------- tables


@pytest.mark.slow
@pytest.mark.parametrize("members", SETS[1::2], ids="+".join)
def test_answers_of_a_table(members, tmp_path):
    rules = made(members, 1, 12)
    values = oracle(rules)
    with zm.build(rules, tmp_path / "t.zt", check=False, distances="conversion") as table:
        assert table.distances == "conversion"
        assert table.has_distances
        table.verify()
        assert table.verified == len(table)
        for p, (value, far, tied) in values.items():
            answer = table.at(p)
            assert (answer.label, answer.distance) == (value, far), rules.show(p)
            assert value or answer.outcome == ("tie" if tied else "draw")
            assert set(answer.best_moves) == best(rules, values, p), rules.show(p)
        many = table.probe_many(np.array(list(values)), moves=True)
        assert many.distance.tolist() == [far for _, far, _ in values.values()]
        for p, move in zip(values, many.move.tolist(), strict=True):
            assert move in (best(rules, values, p) or {-1})
        won = [far for value, far, _ in values.values() if value > 0]
        assert table.counts()["longest_win"] == max(won, default=-1)


@pytest.mark.slow
def test_a_line_goes_on_after_a_conversion(tmp_path):
    rules = arrays("back", "converts", edges=[(v, v + 1) for v in range(4)], n=5)
    with zm.build(rules, tmp_path / "t.zt", check=False, distances="conversion") as table:
        assert len(table.line(0)) == 5
        assert str(table.at(SPREAD)) == f"{rules.show(SPREAD)}: WIN, conversion in 2 by 2"


@pytest.mark.slow
def test_the_file_is_refused_by_readers_of_other_versions(tmp_path):
    path = tmp_path / "t.zt"
    with zm.build(made(SETS[2]), path, check=False, distances="conversion") as table:
        assert table.header["distances_to"] == "conversion"
    assert path.read_bytes()[8] == 4
    path.write_bytes(path.read_bytes().replace(b'"conversion"', b'"conversioN"'))
    with pytest.raises(FormatError, match="damaged: distances to 'conversioN' are not known"):
        TableFile(path)


def test_digests_count_conversions_only_where_they_matter():
    from zermelo.tables.probing.access import rules_digest

    one, other = made(SETS[3]), made(SETS[4])
    other.__dict__.update(one.__dict__)
    assert rules_digest(one) == rules_digest(other)
    assert rules_digest(one, conversion=True) != rules_digest(other, conversion=True)


# -------------------------------------------------------------------- what is refused


def test_what_is_refused(tmp_path):
    path = tmp_path / "t.zt"
    for rules, message in (
        (made(("ends", "back")), "tell which moves convert, by a member converts or tier"),
        ("nim:1,2", "need compiled rules"),
    ):
        with pytest.raises(InvalidOptionError, match=message):
            zm.build(rules, path, check=False, distances="conversion")
    rules = made(SETS[2])
    with pytest.raises(InvalidOptionError, match="not by the engine 'disk'; use engine='memory'"):
        zm.build(rules, path, check=False, distances="conversion", engine="disk")
    with pytest.raises(
        InvalidOptionError, match="expected True, False or 'conversion', got 'mate'"
    ):
        zm.build(rules, path, check=False, distances="mate")
    with pytest.raises(InvalidOptionError, match="asymmetric: expected the objective of the rules"):
        zm.build(rules, path, zm.Asymmetric(), check=False, distances="conversion")
    with pytest.raises(InvalidOptionError, match="to one file, not to a directory"):
        zm.build(rules, f"{tmp_path}/", check=False, distances="conversion")


# -------------------------------------------------------------------- the checker


@pytest.mark.slow
@pytest.mark.parametrize("members", [SETS[3], SETS[5]], ids="+".join)
def test_every_changed_entry_is_found(members, tmp_path):
    rules, path = made(members, 2, 9), tmp_path / "t.zt"
    zm.build(rules, path, check=False, distances="conversion").close()
    sound = path.read_bytes()
    with TableFile(path) as table:
        kinds = table.block(0).kind.tolist()
    changed = 0
    with zm.Table(path, rules) as table:
        present = {table.look_up(p)[2] for p, *_ in table.kinds()}
    for i in sorted(present):
        others = {KIND_WIN_IN if "players" in members else KIND_WIN, KIND_LOSE_IN, KIND_DRAW}
        attacks = [(kind, 2) for kind in sorted({*others, KIND_TIED} - {kinds[i]})]
        attacks += [(kinds[i], step) for step in (-1, 1)] if kinds[i] in (1, KIND_WIN_IN) else []
        for new, step in attacks:

            def change(kind, distance, keys, i=i, new=new, step=step):
                distance[i] = distance[i] + step if new == kind[i] else 2
                kind[i] = new

            path.write_bytes(sound)
            if step == -1 and _distance(path, i) == 0:
                continue
            forge(path, entries=change)
            with zm.Table(path, rules) as table, pytest.raises(CertificateError):
                table.verify()
            changed += 1
    assert changed > 3 * len(present)


def _distance(path, i):
    with TableFile(path) as table:
        return int(table.block(0).distance[i])


@pytest.mark.slow
def test_conversions_in_a_circle_prove_no_label(tmp_path):
    """0 and 1 move to each other by conversions: a draw, though the distances 1 and 1 fit."""
    rules, path = arrays("back", "converts", edges=[(0, 1), (1, 0)], n=2), tmp_path / "t.zt"
    assert rules.converts(0, SPREAD)
    assert rules.converts(SPREAD, 0)
    zm.build(rules, path, check=False, distances="conversion").close()

    def change(kind, distance, keys):
        kind[:], distance[:] = (KIND_WIN, KIND_LOSE_IN), 1

    counts = {"win": 1, "lose": 1, "draw": 0, "longest_win": 1, "longest_lose": 1}
    forge(path, lambda header: header["counts"].update(counts), change)
    message = "support one another in a circle"
    with zm.Table(path, rules) as table, pytest.raises(CertificateError, match=message):
        table.verify()


@pytest.mark.slow
def test_counts_in_the_header_are_counted_again(tmp_path):
    rules, path = made(SETS[3], 1, 24), tmp_path / "t.zt"
    zm.build(rules, path, check=False, distances="conversion").close()
    forge(path, lambda header: header["counts"].update(longest_win=99))
    with zm.Table(path, rules) as table, pytest.raises(CertificateError, match="longest_win 99"):
        table.verify()


# -------------------------------------------------------------------- chess


def test_what_converts_in_chess():
    rules = Chess("KPvKP")
    here = rules.parse("4k3/8/8/8/2pP4/8/8/4K3 b - d3 0 1")
    names = {rules.describe(here, x): rules.converts(here, x) for x in rules.options(here)}
    assert {name for name, converts in names.items() if converts} == {"c3", "cxd3"}
    before = rules.parse("4k3/8/8/8/2p5/8/3P4/4K3 w - - 0 1")
    names = {rules.describe(before, x): rules.converts(before, x) for x in rules.options(before)}
    assert {name for name, converts in names.items() if converts} == {"d3", "d4"}


@pytest.mark.slow
@pytest.mark.compiled
def test_the_longest_conversion_of_queen_against_rook():
    """By the statistics of the generator of Syzygy tables, DTZ 31 moves: 61 and 62 plies."""
    counts = solve_rules(zm.game("chess:KQvKR"), distances="conversion").counts()
    assert (counts["longest_win"], counts["longest_lose"]) == (61, 62)
