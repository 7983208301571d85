"""The checker of kernels: NumPy, linear time, no code of the algorithm.

Let ``K`` be the claimed kernel and ``d`` the claimed depth. This is checked:

1. *Independent.* No move leads from ``K`` into ``K``.
2. *Absorbing.* From every position outside ``K`` a move leads into ``K``.
3. *Depth.* In ``K`` the depth is 1 + the greatest depth over the moves, or 0 without a move;
   outside it is 1 + the least depth over the moves into ``K``.

By 1 and 2, ``K`` is a kernel; by 3, it is the only one. Suppose that ``L`` is another kernel, and
take ``v`` of least depth that is in exactly one of the two. If ``v`` is in ``K`` and not in ``L``,
some move leads to a ``w`` in ``L``. By 3 the depth of ``w`` is less, so ``w`` is in ``K``, which
contradicts 1. If ``v`` is in ``L`` and not in ``K``, the move of 3 leads to a ``w`` in ``K`` of
less depth, so ``w`` is in ``L``, which contradicts 1 for ``L``. Depths are unique by the same
induction, so every wrong entry is found. (The proof does not need an acyclic graph; it holds
whenever such a depth exists.)
"""

from typing import TYPE_CHECKING

import numpy as np

from zermelo.verify.common.entries import check_array, refuse, row_blocks

if TYPE_CHECKING:
    from zermelo.sums.kernel import Kernel

_NONE = np.int32(2**31 - 1)


def check_kernel(kernel: "Kernel") -> None:
    """Raise :class:`~zermelo.errors.CertificateError` unless kernel and depths are right.

    >>> import dataclasses, numpy as np, zermelo as zm
    >>> k = zm.kernel(zm.Graph.from_edges([("a", "b")]))
    >>> check_kernel(k)
    >>> check_kernel(dataclasses.replace(k, mask=np.array([True, True])))
    Traceback (most recent call last):
    zermelo.errors.CertificateError: position 'a': expected no move inside the kernel, ...
    """
    graph, mask, depth = kernel.graph, kernel.mask, kernel.depth
    check_array("mask", mask, (graph.n,), np.bool_)
    check_array("depth", depth, (graph.n,), np.int32)
    bad = (depth < 0) | (depth >= graph.n)
    refuse(graph, bad, None, f"a depth 0 … {graph.n - 1}", "another")
    ends = graph.indptr[1:] == graph.indptr[:-1]
    refuse(graph, ends & ~mask, None, "to be in the kernel, because play ends there", "it is not")
    refuse(graph, ends & (depth != 0), None, "depth 0, because play ends there", "another")
    for rows, starts, _, targets in row_blocks(graph):
        inside, d = mask[targets], depth[targets]
        mine = mask[rows]
        touched = np.logical_or.reduceat(inside, starts)
        refuse(graph, mine & touched, rows, "no move inside the kernel", "it is in the kernel")
        refuse(graph, ~mine & ~touched, rows, "a move into the kernel", "it is outside")
        least = np.minimum.reduceat(np.where(inside, d, _NONE), starts)
        most = np.maximum.reduceat(d, starts)
        wrong = depth[rows] - 1 != np.where(mine, most, least)
        refuse(graph, wrong, rows, "1 + the depth after the best move", "another depth")
