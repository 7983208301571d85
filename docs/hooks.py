"""What the site needs beside mkdocs.yml: docstrings are written for Python, not for Markdown.

Doctests become blocks of code, and roles such as ``:func:`` lose their names.
"""

import re
from typing import Any

_FENCE = re.compile(r"\s*(```|~~~)")
_ROLE = re.compile(r":(?:meth|func|class|mod|data|attr):(?=`)")


def fenced(lines: list[str]) -> list[str]:
    """Lines of Markdown whose doctests are fenced.

    >>> fenced(["Say:", "", ">>> 1 + 1", "2", "", "So."])
    ['Say:', '', '```pycon', '>>> 1 + 1', '2', '```', '', 'So.']
    """
    out: list[str] = []
    inside = test = False
    for line in lines:
        if test and not line.strip():
            out.append("```")
            test = False
        elif not test and _FENCE.match(line):
            inside = not inside
        elif not inside and not test and line.startswith(">>> "):
            out.append("```pycon")
            test = True
        out.append(line if inside or test else _ROLE.sub("", line))
    return [*out, "```"] if test else out


def on_config(config: Any) -> Any:
    """Add :func:`fenced` to what Markdown does first."""
    from markdown.extensions import Extension
    from markdown.preprocessors import Preprocessor

    class Doctests(Preprocessor):
        def run(self, lines: list[str]) -> list[str]:
            return fenced(lines)

    class Docstrings(Extension):
        def extendMarkdown(self, md: Any) -> None:
            md.preprocessors.register(Doctests(md), "doctests", 100)

    config.markdown_extensions.append(Docstrings())
    return config
