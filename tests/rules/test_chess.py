"""Chess endgames: moves, move by move, against the library ``chess``; un-moves, index, FEN."""

import random

import chess
import numpy as np
import pytest

from zermelo.errors import InvalidOptionError
from zermelo.rules.chess.endgame import Chess
from zermelo.rules.chess.index import BOARD, MATERIAL, SIDE
from zermelo.rules.compiled import NO_POSITION, OPEN
from zermelo.rules.loading.games import game

MATERIALS = [
    "KvK",
    "KQvK",
    "KRvK",
    "KBvK",
    "KNvK",
    "KPvK",
    "KQvKR",
    "KRvKR",
    "KBNvK",
    "KBBvK",
    "KNNvK",
    "KPvKP",
    "KRvKP",
    "KPPvK",
    "KQPvK",
    "KRBvKR",
    "KQQvKQ",
    "KPPvKP",
    "KRPvKN",
    "KPPPvK",
    "KNNNvK",
    "KQvKRB",
    "KRPvKP",
    "KNPvKP",
    "KBvKPP",
]
PAWNS_ON_BOTH_SIDES = ["KPvKP", "KPPvKP", "KRPvKP", "KPvKQP"]


def normal(board):
    """What of a board a position has: the right to capture en passant if a pawn is there to."""
    ep = board.ep_square if board.has_pseudo_legal_en_passant() else None
    return board.board_fen(), board.turn, ep


def read(rules, position):
    return normal(chess.Board(rules.show(position)))


def listed(rules, method, most, position):
    out = np.full(most + 1, -7, np.int64)
    count = method(position, out)
    assert count <= most
    assert (out[count:] == -7).all()
    return out[:count].tolist()


def moves(rules, position):
    return listed(rules, rules.moves, rules.most_moves, position)


def unmoves(rules, position):
    return listed(rules, rules.unmoves, rules.most_unmoves, position)


def sample(rules, many, seed):
    """Positions of all tiers, half of them of the highest."""
    rng = random.Random(seed)
    found = []
    while len(found) < many:
        first = int(rules.offset[-2]) if len(found) % 2 else 0
        position = int(rules.unrank(rng.randrange(first, rules.size)))
        if position != NO_POSITION:
            found.append(position)
    return found


def sample_passing(rules, many, seed):
    """Positions in which a pawn may be captured en passant."""
    rng = random.Random(seed)
    found = []
    while len(found) < many:
        turn = rng.random() < 0.5
        rank, file = (4 if turn else 3), rng.randrange(7)
        pawns = rng.sample([file, file + 1], 2)
        board = chess.Board.empty()
        board.turn = turn
        board.ep_square = chess.square(pawns[0], 5 if turn else 2)
        behind = chess.square(pawns[0], 6 if turn else 1)
        for x, colour in zip(pawns, (not turn, turn), strict=True):
            board.set_piece_at(chess.square(x, rank), chess.Piece(chess.PAWN, colour))
        for letters, colour in zip(rules.material, (True, False), strict=True):
            for letter in "K" + letters.replace("P", "", 1):
                free = {*range(64)} - {*board.piece_map(), board.ep_square, behind}
                at = rng.choice(sorted(free))
                kind = chess.PIECE_SYMBOLS.index(letter.lower())
                board.set_piece_at(at, chess.Piece(kind, colour))
        try:
            found.append(rules.parse(board.fen(en_passant="fen")))
        except InvalidOptionError:
            continue
    return found


def check(rules, position):
    """All answers about one position."""
    assert rules.parse(rules.show(position)) == position
    board = chess.Board(rules.show(position))
    odd = chess.STATUS_TOO_MANY_CHECKERS | chess.STATUS_IMPOSSIBLE_CHECK
    assert not board.status() & ~odd, board.fen()
    expected = set()
    for move in board.legal_moves:
        board.push(move)
        expected.add(normal(board))
        board.pop()
    found = moves(rules, position)
    assert len(found) == len(expected)
    assert {read(rules, x) for x in found} == expected
    result = OPEN if expected else -1 if board.is_check() else 0
    assert rules.outcome(position) == result
    for x in found:
        assert rules.tier(x) <= rules.tier(position)
        assert rules.unrank(rules.rank(x)) == rules.canonical(x)
        if rules.tier(x) == rules.tier(position):
            assert position in unmoves(rules, x)
    for x in unmoves(rules, position):
        assert rules.unrank(rules.rank(x)) == rules.canonical(x)
        assert position in moves(rules, x)


@pytest.mark.sampled(cases=6)
@pytest.mark.slow("KQQvKQ", "KQvKRB", "KRBvKR")
@pytest.mark.parametrize("men", MATERIALS)
def test_moves_and_unmoves_are_those_of_chess(men):
    rules = Chess(men)
    for position in sample(rules, 60, seed=men):
        check(rules, position)


