"""The text and the syntax trees of functions, as they were imported, not as the file is now.

Kernels are made from the text of rules, and a file may be edited after a process has imported it.
So a text is used only if it compiles to the code that runs. Several texts are tried: the one that
the loader of the module keeps, those that were read when a class was defined, and the file.
"""

import ast
import contextlib
import dis
import functools
import linecache
from types import CodeType, FunctionType, ModuleType
from typing import Any

from zermelo._runtime.compiled.identity import belongs_elsewhere, code_signature, nested
from zermelo.errors import InvalidRulesError

WRITTEN = "written_form"
"""The attribute in which a function of the library keeps the member that it replaces."""

UNSIGNED = "unsigned_index"
"""The name of the function that makes an index unsigned."""

_remembered: dict[str, list[str]] = {}
"""Texts of files, as they were when a class of rules was defined in them."""


def written(member: Any) -> Any:
    """A member of a class as its author wrote it.

    The library may replace a member by a function of its own, which then keeps the member.

    >>> from zermelo.rules.boards.rows.tictactoe import TicTacToe
    >>> written(TicTacToe.moves).__code__.co_varnames[:3]
    ('self', 'position', 'out')
    """
    return getattr(member, WRITTEN, member)


def remember(kind: type) -> None:
    """Keep the text of the file that defines a class, as it was when the class was imported."""
    for member in map(written, vars(kind).values()):
        if isinstance(member, FunctionType):
            known = _remembered.setdefault(member.__code__.co_filename, [])
            text = _on_disk(member.__code__.co_filename, member.__globals__)
            if text and text not in known[-1:]:
                known.append(text)
            return


def definition(function: FunctionType, where: str) -> ast.FunctionDef:
    """The syntax tree of a function, made anew for the caller to change.

    >>> from zermelo.rules.compiled import CompiledRules
    >>> definition(CompiledRules.canonical, "canonical").args.args[1].arg
    'position'
    """
    code = function.__code__
    place = code.co_name, code.co_firstlineno
    readable = False
    for text in _candidates(code.co_filename, function.__globals__):
        candidate = _contents(text, code.co_filename).get(place)
        readable = readable or bool(text)
        if candidate is not None and _is_text_of(candidate[0], code):
            if candidate[1] is None:
                raise InvalidRulesError(f"{where}: expected a function defined by def")
            return _parsed(text, *candidate[1])
    if not readable:
        raise InvalidRulesError(f"{where}: its source cannot be read; write the rules into a file")
    raise InvalidRulesError(
        f"{where}: its text differs from the code that runs: {code.co_filename} was edited after "
        "the import, or its code was changed during the import; import it again"
    )


def tree_of(text: str, mode: str = "exec") -> Any:
    """The syntax tree of a text.

    Python up to 3.11.7 and 3.12.1 counts the depth of trees for all threads together, and fails if
    several of them read texts at once.

    >>> tree_of("3", "eval").body.value
    3
    """
    while True:
        with contextlib.suppress(SystemError):
            return ast.parse(text, mode=mode)


def module_text(module: ModuleType) -> str:
    """The text of a module; its functions, numbers and strings must be those of this text."""
    file = getattr(module, "__file__", None)
    if file is None:
        raise InvalidRulesError(
            f"{module.__name__}: its source cannot be read; write the rules into a file"
        )
    functions = _functions_of(module)
    for text in _candidates(file, vars(module)):
        contents = _contents(text, file)
        if all(_holds(contents, function.__code__) for function in functions) and (
            belongs_elsewhere(module.__name__) or _has_values(text, vars(module))
        ):
            return text
    for function in functions:  # raises for the function whose text differs
        definition(function, f"{module.__name__}.{function.__qualname__}")
    raise InvalidRulesError(f"{file}: its text differs from the code that runs; import it again")


def _has_values(text: str, scope: dict[str, Any]) -> bool:
    """Whether names that a text sets only once, to a constant, still have these values."""
    tree = tree_of(text)
    names_set = [x.id for x in ast.walk(tree) if isinstance(x, ast.Name) and not _is_read(x)]
    names_set += [x for node in ast.walk(tree) if isinstance(node, ast.Global) for x in node.names]
    for node in tree.body:
        if isinstance(node, ast.Assign | ast.AnnAssign) and isinstance(node.value, ast.Constant):
            for target in node.targets if isinstance(node, ast.Assign) else [node.target]:
                if isinstance(target, ast.Name) and names_set.count(target.id) == 1:
                    value = scope.get(target.id, ...)
                    if type(value) is not type(node.value.value) or value != node.value.value:
                        return False
    return True


def _is_read(name: ast.Name) -> bool:
    return isinstance(name.ctx, ast.Load)


def _holds(contents: dict[tuple[str, int], Any], code: CodeType) -> bool:
    candidate = contents.get((code.co_name, code.co_firstlineno))
    return candidate is not None and _is_text_of(candidate[0], code)


def _is_text_of(candidate: CodeType, code: CodeType) -> bool:
    """Whether the text that compiles to ``candidate`` is the text of ``code``, which runs.

    Tools for tests rewrite assertions on import, with names that no text can contain. For such
    code it is enough that name and line agree.
    """
    names = (name for x in nested(code) for name in (*x.co_names, *x.co_varnames))
    return code_signature(candidate) == code_signature(code) or any(
        name.startswith("@") for name in names
    )


