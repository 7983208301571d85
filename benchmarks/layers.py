"""The layers of the package, and what the source says about them: who imports whom, who names whom.

    python benchmarks/layers.py

writes ``docs/images/layers.svg``, the picture in ``docs/architecture.md``. The tests of the
architecture and ``structure.py`` use the same functions.

A *package* here is a folder or a module directly in ``src/zermelo``. A module may import its own
layer and those below, inside functions, too.
"""

import ast
import functools
import io
import re
import tokenize
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).parents[1]
SOURCE = ROOT / "src" / "zermelo"
PICTURE = ROOT / "docs" / "images" / "layers.svg"

LAYERS = [
    {"labels", "errors", "_version"},
    {"_runtime"},
    {"_kernels", "_inputs", "registry", "plots"},
    {"_diagrams", "graph", "objectives"},
    {"game", "plant"},
    {"solutions"},
    {"rules", "verify"},
    {
        "solvers",
        "sums",
        "partizan",
        "matching",
        "synthesis",
        "formats",
        "generators",
        "trace",
        "transform",
        "tables",
        "mu_calculus",
    },
    {"engines"},
    {"planning"},
    {"solve"},
    {"draw", "play", "testing"},
    {"web"},
    {"cli"},
    {"__init__", "__main__"},
]
"""The packages from the bottom up."""

LAYER_OF = {name: k for k, names in enumerate(LAYERS) for name in names}

FRONT = {"draw", "play", "web", "cli"}
"""Packages that nothing below them names, not even in a row of a table."""


def modules() -> list[Path]:
    """The files of the package."""
    return sorted(SOURCE.rglob("*.py"))


def package(path: Path) -> str:
    """The package that a file belongs to."""
    return path.relative_to(SOURCE).parts[0].removesuffix(".pyi").removesuffix(".py")


@functools.cache
def tree_of(path: Path) -> ast.Module:
    """The syntax tree of a file."""
    return ast.parse(path.read_text())


@functools.cache
def imports(path: Path) -> list[str]:
    """Full names of what a module imports, in functions, too, but not for types alone."""
    found = []
    tree = tree_of(path)
    typing_only = {
        id(x)
        for node in ast.walk(tree)
        if isinstance(node, ast.If) and "TYPE_CHECKING" in ast.unparse(node.test)
        for x in ast.walk(node)
    }
    for node in ast.walk(tree):
        if id(node) in typing_only:
            continue
        if isinstance(node, ast.Import):
            found += [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom) and node.module:
            found.append(node.module)
            found += [f"{node.module}.{alias.name}" for alias in node.names]
    return found


def docstrings(tree: ast.Module) -> Iterator[ast.Constant]:
    """The texts that stand alone as statements: descriptions of modules, functions and names."""
    for node in ast.walk(tree):
        body = getattr(node, "body", None)
        for child in body if isinstance(body, list) else ():
            value = child.value if isinstance(child, ast.Expr) else None
            if isinstance(value, ast.Constant) and isinstance(value.value, str):
                yield value


class Reference(NamedTuple):
    """A text in the code that names a module of a higher layer."""

    path: Path
    line: int
    name: str
    """The package that is named."""

    @property
    def is_row(self) -> bool:
        """Whether it is a plug-in's row of a table, which may name what is not the front."""
        return package(self.path) == "registry" and self.name not in FRONT


@functools.cache
def upward_references() -> tuple[Reference, ...]:
    """All texts in the code, docstrings excluded, that name a module of a higher layer."""
    found = []
    for path in modules():
        tree, mine = tree_of(path), LAYER_OF[package(path)]
        documentation = {id(x) for x in docstrings(tree)}
        for node in ast.walk(tree):
            text = node.value if isinstance(node, ast.Constant) else None
            if isinstance(text, str) and id(node) not in documentation:
                names = re.findall(r"\bzermelo\.(\w+)", text)
                above = [name for name in names if LAYER_OF.get(name, 0) > mine]
                found += [Reference(path, node.lineno, name) for name in above]
    return tuple(found)


def private_imports() -> list[tuple[str, str]]:
    """Imports of names and modules that begin with ``_`` from outside of the package they are in.

    The private packages directly in ``src/zermelo``, such as ``_runtime``, belong to all of it.
    """
    found = set()
    for path in modules():
        home = ".".join(("zermelo", *path.relative_to(SOURCE).parent.parts))
        for name in imports(path):
            parts = name.split(".")
            for k in range(2, len(parts) if parts[0] == "zermelo" else 0):
                owner = ".".join(parts[:k])
                inside = home == owner or home.startswith(owner + ".")
                if parts[k].startswith("_") and not parts[k].startswith("__") and not inside:
                    found.add((str(path.relative_to(SOURCE)), name))
    return sorted(found)


def code_lines(path: Path) -> int:
    """The lines of a file that have code: without docstrings, comments and blank lines."""
    ignored = (tokenize.COMMENT, tokenize.NL, tokenize.NEWLINE, tokenize.INDENT, tokenize.DEDENT,
               tokenize.ENDMARKER)  # fmt: skip
    lines: set[int] = set()
    for token in tokenize.generate_tokens(io.StringIO(path.read_text()).readline):
        if token.type not in ignored:
            lines.update(range(token.start[0], token.end[0] + 1))
    for text in docstrings(tree_of(path)):
        lines -= {*range(text.lineno, (text.end_lineno or text.lineno) + 1)}
    return len(lines)


