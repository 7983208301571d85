"""Messages of the library for users of the command: Python calls are replaced by options."""

import re

_REPLACEMENTS = (
    (r"graph\.with_names\(None\)", "zermelo convert --no-names"),
    (r"graph\.with_owner\(None\)", "zermelo convert --no-owners"),
    (r"write the graph alone, game\.graph", "leave it out with zermelo convert --no-start"),
    (
        r"give it some with graph\.with_owner\(…\), or take the alternating graph "
        r"\(zm\.transform\.alternating_graph\)",
        "the file has to say who owns each position",
    ),
    (r" \(zm\.transform\.reachable\)", ""),
    (r"\(quotient=True\)", "(zermelo solve --quotient)"),
    (r"\bquotient=True", "--quotient"),
    (r", --memory, or memory= in Python\b", ", or --memory"),
    (r" \((--\w+), or \w+=(True)? in Python\)", r" (\1)"),
    (r" \(limit= in Python stops earlier\)", ""),
    (r" \((zm\.build|rules=) in Python\)", ""),
    (r"\bset ZERMELO_MEMORY or memory= to", "set ZERMELO_MEMORY or give --memory to"),
    (r"; give them, as in zm\.Table\(path, rules=…\)", "; give them by --rules GAME"),
    (r"expected a pair \(graph, zm\.Parity\(…\)\), got a graph alone", "this has no priorities"),
    (r"\bengine='?(\w+)'?", r"--engine \1"),
    (r"\bview='?(\w+)'?", r"--view \1"),
    (r"\binfinite=(\w+)", r"--infinite \1"),
    (r"\bworkdir=…", "--workdir"),
    (r"\b(start|depth|nodes|memory|limit|solver|symmetry)=(?![\w{])", r"--\1"),
    (r"raise zermelo\.partizan\.store\.STORE\.limit or empty the store by STORE\.clear\(\)",
     "ask for less in one command"),
    (r"clear the store \(STORE\.clear\(\)\)", "ask for less in one command"),
    (r"its rows of one position are steps\.rows\(position\)", "--position A shows those of one"),
    (r"\bzm\.explain\b", "zermelo solve --explain"),
    (r"\bzm\.(\w+)", r"zermelo \1"),
)  # fmt: skip


def for_the_shell(text: str) -> str:
    """A message of the library, with options and commands in place of Python calls.

    >>> for_the_shell("draw a part: start= a position and depth= a small number of moves")
    'draw a part: --start a position and --depth a small number of moves'
    >>> for_the_shell("set ZERMELO_MEMORY or memory= to allow more")
    'set ZERMELO_MEMORY or give --memory to allow more'
    """
    for pattern, replacement in _REPLACEMENTS:
        text = re.sub(pattern, replacement, text)
    return text
