"""Moves of chess in SAN and UCI, against the library ``chess``; mates in words; FEN."""

import random

import chess
import pytest

from zermelo.errors import InvalidOptionError
from zermelo.rules.chess.endgame import Chess
from zermelo.rules.compiled import NO_POSITION

MATERIALS = [
    "KRvK",
    "KPvKP",
    "KQQvK",
    "KNNNvK",
    "KRRvKB",
    "KRPvKP",
    "KQvKRB",
    "KPPvKP",
    "KBBvKN",
    "KQQQvK",
]
PASSING = "8/8/8/3Pp3/8/8/1K6/5k2 w - e6 0 1"


def sample(rules, count, seed):
    chance = random.Random(seed)
    found = []
    while len(found) < count:
        position = rules.unrank(chance.randrange(rules.size))
        if position != NO_POSITION:
            found.append(position)
            found.append(rules.parse(chess.Board(rules.show(position)).mirror().fen()))
    return found


def readings(board, move):
    """Ways in which people write a move, and which mean no other move."""
    san = board.san(move)
    bare = san.rstrip("+#")
    found = {san, bare, bare + "!?", move.uci(), f" {san} ", bare.replace("=", "")}
    piece = board.piece_at(move.from_square).symbol().upper().replace("P", "")
    sign = "x" if board.is_capture(move) else "-"
    end = chess.square_name(move.to_square)
    end += chess.piece_symbol(move.promotion).upper() if move.promotion else ""
    found.add(piece + chess.square_name(move.from_square) + sign + end)
    return found


@pytest.mark.parametrize("men", MATERIALS)
def test_moves_are_written_and_read_as_in_chess(men):
    rules = Chess(men)
    extra = [rules.parse(PASSING)] if men == "KPvKP" else []
    for position in [*sample(rules, 15, seed=men), *extra]:
        board = chess.Board(rules.show(position))
        expected = {(board.san(move), move.uci()): move for move in board.legal_moves}
        options = {rules.move_names(position, x): x for x in rules.options(position)}
        assert options.keys() == expected.keys()
        assert {rules.describe(position, x) for x in options.values()} == {x for x, _ in expected}
        for names, move in expected.items():
            for text in readings(board, move):
                assert rules.parse_move(position, text) == options[names], (
                    rules.show(position),
                    text,
                )


def test_the_capture_en_passant():
    rules = Chess("KPvKP")
    position = rules.parse(PASSING)
    for text in ("dxe6", "d5e6", "dxe6 e.p.", "d5xe6"):
        assert rules.show(rules.parse_move(position, text)) == "8/8/4P3/8/8/8/1K6/5k2 b - - 0 1"


@pytest.mark.parametrize(
    ("fen", "text", "message"),
    [
        ("7k/8/8/8/8/8/1K6/R5R1 w", "Rd1", "Rd1 can be .*: write Rad1 or Rgd1"),
        ("7k/8/8/8/8/8/1K6/R5R1 w", "O-O", r"castling \(O-O\) is left out of endgames"),
        ("7k/8/8/8/8/8/1K6/R5R1 w", "0-0-0+", r"castling \(0-0-0\+\) is left out of endgames"),
        ("7k/8/8/8/8/8/1K6/R5R1 w", "Qd1", "there is no move 'Qd1' here; the moves are .*, …"),
        ("7k/8/8/8/8/8/1K6/R5R1 w", "d1", "there is no move 'd1' here"),
        ("7k/8/8/8/8/8/1K6/R5R1 w", "Rxd1", "there is no move 'Rxd1' here"),
        ("7k/8/8/8/8/8/1K6/R5R1 w", "a1d1q", "there is no move 'a1d1q' here"),
        ("7k/8/8/8/8/8/1K6/R5R1 w", "", "there is no move '' here"),
        ("7k/8/8/8/8/8/1K6/R5R1 w", "Kz9", "there is no move 'Kz9' here"),
        ("k6R/8/1K6/8/8/8/8/7R b", "Ka7", "there is no move 'Ka7' here; play is over"),
    ],
)  # fmt: skip
def test_moves_that_are_not_understood(fen, text, message):
    rules = Chess("KRRvK")
    with pytest.raises(InvalidOptionError, match=message):
        rules.parse_move(rules.parse(fen), text)


