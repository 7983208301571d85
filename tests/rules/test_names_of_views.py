"""Rules whose own names are those that views add: refused, unless nothing can be confused."""

import pytest

from zermelo.errors import InvalidRulesError
from zermelo.rules.compiled import CompiledRules
from zermelo.tables.solving.solve import solve_rules


class Steps(CompiledRules):
    """Take one or two from a heap."""

    most_moves = 2

    def __init__(self, n):
        self.n = self.size = n

    def start(self):
        return self.n - 1

    def moves(self, position, out):
        for k in range(min(2, position)):
            out[k] = self.less(position, k + 1)
        return min(2, position)

    def less(self, position, k):
        return position - k

    def rank(self, position):
        return position

    def unrank(self, index):
        return index


class OwnMethod(Steps):
    """A method with the name of one of the kernels' own, and with as many parameters."""

    def moves(self, position, out):
        for k in range(min(2, position)):
            out[k] = self.turns(position, k + 1)
        return min(2, position)

    def turns(self, position, k):
        return position - k


class OwnConstant(Steps):
    slot = 1

    def less(self, position, k):
        return position - k * self.slot


class OwnAttribute(Steps):
    def __init__(self, n):
        super().__init__(n)
        self.key = 1

    def less(self, position, k):
        return position - k * self.key


@pytest.mark.parametrize(("rules", "name"), [(OwnMethod, "turns"), (OwnConstant, "slot")])
def test_names_that_views_add_are_refused(rules, name):
    with pytest.raises(InvalidRulesError, match=rf"{rules.__name__}\.{name}: .* another name"):
        solve_rules(rules(9))


@pytest.mark.slow
def test_attributes_of_the_object_may_have_any_name():
    expected = solve_rules(Steps(9))
    assert solve_rules(OwnAttribute(9)).entry.tolist() == expected.entry.tolist()
    assert [expected.look_up(p)[0] for p in range(9)] == [-1, 1, 1] * 3