def _functions_of(module: ModuleType) -> list[FunctionType]:
    """The functions and methods that a module defines."""
    members: list[Any] = []
    for value in vars(module).values():
        own_class = isinstance(value, type) and value.__module__ == module.__name__
        members += vars(value).values() if own_class else (value,)
    functions = (getattr(x, "__func__", x) for x in map(written, members))
    return [
        x
        for x in functions
        if isinstance(x, FunctionType)
        and x.__code__.co_filename == module.__file__
        and x.__globals__ is vars(module)
    ]


def _candidates(file: str, scope: dict[str, Any]) -> list[str]:
    """Texts that a file may have had when it was imported."""
    text = getattr(scope.get("__loader__"), "text", None)
    kept = [text] if isinstance(text, str) else []
    cached = _lines(file, scope)
    return list(dict.fromkeys([*kept, *_remembered.get(file, ()), cached, _on_disk(file, scope)]))


def _on_disk(file: str, scope: dict[str, Any]) -> str:
    linecache.checkcache(file)
    return _lines(file, scope)


def _lines(file: str, scope: dict[str, Any]) -> str:
    while True:
        with contextlib.suppress(KeyError):  # another thread reads the file again
            return "".join(linecache.getlines(file, scope))


@functools.lru_cache(maxsize=64)
def _contents(
    text: str, file: str
) -> dict[tuple[str, int], tuple[CodeType, tuple[int, int] | None]]:
    """The functions of a text by name and first line: their code, and the lines of their def."""
    try:
        tree = tree_of(text)
        code = compile(tree, file, "exec", dont_inherit=True)
    except (SyntaxError, ValueError):
        return {}
    lines = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef):
            first = min([node.lineno, *(x.lineno for x in node.decorator_list)])
            lines[node.name, first] = node.lineno, node.end_lineno or node.lineno
    return {
        (x.co_name, x.co_firstlineno): (x, lines.get((x.co_name, x.co_firstlineno)))
        for x in nested(code)
    }


def _parsed(text: str, first: int, last: int) -> ast.FunctionDef:
    """The definition in these lines of a text."""
    block = "\n".join(text.split("\n")[first - 1 : last])
    above = "\n" * (first - 2)  # so that the lines keep their numbers
    if block[:1] in " \t":
        inside: Any = tree_of(f"{above}if 1:\n{block}").body[0]
        return inside.body[0]  # type: ignore[no-any-return]
    tree: Any = tree_of(f"{above}\n{block}" if first > 1 else block).body[0]
    return tree  # type: ignore[no-any-return]


# ------------------------------------------------------------------ syntax trees


class Elements(ast.NodeTransformer):
    """Numbers that are data become elements, and indices of arrays that are data unsigned.

    A number that is data is an array of one element. An unsigned index needs no test for negative
    ones, which count from the end: with it, code for data is nearly as fast as that for constants.
    """

    def __init__(self, names: set[str], arrays: set[str]) -> None:
        self.names, self.arrays = names, arrays

    def visit_Subscript(self, node: ast.Subscript) -> ast.AST:
        """``men[k]`` → ``men[unsigned(k)]``."""
        self.generic_visit(node)
        if isinstance(node.value, ast.Name) and node.value.id in self.arrays:
            place = ast.Name(UNSIGNED, ast.Load())
            node.slice = ast.copy_location(ast.Call(place, [node.slice], []), node.slice)
        return node

    def visit_Name(self, node: ast.Name) -> ast.AST:
        """``width`` → ``width[0]``."""
        if node.id not in self.names:
            return node
        found = ast.Subscript(node, ast.Constant(0), ast.Load())
        return ast.copy_location(found, node)


def first_argument(tree: ast.FunctionDef, where: str) -> str:
    """Take the first argument out of a definition: its name."""
    for arguments in (tree.args.posonlyargs, tree.args.args):
        if arguments:
            return arguments.pop(0).arg
    raise InvalidRulesError(f"{where}: expected a method with the first argument self")


def compiled_code(tree: ast.FunctionDef, function: FunctionType) -> CodeType:
    """The code of a definition."""
    whole = ast.fix_missing_locations(ast.Module([tree], []))
    made = compile(whole, function.__code__.co_filename, "exec", dont_inherit=True)
    return next(x for x in made.co_consts if isinstance(x, CodeType))


def names_of(code: CodeType) -> tuple[set[str], set[str]]:
    """The names that are local somewhere in code, and those that are looked up elsewhere.

    The latter are those of attributes, too. Names of an enclosing function are not local.
    """
    local: set[str] = set()
    elsewhere = set(code.co_freevars)
    for inner in nested(code):
        local |= {*inner.co_varnames, *inner.co_cellvars, *inner.co_freevars}
        elsewhere |= set(inner.co_names)
    return local - set(code.co_freevars), elsewhere


def is_global(code: CodeType, name: str) -> bool:
    """Whether a name that is local in one place of the code is read as a global in another."""
    return any(
        x.argval == name and x.opname in ("LOAD_GLOBAL", "LOAD_NAME")
        for inner in nested(code)
        for x in dis.get_instructions(inner)
    )