# ------------------------------------------------------------------ the picture


def arrows() -> set[tuple[str, str]]:
    """Which package imports which one of a lower layer; ``__init__`` does so in its stub."""
    found = set()
    for path in (*modules(), SOURCE / "__init__.pyi"):
        mine = package(path)
        for name in imports(path):
            parts = name.split(".")
            other = parts[1] if parts[0] == "zermelo" and len(parts) > 1 else ""
            if LAYER_OF.get(other, len(LAYERS)) < LAYER_OF[mine]:
                found.add((mine, other))
    return found


def direct_arrows() -> set[tuple[str, str]]:
    """The arrows that do not follow from others: A → C is left out if A → B and B → C are there."""
    every = arrows()
    below: dict[str, set[str]] = {}
    for names in LAYERS:
        for name in names:
            direct = {b for a, b in every if a == name}
            below[name] = direct.union(*(below[b] for b in direct))
    return {
        (a, b) for a, b in every if not any(b in below[c] for x, c in every if x == a and c != b)
    }


WIDTH, LEFT, BAND, BOX = 1180, 190, 66, 28
"""The width of the picture, where the boxes begin, and the heights of a layer and of a box."""

SWEEPS = 8
"""How often the boxes of all layers are sorted by the places of what they are connected with."""

MEANING = (
    "names, numbers, errors", "what runs kernels", "kernels, input, tables", "graphs, objectives",
    "games", "answers", "rules, checkers", "algorithms", "beyond the memory", "what a job takes",
    "one way to solve", "pictures, play, kit", "explorer", "command", "public names",
)  # fmt: skip
"""What each layer is about, from the bottom up."""


def places() -> dict[str, tuple[float, float]]:
    """The middle of each box; boxes are sorted so that arrows are short."""
    found = direct_arrows()
    rows = [sorted(names) for names in LAYERS]
    x: dict[str, float] = {}

    def spread(row: list[str]) -> None:
        free = (WIDTH - LEFT - 20 - sum(map(width, row))) / (len(row) + 1)
        at = LEFT + free
        for name in row:
            x[name] = at + width(name) / 2
            at += width(name) + free

    for row in rows:
        spread(row)
    for k in range(SWEEPS):
        for row in rows if k % 2 else rows[::-1]:
            mean = {}
            for name in row:
                others = [x[b] for a, b in found if a == name]
                others += [x[a] for a, b in found if b == name]
                mean[name] = sum(others) / len(others) if others else x[name]
            row.sort(key=lambda name: (mean[name], name))
            spread(row)
    top = BAND * (len(LAYERS) - 1)
    return {name: (x[name], top - BAND * LAYER_OF[name] + BAND / 2) for name in LAYER_OF}


def width(name: str) -> float:
    """The width of a box."""
    return 18 + 7.4 * len(label(name))


def picture() -> str:
    """The picture of the layers as SVG."""
    at, bands, boxes, lines = places(), [], [], []
    for k in range(len(LAYERS)):
        top = BAND * (len(LAYERS) - 1 - k)
        shade = "#f2f5f7" if k % 2 else "#ffffff"
        bands.append(
            f'<rect x="0" y="{top}" width="{WIDTH}" height="{BAND}" fill="{shade}"/>'
            f'<text x="12" y="{top + BAND / 2 + 4:g}">{k + 1}  {MEANING[k]}</text>'
        )
    for name, (x, y) in sorted(at.items()):
        boxes.append(
            f'<rect x="{x - width(name) / 2:.1f}" y="{y - BOX / 2:g}" width="{width(name):.1f}" '
            f'height="{BOX}" rx="5"/><text x="{x:.1f}" y="{y + 4.5:g}">{label(name)}</text>'
        )
    for a, b in sorted(direct_arrows()):
        (x1, y1), (x2, y2) = at[a], at[b]
        y1, y2 = y1 + BOX / 2, y2 - BOX / 2 - 2
        bend = min((y2 - y1) / 2, BAND)
        lines.append(
            f'<path d="M{x1:.1f} {y1:g}C{x1:.1f} {y1 + bend:g} {x2:.1f} {y2 - bend:g} '
            f'{x2:.1f} {y2:g}"/>'
        )
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {BAND * len(LAYERS)}" '
            'role="img" aria-label="The layers of zermelo and the imports between packages">',
            "<style>text{font:13px sans-serif;fill:#1b2a33}.layers text{fill:#5c6f7b}"
            ".boxes rect{fill:#fff;stroke:#33566b}.boxes text{text-anchor:middle}"
            ".arrows path{fill:none;stroke:#6f93a8;marker-end:url(#head)}</style>",
            '<marker id="head" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" '
            'markerHeight="7" orient="auto"><path d="M0 0L8 4L0 8z" fill="#6f93a8"/></marker>',
            '<g class="layers">', *bands, "</g>",
            '<g class="arrows">', *lines, "</g>",
            '<g class="boxes">', *boxes, "</g>",
            "</svg>\n",
        ]
    )  # fmt: skip


def label(name: str) -> str:
    """How the picture names a package: folders end with a slash."""
    return f"{name}/" if (SOURCE / name).is_dir() else name


if __name__ == "__main__":
    PICTURE.write_text(picture())
    print(PICTURE.relative_to(ROOT))
