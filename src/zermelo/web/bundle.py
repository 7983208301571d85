"""The modules of the pages as one module, and their styles for one element: for notebooks.

A notebook loads a widget from one text of JavaScript. Each module becomes a function that returns
its exports, in the order in which they are imported. The address of the notebook is not ours, so
modules see a ``location`` and a ``history`` of their own, and an element whose name is taken, by
the same widget in another cell, is not defined again.
"""

import functools
import posixpath
import re
from pathlib import Path

STATIC = Path(__file__).parent / "static"

SCOPE = ".zermelo-widget"
"""The class of the element that the styles are for."""

PRELUDE = """\
const location = { hash: "", href: "" };
const history = { replaceState() {}, pushState() {} };
const customElements = {
  get: (name) => globalThis.customElements.get(name),
  define(name, type) {
    if (!this.get(name)) globalThis.customElements.define(name, type);
  },
};
"""

_IMPORT = re.compile(r'^import\s+(?:\{([^}]*)\}\s+from\s+)?"(\.[^"]+)";[^\S\n]*$', re.MULTILINE)
_EXPORT = re.compile(
    r"^export\s+((?:async\s+)?(?:function\s*\*?|class|const|let)\s+)(\w+)", re.MULTILINE
)
_OTHER = re.compile(r"^\s*(?:import\b|export\b)|\bimport\s*\(", re.MULTILINE)


@functools.cache
def bundle(entry: str) -> str:
    """One module with the default export ``{render}``, from a module that exports ``render``.

    >>> text = bundle("notebook/thermograph.js")
    >>> text.count("export default"), "import " in text
    (1, False)
    """
    parts = [_module(name) for name in ordered(entry)]
    return "\n".join(
        [PRELUDE, *parts, f"export default {{ render: {_variable(entry)}.render }};\n"]
    )


def ordered(entry: str) -> list[str]:
    """A module and all that it imports, as paths below ``static``; imported ones come first.

    >>> ordered("views/values-thermograph.js")
    ['dom.js', 'views/values-fractions.js', 'views/values-thermograph.js']
    """
    order: list[str] = []

    def visit(name: str, below: tuple[str, ...]) -> None:
        if name in order:
            return
        if name in below:
            raise ValueError(f"{name}: modules import each other: {' → '.join((*below, name))}")
        for _, target in imports(name):
            visit(target, (*below, name))
        order.append(name)

    visit(entry, ())
    return order


def imports(name: str) -> list[tuple[str, str]]:
    """What a module imports: names, as they are written in braces, and the path of a module.

    >>> imports("views/values-thermograph.js")[0]
    (' h, s ', 'dom.js')
    """
    folder = posixpath.dirname(name)
    return [
        (names or "", posixpath.normpath(posixpath.join(folder, path)))
        for names, path in _IMPORT.findall(_source(name))
    ]


@functools.cache
def _source(name: str) -> str:
    return (STATIC / name).read_text(encoding="utf-8")


def _variable(name: str) -> str:
    return "module_" + re.sub(r"\W", "_", name)


def _module(name: str) -> str:
    """A module as a function that is called at once and returns its exports."""
    source = _source(name)
    exported = [match[1] for match in _EXPORT.findall(source)]
    lines = [
        f"const {{{names.replace(' as ', ': ')}}} = {_variable(target)};"
        for names, target in imports(name)
        if names
    ]
    body = _EXPORT.sub(r"\1\2", _IMPORT.sub("", source))
    if (other := _OTHER.search(_without_comments(body))) is not None:
        raise ValueError(
            f"{name}: expected imports in braces and exports of functions, classes and constants "
            f"only, got {other[0].strip()!r}"
        )
    inner = "\n".join([*lines, body.strip(), f"return {{ {', '.join(exported)} }};"])
    return f"const {_variable(name)} = (() => {{\n{inner}\n}})();"


def _without_comments(source: str) -> str:
    return re.sub(r"/\*.*?\*/|^\s*//.*$", "", source, flags=re.DOTALL | re.MULTILINE)


# -------------------------------------------------------------------- styles


@functools.cache
def styles(*names: str) -> str:
    """Style sheets nested in one rule, so that they are for elements below :data:`SCOPE` only.

    What they say of the root is for the element of that class; what they say of ``html`` and
    ``body`` is for nothing.

    >>> styles("views/learn.css").splitlines()[0]
    '.zermelo-widget {'
    """
    sheets = [_source(name).replace(":root", "&") for name in names]
    return "\n".join([f"{SCOPE} {{", *sheets, "}"])
