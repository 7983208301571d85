"""Arguments that nobody should give, and good ones with one thing changed."""

import contextlib
import math
from decimal import Decimal
from fractions import Fraction

import numpy as np

import zermelo as zm


def numbers():
    """Numbers of all kinds, most of them out of every range."""
    found = [
        0,
        1,
        -1,
        2,
        3,
        7,
        255,
        2**31 - 1,
        2**31,
        2**40,
        2**63,
        2**64,
        -(2**63),
        10**30,
        10**400,
    ]
    found += [0.0, -0.0, 1.5, 1e308, math.nan, math.inf, -math.inf, 1j, True, False]
    found += [Fraction(1, 3), Decimal("0.1"), Decimal("1e999999"), Decimal("nan")]
    for kind in (np.int8, np.uint8, np.int16, np.uint16, np.int32, np.uint32, np.int64, np.uint64):
        found += [kind(0), kind(1), kind(np.iinfo(kind).max), kind(np.iinfo(kind).min)]
    found += [np.float32(0.5), np.float64("nan"), np.longdouble("0.1"), np.longdouble("1e4000")]
    found += [np.bool_(True), np.complex64(1), np.datetime64("2001-01-01"), np.float16(2)]
    return found


def texts():
    """Texts, short and long, with numbers that are written out, nests and repetitions."""
    found = ["", " ", "a", "0", "-1", "x" * 5000, "é", "\0", "\ud800", "a b", "none", "auto", "-"]
    found += ["1e999999999", "9" * 5000, "1/0", "1/3", "nan", "inf", "0x10", "1_000", "٣", "²"]
    found += ["(" * 3000, "{" * 3000, "{0|1}", "{" * 90 + "0|0" + "}" * 90, "*" + "9" * 30]
    found += [
        "*1000000",
        "1000000000.{2|1||0}",
        "{0*1000000|0}",
        "0.77",
        "all-but:999999999",
        "1,2",
    ]
    found += [
        "mu X. <>X",
        "!" * 5000 + "a",
        "Inf(0)",
        "Fin(0)&" * 50 + "t",
        "max even",
        "chess:KRvK",
    ]
    found += [
        "{1|-1}",
        "9" * 400 + ".{1|0}",
        "^^",
        "v" * 300,
        "1/2^40",
        "int(5,0)",
        "ON",
        "upon",
        "1,2",
    ]
    return found


def containers():
    """Lists, sets, mappings, generators; nested, recursive, ragged."""
    circle: list = []
    circle.append(circle)
    loop: dict = {}
    loop["a"] = loop
    found = [[], (), {}, set(), [0], [1, 0], (0, 1), {0: 1}, {0, 1}, frozenset([0]), [[0], [1, 2]]]
    found += [circle, loop, [[0, 1]], [(0, 1), (1, 2)], [(0,)], ["a", "b"], [None], [math.nan]]
    found += [iter([0, 1]), (x for x in range(3)), range(3), range(10**9, 10**9 + 2)]
    found += [b"ab", bytearray(b"ab"), memoryview(b"abc"), [True, False], [2**70], [-1], ["a", 1]]
    found += [{"a": 0}, {"a": [0]}, [0.5, 1], (0, 1, 2), [[]], [{}], [b"a"], {(): ()}]
    return found


def arrays():
    """Arrays of all types and shapes, some of which are not what they seem."""
    found = [
        np.zeros(s, t) for s in (0, 1, 3, (2, 2), (3, 1), ()) for t in (np.int64, np.int8, bool)
    ]
    found += [np.arange(4)[::-1], np.arange(12).reshape(3, 4).T, np.arange(9)[::3]]
    locked = np.arange(3)[:]
    locked.flags.writeable = False
    found += [locked, np.ma.masked_array([0, 1, 2], [0, 1, 0]), np.array([0, "a", None], object)]
    found += [
        np.array([(0, 1.0)], [("a", int), ("b", float)]),
        np.array(["a", "b"]),
        np.array([1j]),
    ]
    found += [np.arange(3).astype(">i8"), np.array([0, 1, 2], np.uint64), np.array([np.nan, 1, 2])]
    found += [np.full(3, 2**62), np.array([-1, 5, 10**6], np.int32), np.zeros(3, np.float16)]
    found += [
        np.zeros((0, 2), np.int64),
        np.broadcast_to(np.int64(1), 3),
        np.array([2**63], np.uint64),
    ]
    found += [np.array([0, 1, 2], np.longdouble), np.array(3), np.array(["2001"], "M8"), np.ones(3)]
    return found