@pytest.mark.slow("KPvKQP")
@pytest.mark.parametrize("men", PAWNS_ON_BOTH_SIDES)
def test_capturing_en_passant(men):
    rules = Chess(men)
    boards = []
    for position in sample_passing(rules, 40, seed=men):
        check(rules, position)
        check(rules, int(rules.canonical(position)))
        boards.append(chess.Board(rules.show(position)))
    assert all(board.has_pseudo_legal_en_passant() for board in boards)
    assert sum(board.has_legal_en_passant() for board in boards) > 20


@pytest.mark.parametrize("men", MATERIALS)
def test_indices_before_one(men):
    """Those of the same material, each once; also where two might have the same index."""
    rules = Chess(men)
    doubtful = [x for x in sample(rules, 600, seed=f"{men}/") if not rules.differ(x, 1)][:20]
    for position in [*sample(rules, 40, seed=f"{men}<"), *doubtful]:
        before = listed(rules, rules.unmoves, rules.most_unmoves, position)
        index = int(rules.rank(position))
        out = np.zeros(rules.most_unmoves, np.int64)
        found = out[: rules.unmoves_by_index(index, out)]
        tier = rules.tier(position)
        assert sorted(found) == sorted({rules.rank(x) for x in before if rules.tier(x) == tier})


@pytest.mark.sampled(cases=11)
@pytest.mark.parametrize("men", MATERIALS)
def test_moves_that_differ(men):
    rules = Chess(men)
    differ = [x for x in sample(rules, 600, seed=f"{men}=") if rules.moves_differ(x)]
    assert len(differ) > 300
    for position in differ:
        after = [rules.canonical(x) for x in moves(rules, position)]
        assert len(set(after)) == len(after)


def test_a_king_and_a_queen_may_lead_to_the_same_index():
    rules = Chess("KQvK")
    position = rules.parse("7k/8/8/8/Q7/8/8/1K6 w - - 0 1")
    after = [rules.parse(f"{x} b - - 0 1") for x in ("7k/8/8/8/8/8/8/1K1Q4", "7k/8/8/8/Q7/8/K7/8")]
    assert set(after) <= set(moves(rules, position))
    assert rules.rank(after[0]) == rules.rank(after[1])
    assert not rules.moves_differ(position)


def perft(rules, position, depth):
    if depth == 0:
        return 1
    return sum(perft(rules, x, depth - 1) for x in moves(rules, position))


def perft_of_chess(board, depth):
    if depth == 0:
        return 1
    total = 0
    for move in board.legal_moves:
        board.push(move)
        total += perft_of_chess(board, depth - 1)
        board.pop()
    return total


@pytest.mark.parametrize(
    "fen",
    [
        "8/3p4/8/2P1k3/8/8/4K3/8 b - - 0 1",
        "8/8/8/8/k2Pp2R/8/8/4K3 b - d3 0 1",  # capturing en passant would lay the king open
        "3r4/2P5/8/8/8/k7/8/K7 w - - 0 1",
        "8/2p5/8/KP5r/8/8/8/6k1 w - - 0 1",
        "7k/8/8/8/1p6/8/P1P5/K7 w - - 0 1",
    ],
)
def test_perft(fen):
    board = chess.Board(fen)
    sides = [
        "".join(p.symbol().upper() for p in board.piece_map().values() if p.color == colour)
        for colour in (True, False)
    ]
    rules = Chess("v".join("K" + side.replace("K", "") for side in sides))
    for depth in (1, 2, 3):
        assert perft(rules, rules.parse(fen), depth) == perft_of_chess(board, depth)


@pytest.mark.parametrize("men", MATERIALS)
def test_symmetry_and_index(men):
    rules = Chess(men)
    turns = [chess.flip_vertical, chess.flip_diagonal, chess.flip_anti_diagonal]
    for position in sample(rules, 40, seed=f"{men}!"):
        assert rules.canonical(position) == position
        index = rules.rank(position)
        assert rules.unrank(index) == position
        board = chess.Board(rules.show(position))
        boards = [board]
        if not rules.pawns[position >> MATERIAL]:
            boards += [board.transform(turn) for turn in turns]
        boards += [x.transform(chess.flip_horizontal) for x in boards]
        images = set()
        for x in boards:
            assert rules.rank(rules.parse(x.fen())) == index
            assert rules.rank(rules.parse(x.mirror().fen())) == index
            images.add(normal(x))
            if rules.even[position >> MATERIAL]:
                images.add(normal(x.mirror()))
        assert len(images) == rules.orbit(position)


@pytest.mark.slow
def test_every_index_is_a_position_or_none():
    rules = Chess("KPvK")
    seen = {}
    for index in range(0, rules.size, 7):
        position = int(rules.unrank(index))
        if position != NO_POSITION:
            assert rules.rank(position) == index
            assert seen.setdefault(position, index) == index