def test_a_promotion_says_what_the_pawn_becomes():
    rules = Chess("KPvK")
    position = rules.parse("8/P7/8/8/8/1k6/8/K7 w")
    with pytest.raises(InvalidOptionError, match="write a8=Q or a8=R or a8=B or a8=N"):
        rules.parse_move(position, "a8")
    assert rules.parse_move(position, "a8=n") == rules.parse_move(position, "a7a8N")


def test_a_letter_in_lower_case_is_a_pawn_first():
    rules = Chess("KBPvKR")
    position = rules.parse("8/8/8/8/8/2r3k1/1P1B4/K7 w")
    assert rules.describe(position, rules.parse_move(position, "bc3")) == "bxc3"
    assert rules.describe(position, rules.parse_move(position, "Bc3")) == "Bxc3"
    assert rules.describe(position, rules.parse_move(position, "kb1")) == "Kb1"


def test_lines_have_numbers():
    rules = Chess("KRvK")
    for fen, moves, expected in (
        ("1k6/8/1K6/8/8/8/8/7R w", "Rh7 Ka8 Rh8", "1. Rh7 Ka8 2. Rh8#"),
        ("1k6/8/1K6/8/8/8/8/7R b", "Ka8 Rh8", "1... Ka8 2. Rh8#"),
        ("1k6/8/1K6/8/8/8/8/7R b", "", ""),
    ):
        positions = [rules.parse(fen)]
        for move in moves.split():
            positions.append(rules.parse_move(positions[-1], move))
        assert rules.write_line(positions) == expected


@pytest.mark.parametrize(
    ("turn", "label", "distance", "expected"),
    [
        ("w", 1, 27, "White mates in 14 (27 plies)"),
        ("b", 1, 1, "Black mates in 1 (1 ply)"),
        ("b", -1, 6, "Black is mated in 3 (6 plies)"),
        ("w", -1, 0, "White is checkmated"),
        ("b", 0, -1, "draw"),
        ("b", 0, 0, "draw: Black is stalemated"),
        ("w", 0, 3, "draw"),
        ("w", 0, 1, "draw"),
    ],
)
def test_results_in_words(turn, label, distance, expected):
    rules = Chess("KRvK")
    position = rules.parse(f"8/8/8/8/8/2k5/8/K6R {turn}")
    assert rules.verdict(position, label, distance) == expected


def test_the_clock_of_the_fifty_move_rule():
    rules = Chess("KRvK")
    board = "8/8/8/8/8/2k5/8/K6R w - -"
    assert rules.parse(f"{board} 37 80") == rules.parse(f"{board} 37") == rules.parse(board)
    assert rules.remarks(f"{board} 0 1", 27) == rules.remarks(board, 27) == ()
    (ignored,) = rules.remarks(f"{board} 37 80", 27)
    assert ignored == "the clock of the fifty-move rule (37 plies) is ignored"
    (late,) = rules.remarks(f"{board} 90 80", 27)
    assert late.endswith("may be a draw before the end that is shown")
    assert rules.remarks(f"{board} 90 80", -1) == (
        "the clock of the fifty-move rule (90 plies) is ignored",
    )


@pytest.mark.parametrize(
    ("fen", "message"),
    [
        ("8/8/8/8/8/2k5/8/K6R", "expected the side to move, w or b, after the squares"),
        ("8/8/8/8/8/2k5/8/K6R w KQ - 0 1", "because castling is left out of endgames, got 'KQ'"),
        ("8/8/8/8/8/2k5/8/K6R w - e3 0 1", "expected the square that a pawn has just passed"),
        ("8/8/8/8/8/2k5/8/K6R w - - x 1", "expected a number of moves .*, got 'x'"),
        ("8/8/8/8/8/2k5/8/K6R w - - 0 -1", "expected a number of moves .*, got '-1'"),
        ("8/8/8/8/8/2k5/8/K6Q w - - 0 1", "expected men of KRvK, .*, got KQvK"),
    ],
)
def test_fens_that_cannot_be_answered(fen, message):
    with pytest.raises(InvalidOptionError, match=message):
        Chess("KRvK").parse(fen)


def test_what_is_left_out_is_said():
    assert "Castling and the fifty-move rule are left out" in Chess("KRvK").left_out
