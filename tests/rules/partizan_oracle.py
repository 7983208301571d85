"""Rules of partizan games once more, slow and plain: on the text of a board, square by square.

Each function takes rows of letters and a side (0 Left, 1 Right) and gives the texts that a move
leads to. No bits, no parts, no symmetry.
"""

STRAIGHT = [(0, 1), (0, -1), (1, 0), (-1, 0)]
DIAGONAL = [(1, 1), (1, -1), (-1, 1), (-1, -1)]


class Squares(dict):
    """Letters by (row, column); what is off the board is #."""

    def __init__(self, text):
        rows = text.split("/")
        super().__init__({(i, j): x for i, row in enumerate(rows) for j, x in enumerate(row)})
        self.size = len(rows), len(rows[0])

    def __missing__(self, place):
        return "#"

    def put(self, changes):
        rows, columns = self.size
        new = {**self, **changes}
        return "/".join("".join(new[i, j] for j in range(columns)) for i in range(rows))


def step(place, direction, times=1):
    return place[0] + times * direction[0], place[1] + times * direction[1]


def domineering(text, side):
    board = Squares(text)
    for place in board:
        other = step(place, [(1, 0), (0, 1)][side])
        if board[place] == "." == board[other]:
            yield board.put({place: "#", other: "#"})


def clobber(text, side):
    board = Squares(text)
    mine, others = ["lr", "rl"][side]
    for place in board:
        for direction in STRAIGHT:
            other = step(place, direction)
            if board[place] == mine and board[other] == others:
                yield board.put({place: ".", other: mine})


def painted(text, side, bad):
    """Col and Snort: ``bad[side]`` may no longer paint next to what side has painted."""
    board = Squares(text)
    for place in board:
        if board[place] in ("l.", "r.")[side]:
            changes = {place: "#"}
            for direction in STRAIGHT:
                other = step(place, direction)
                keeps = "rl"["lr".index(bad[side])]
                if other in board:
                    changes[other] = {".": keeps, bad[side]: "#"}.get(board[other], board[other])
            yield board.put(changes)


def col(text, side):
    return painted(text, side, "lr")


def snort(text, side):
    return painted(text, side, "rl")


def nogo(text, side):
    board = Squares(text)
    for place in board:
        if board[place] == ".":
            new = board.put({place: "lr"[side]})
            if all(air(Squares(new), x) for x in board):
                yield new


def air(board, place):
    """Whether the group of a man has an empty neighbour; other squares always do."""
    if board[place] not in "lr":
        return True
    group = [place]
    for x in group:
        for direction in STRAIGHT:
            other = step(x, direction)
            if board[other] == ".":
                return True
            if board[other] == board[place] and other not in group:
                group.append(other)
    return False


def konane(text, side):
    board = Squares(text)
    mine, others = ["lr", "rl"][side]
    for place in board:
        for direction in STRAIGHT:
            changes, now = {place: "."}, place
            while board[place] == mine and board[step(now, direction)] == others:
                changes[step(now, direction)] = "."
                now = step(now, direction, 2)
                if board[now] != ".":
                    break
                yield board.put({**changes, now: mine})


def amazons(text, side):
    board = Squares(text)
    queen = "lr"[side]
    for place in board:
        if board[place] == queen:
            for target in rays(board, place):
                moved = Squares(board.put({place: ".", target: queen}))
                for arrow in rays(moved, target):
                    yield moved.put({arrow: "#"})


def rays(board, place):
    for direction in STRAIGHT + DIAGONAL:
        now = step(place, direction)
        while board[now] == ".":
            yield now
            now = step(now, direction)


def fox_and_geese(text, side):
    board = Squares(text)
    for place in board:
        for direction in DIAGONAL:
            other = step(place, direction)
            up = direction[0] < 0 or side == 1
            if board[place] == "lr"[side] and board[other] == "." and up:
                yield board.put({place: ".", other: "lr"[side]})