@pytest.mark.parametrize(
    ("men", "tiers", "highest"),
    # 462 pairs of kings without pawns, 1806 with; twice for the side to move
    [
        ("KRvK", 2, 462 * 64 * 2),
        ("KQvKR", 4, 462 * 64**2 * 2),
        ("KBBvK", 3, 462 * 2016 * 2),
        ("KRvKR", 3, 462 * 64**2),
        ("KPvK", 6, 1806 * 48 * 2),
        ("KPvKP", 21, 1806 * 56**2),
        ("KRBvKR", 7, 462 * 64**3 * 2),
    ],
)
def test_sizes(men, tiers, highest):
    rules = Chess(men)
    assert len(rules.offset) == tiers + 1
    assert rules.size - rules.offset[-2] == highest


def test_the_start_is_a_position():
    for men in MATERIALS:
        rules = Chess(men)
        start = rules.start()
        assert rules.parse(rules.show(start)) == start
        assert rules.tier(start) == len(rules.offset) - 2
        assert chess.Board(rules.show(start)).is_valid()


def test_either_colour_may_be_the_stronger():
    rules = game("chess:KvKR")
    assert str(rules.material) == "KRvK"
    black = rules.parse("8/8/8/8/8/2K5/8/k6r b - - 0 1")
    assert rules.show(black) == "8/8/8/8/8/2K5/8/k6r b - - 0 1"
    assert rules.rank(black) == rules.rank(rules.parse("K6R/8/2k5/8/8/8/8/8 w - - 0 1"))


def test_a_capture_that_nobody_can_make_is_forgotten():
    rules = Chess("KPvKP")
    fen = "4k3/p7/8/8/3P4/8/8/4K3 b - {} 0 1"
    assert rules.show(rules.parse(fen.format("d3"))) == fen.format("-")


@pytest.mark.parametrize(
    ("fen", "complaint"),
    [
        ("8/8/8/8/8/2k5/8/K6R w K - 0 1", "right to castle"),
        ("8/8/8/8/8/2k5/8/K6R x - - 0 1", "w or b"),
        ("8/8/8/8/8/2k5/8/K6Q w - - 0 1", "expected men of KRvK"),
        ("8/8/8/8/8/2k5/8/K5RR w - - 0 1", "expected men of KRvK"),
        ("8/8/8/8/8/8/1k6/K6R w - - 0 1", "kings apart"),
        ("8/8/8/8/8/2k4R/8/K7 w - - 0 1", "Black out of check"),
        ("8/8/8/8/8/2k5/8/7R w - - 0 1", "one king of each colour"),
        ("8/8/8/8/8/2k5/K6R w - - 0 1", "8 ranks of 8 squares"),
        ("8/8/8/8/8/2k6/8/K6R w - - 0 1", "8 ranks of 8 squares"),
        ("8/8/8/8/8/2k5/8/K6X w - - 0 1", "a man or a number"),
        ("8/8/8/8/8/2k5/8/K6R w - e3 0 1", "just passed"),
        ("8/8/8/8/8/2k5/8/K6R w - z9 0 1", "just passed"),
        ("P7/8/8/8/8/2k5/8/K7 w - - 0 1", "no pawn on the first or last rank"),
        ("K6R", "a position in FEN"),
        ("", "a position in FEN"),
    ],
)
def test_faulty_positions_are_refused(fen, complaint):
    with pytest.raises(InvalidOptionError, match=complaint):
        Chess("KRvK").parse(fen)


@pytest.mark.parametrize("men", ["", "KR", "KRvKQvK", "RvK", "KQQQQvK", "KXvK", "3"])
def test_faulty_men_are_refused(men):
    with pytest.raises(InvalidOptionError, match="expected"):
        Chess(men)


def test_pictures():
    rules = Chess("KRvK")
    picture = rules.draw(rules.parse("8/8/8/8/8/2k5/8/K6R w - - 0 1"))
    assert picture.startswith("<svg")
    assert picture.count("<rect") == 64
    men = ["white king", "white rook", "black king", "black rook"]
    assert [picture.count(f'aria-label="{x}"') for x in men] == [1, 1, 1, 0]
    assert "White to move" in picture


def test_positions_are_no_more_than_63_bits():
    rules = Chess("KPPvKP")
    assert max(rules.tables.number.values()) << MATERIAL | 1 << SIDE | BOARD < 2**62


def test_diagrams():
    rules = Chess("KRvK")
    lines = rules.diagram(rules.parse("8/8/8/8/8/2k5/8/K6R w - - 0 1")).splitlines()
    assert lines[5:8] == ["3  . . k . . . . .", "2  . . . . . . . .", "1  K . . . . . . R"]
