"""Symmetries of boards of squares, as permutations of places x + width·y."""


def symmetries(width: int, height: int) -> list[tuple[int, ...]]:
    """All but the identity: three for a rectangle, seven for a square.

    >>> symmetries(2, 1)
    [(1, 0)]
    >>> len(symmetries(3, 3)), len(symmetries(3, 2))
    (7, 3)
    """
    squares = [(x, y) for y in range(height) for x in range(width)]
    w, h = width - 1, height - 1
    maps = [
        [(w - x, y) for x, y in squares],
        [(x, h - y) for x, y in squares],
        [(w - x, h - y) for x, y in squares],
    ]
    if width == height:
        maps.append([(y, x) for x, y in squares])
        maps += [[(y, x) for x, y in image] for image in maps[:3]]
    images = dict.fromkeys(tuple(x + width * y for x, y in image) for image in maps)
    return [image for image in images if image != tuple(range(width * height))]


def diagonal_symmetries(size: int) -> list[tuple[int, ...]]:
    """Those of a square that map each diagonal to itself, but for the identity.

    >>> diagonal_symmetries(2)
    [(3, 2, 1, 0), (0, 2, 1, 3), (3, 1, 2, 0)]
    """
    s = size - 1
    squares = [(x, y) for y in range(size) for x in range(size)]
    maps = (
        [(s - x, s - y) for x, y in squares],
        [(y, x) for x, y in squares],
        [(s - y, s - x) for x, y in squares],
    )
    return [tuple(x + size * y for x, y in image) for image in maps]
