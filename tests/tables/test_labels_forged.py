"""Labels that lie: the checker of tables without distances finds every wrong one."""

import itertools

import pytest
from tests.tables.games import SPREAD, arrays
from tests.tables.test_build import KINDS, Plain
from tests.tables.test_forged import forge

import zermelo as zm
from zermelo.errors import CertificateError
from zermelo.tables.storage.codes import KIND_LOST, KIND_WON
from zermelo.verify.tables.decoded import TIED

LABELS = {"win": (1, False), "lose": (-1, False), "tie": (0, True), "draw": (0, False)}
"""Label, and whether it is a tie."""

N = 25


class Forged(zm.Table):
    """A table that answers something else at some entries, and counts it."""

    wrong: dict[int, str]
    """The outcome at each of these entries."""

    @classmethod
    def build(cls, rules, path):
        zm.build(rules, path, check=False, verify=False, distances=False).close()
        table = cls(path, rules)
        table.wrong = {}
        table.right = {table.place(x.position): x.outcome for x in table}
        return table

    def place(self, position):
        return super().look_up_label(position)[2]

    def look_up_label(self, position):
        label, tied, number = super().look_up_label(position)
        return (
            (*LABELS[self.wrong[number]], number) if number in self.wrong else (label, tied, number)
        )

    def decoded(self):
        found = super().decoded()
        for number, outcome in self.wrong.items():
            found.label[number], tied = LABELS[outcome]
            found.distance[number] = TIED if tied else zm.NO_DISTANCE
        return found

    def counts(self):
        outcomes = list({**self.right, **self.wrong}.values())
        return {"positions": len(outcomes)} | {name: outcomes.count(name) for name in LABELS}

    def refuses(self, wrong, match=None):
        self.wrong = wrong
        with pytest.raises(CertificateError, match=match):
            self.verify()


@pytest.mark.slow
@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.__name__)
def test_every_flipped_label_is_found(kind, tmp_path):
    with Forged.build(kind(N, 17), tmp_path / "t.zt") as table:
        assert table.verify().verified == len(table)
        for place, right in table.right.items():
            for wrong in LABELS.keys() - {right}:
                table.refuses({place: wrong})


def every_labelling(rules, path):
    """The checker accepts one of all labellings."""
    with Forged.build(rules, path) as table:
        right = tuple(table.right.values())
        for labelling in itertools.product(LABELS, repeat=len(right)):
            if labelling != right:
                table.refuses(dict(zip(table.right, labelling, strict=True)))
        table.wrong = {}
        table.verify()


class Rings(zm.Rules):
    """Two rings of two positions; from one of them a move leads to a lost end."""

    def start(self):
        return 0

    def moves(self, position):
        return {0: [1], 1: [0, 2], 2: [1, 3], 3: []}[position]

    def outcome(self, position):
        return -1 if position == 3 else None


@pytest.mark.slow
def test_of_all_labels_of_plain_rules_one_is_accepted(tmp_path):
    every_labelling(Rings(), tmp_path / "t.zt")


@pytest.mark.slow
@pytest.mark.parametrize("pays", [-1, 0])
@pytest.mark.parametrize("members", [("ends",), ("ends", "index", "players")], ids="+".join)
def test_of_all_labels_of_compiled_rules_one_is_accepted(members, pays, tmp_path):
    edges, ends = [(0, 1), (1, 0), (1, 2), (2, 1), (2, 3)], [2, 2, 2, pays]
    rules = arrays(*members, edges=edges, n=4, ends=ends, players=[0, 1, 1, 0])
    every_labelling(rules, tmp_path / "t.zt")


# -------------------------------------------------------------------- circles

MEMBERS = [("ends",), ("ends", "back", "index"), ("ends", "index")]


@pytest.mark.slow
@pytest.mark.parametrize("members", MEMBERS, ids="+".join)
def test_wins_that_support_one_another_are_found(members, tmp_path):
    """Each label fits to the next one, but no end of play supports them."""
    rules = arrays(*members, edges=[(0, 1), (1, 0)], n=2, ends=[2, 2])
    path = tmp_path / "t.zt"
    with zm.build(rules, path, check=False, distances=False) as table:
        assert table.counts()["draw"] == 2
        places = [table.look_up(v * SPREAD)[2] for v in (0, 1)]

    def entries(kind, distance, keys):
        kind[places] = KIND_WON, KIND_LOST
        return kind, distance, keys

    forge(path, lambda header: header["counts"].update(win=1, lose=1, draw=0), entries)
    with zm.Table(path, rules) as table:
        assert table.verify(20).verified == 20  # no single entry is wrong
        with pytest.raises(CertificateError, match="support one another in a circle and no end"):
            table.verify()


@pytest.mark.slow
def test_plain_wins_that_support_one_another_are_found(tmp_path):
    class Ring(Rings):
        def moves(self, position):
            return [1 - position]

    with Forged.build(Ring(), tmp_path / "t.zt") as table:
        table.refuses({0: "win", 1: "lose"}, "is not proved, because the labels after its moves")


@pytest.mark.slow
def test_a_player_who_moves_again_is_no_proof(tmp_path):
    given = {"edges": [(0, 1), (1, 0)], "n": 2, "ends": [2, 2], "players": [0, 0]}
    with Forged.build(arrays("ends", "players", **given), tmp_path / "t.zt") as table:
        table.refuses(dict.fromkeys(table.right, "win"), "the value 1 is not proved")


@pytest.mark.slow
@pytest.mark.parametrize("members", MEMBERS, ids="+".join)
def test_ties_that_support_one_another_are_found(members, tmp_path):
    """Position 3 is a tied end; no play leads there from the ring of 1 and 2."""
    edges = [(0, 1), (1, 2), (2, 1), (0, 3)]
    rules = arrays(*members, edges=edges, n=4, ends=[2, 2, 2, 0])
    with Forged.build(rules, tmp_path / "t.zt") as table:
        assert [table.at(v * SPREAD).outcome for v in range(4)] == ["tie", "draw", "draw", "tie"]
        places = [table.place(v * SPREAD) for v in (1, 2)]
        table.refuses(dict.fromkeys(places, "tie"), "the value 0 is not proved")


@pytest.mark.slow("Indexed", "Walk")
@pytest.mark.parametrize("kind", [KINDS[0], KINDS[1], Plain], ids=lambda kind: kind.__name__)
def test_ties_and_draws_are_not_exchanged(kind, tmp_path):
    """All ties become draws."""
    with Forged.build(kind(N, 17), tmp_path / "t.zt") as table:
        ties = [place for place, outcome in table.right.items() if outcome == "tie"]
        assert ties
        table.refuses(dict.fromkeys(ties, "draw"))


@pytest.mark.parametrize("name", ["win", "lose", "tie", "draw"])
def test_counts(name, tmp_path):
    rules, path = KINDS[0](N, 17), tmp_path / "t.zt"
    zm.build(rules, path, check=False, verify=False, distances=False).close()
    forge(path, lambda header: header["counts"].update({name: header["counts"][name] + 1}))
    with zm.Table(path, rules) as table, pytest.raises(CertificateError, match="header counts"):
        table.verify()
