"""The checker of tables finds every single wrong entry, on disk and in memory."""

import numpy as np
import pytest
from tests.tables.forged import claims, forged
from tests.tables.test_build import KINDS, Indexed, Sparse
from tests.tables.test_forged import fewer, forge, without

import zermelo as zm
from zermelo.errors import CertificateError
from zermelo.rules.compiled import CompiledRules
from zermelo.tables.solving.solve import solve_rules
from zermelo.tables.storage.codes import KIND_ABSENT, bits_of, pack
from zermelo.verify.tables import compiled as compiled_table

COMPILED = [kind for kind in KINDS if issubclass(kind, CompiledRules)]
N, END = 14, 11


def other_entries(label, distance):
    """All labels with other distances, and a wrong one of each kind with and without distance."""
    pairs = [(x, d) for x in (-1, 0, 1) for d in (-1, 0, distance, distance + 2)]
    return [pair for pair in dict.fromkeys(pairs) if pair != (label, distance)]


@pytest.mark.parametrize("kind", COMPILED, ids=lambda kind: kind.__name__)
def test_every_entry_in_memory(kind):
    solved = solve_rules(kind(N, END))
    assert solved.verify().verified == len(solved)
    label, distance = claims(solved)
    for i in np.flatnonzero(solved.entry).tolist():
        for changed in other_entries(int(label[i]), int(distance[i])):
            entry = solved.entry.copy()
            entry[i] = pack(*(np.array([x]) for x in changed))[0]
            assert bits_of(entry) == 14
            with pytest.raises(CertificateError):
                forged(solved, entry=entry).verify()
        entry = solved.entry.copy()
        entry[i] = 0
        with pytest.raises(CertificateError):
            forged(solved, entry=entry).verify()


@pytest.mark.parametrize("kind", COMPILED, ids=lambda kind: kind.__name__)
def test_every_kind_on_disk(kind, tmp_path):
    rules, path = kind(N, END), tmp_path / "t.zt"
    zm.build(rules, path).close()
    honest = path.read_bytes()
    with zm.Table(path, rules) as table:
        places = sorted(table.look_up(x.position)[2] for x in table)
    for i in places:
        path.write_bytes(honest)

        def change(kinds, distance, keys, i=i):
            kinds[i] = (kinds[i] + 1) % KIND_ABSENT
            distance[i] = max(0, distance[i])

        forge(path, entries=change)
        with zm.Table(path, rules) as table, pytest.raises(CertificateError):
            table.verify()


class WholeIndex(Indexed):
    """The table has every position, also those that play does not reach."""

    reachable = False


class WholeSparse(Sparse):
    reachable = False


@pytest.mark.parametrize("kind", [WholeIndex, WholeSparse], ids=lambda kind: kind.__name__)
def test_a_position_that_no_move_leads_to(kind, tmp_path):
    """Only its index tells that it must have an entry."""
    rules, path = kind(N, END), tmp_path / "t.zt"
    zm.build(rules, path).close()
    led_to = {x for position in range(N) for x in rules.options(position)}
    lonely = max(set(range(N)) - led_to - {rules.start()})
    with zm.Table(path, rules) as table:
        assert table.verify().verified == len(table) == N
        value, place = table.probe(lonely).outcome, table.look_up(lonely)[2]
    forge(path, fewer(value), without(place))
    with zm.Table(path, rules) as table, pytest.raises(CertificateError, match="an entry of"):
        table.verify()


@pytest.mark.slow
@pytest.mark.compiled
@pytest.mark.parametrize("name", ["connect4:4x3", "tictactoe"])
def test_threads_find_what_one_thread_finds(name, monkeypatch):
    monkeypatch.setattr(compiled_table, "MAX_ENTRIES_OF_ONE_THREAD", 1)
    monkeypatch.setattr(compiled_table, "MIN_QUEUE_OF_THREADS", 2)
    monkeypatch.setattr(compiled_table, "POSITIONS_OF_A_CALL", 50)
    monkeypatch.setenv("ZERMELO_THREADS", "2")
    solved = solve_rules(zm.game(name))
    calls = []
    assert solved.verify(progress=lambda *x: calls.append(x)).verified == len(solved)
    assert calls[-1] == (len(solved), len(solved), "positions verified")
    entry = solved.entry.copy()
    i = int(np.flatnonzero(entry)[-3])
    entry[i] ^= entry.dtype.type(1)
    with pytest.raises(CertificateError, match="by the entries after its moves"):
        forged(solved, entry=entry).verify()