def others():
    """Things of another kind altogether."""
    graph = zm.Graph.from_edges([(0, 1), (1, 0), (1, 2)])
    found = [None, object(), type, int, print, lambda *given: given[0] if given else None]
    found.append(lambda *given: len(*given))  # a frame of ours, so that its TypeError is known
    found += [
        lambda *given: None,
        lambda *given: math.nan,
        lambda *given: [0],
        Ellipsis,
        slice(0, 2),
    ]
    found += [
        graph,
        graph.with_owner([0, 1, 0]),
        zm.Graph.from_edges([]),
        zm.solve(graph),
    ]
    found += [zm.NormalPlay(), zm.Parity([0, 1]), zm.value("1/2"), zm.Infinite([0])]
    found += [(graph, 0), (graph, 9), (graph, zm.Misere()), zm.game("nim:2"), zm.Reach([5])]
    return found


def nasty(rng):
    """One of them all."""
    return rng.choice(rng.choice((numbers, texts, containers, arrays, others))())


def changed(rng, given):
    """A good argument with one thing changed, or something else instead."""
    if rng.random() < 0.5:
        return nasty(rng)
    if isinstance(given, np.ndarray) and given.dtype != object:
        return changed_array(rng, given)
    if isinstance(given, list | tuple) and given:
        k, items = rng.randrange(len(given)), list(given)
        if rng.random() < 0.3:
            items = items[:k] if rng.random() < 0.5 else [*items, items[k]]
        else:
            items[k] = changed(rng, items[k])
        return type(given)(items) if type(given) in (list, tuple) else items
    if isinstance(given, dict) and given:
        key = rng.choice(list(given))
        return {**given, key: changed(rng, given[key])}
    if isinstance(given, str) and given:
        k = rng.randrange(len(given) + 1)
        piece = rng.choice(
            ["0", "9" * 20, "{", "}", "(", ")", "|", ",", "*", "\0", "é", " ", "-", "1e9"]
        )
        return given[:k] + piece + given[k + rng.randrange(2) :]
    if isinstance(given, int) and not isinstance(given, bool):
        return rng.choice(
            [
                given + 1,
                -given,
                given - 1,
                np.uint8(given & 255),
                given + 0.5 if abs(given) < 2**50 else 0.5,
                given << 40,
            ]
        )
    return nasty(rng)


def changed_array(rng, given):
    """An array of another shape, type or content."""
    choice = rng.randrange(6)
    if choice == 0 and given.size:
        copy = given.copy()
        top = (
            1
            if copy.dtype == bool
            else int(np.iinfo(copy.dtype).max)
            if copy.dtype.kind in "iu"
            else 1
        )
        copy.reshape(-1)[rng.randrange(copy.size)] = rng.choice([0, 1, top, given.size])
        return copy
    if choice == 1:
        kind = rng.choice([np.int8, np.int64, np.uint32, np.float64, bool, object])
        with contextlib.suppress(TypeError, ValueError):
            return given.astype(kind)
        return given
    if choice == 2:
        return given[: rng.randrange(given.size + 1)] if given.ndim else given
    if choice == 3:
        return np.concatenate([given, given]) if given.ndim else given
    if choice == 4:
        return given.reshape(-1)[::-1]
    return np.zeros(rng.choice([0, 1, 2, 1000]), given.dtype)
