"""Which moves of compiled rules are conversions, for many moves at a time."""

from typing import Any

import numpy as np

from zermelo._kernels.tables.conversion import find_conversions
from zermelo._runtime.compiled.bind import bind
from zermelo.labels import AnyArray, Int64Array
from zermelo.rules.compiled import CompiledRules
from zermelo.rules.conversion import with_conversions
from zermelo.rules.views import Doubtful, view


class Conversions:
    """Tells which moves of compiled rules are conversions, many at a time."""

    def __init__(self, rules: CompiledRules) -> None:
        self._find = bind(find_conversions, view(with_conversions(rules), Doubtful))

    def among(self, before: Any, start: Int64Array, after: Any) -> AnyArray:
        """Which of the moves are conversions, from positions ``before`` to positions ``after``.

        >>> import zermelo as zm
        >>> rules = zm.game("chess:KPvK")
        >>> here = rules.parse("8/P7/8/8/8/1k6/8/K7 w - - 0 1")
        >>> options = np.array(rules.options(here))
        >>> Conversions(rules).among([here], np.array([0, options.size]), options).tolist()
        [False, True, True, True, True]
        """
        found = np.zeros(len(after), np.bool_)
        given = np.ascontiguousarray(before, np.int64)
        self._find(given, start, np.ascontiguousarray(after, np.int64), found)
        return found
