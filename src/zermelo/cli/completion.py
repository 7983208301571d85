"""``zermelo completion``: the script that completes our commands and options in a shell."""

import os
import re

import click
from click.shell_completion import (
    BashComplete,
    CompletionItem,
    add_completion_class,
    split_arg_string,
)

SHELLS = ("bash", "zsh", "fish")

BASH = """\
%(complete_func)s() {
    local word=${COMP_WORDS[COMP_CWORD]} line kind value
    COMPREPLY=()
    _zermelo_offer() {
        [[ $word == [\\'\\"]* ]] || printf -v value %%q "$value"
        COMPREPLY+=("$value")
    }
    while IFS= read -r line; do
        kind=${line%%%%,*} value=${line#*,}
        if [[ $kind == plain ]]; then
            [[ $value == *= ]] && compopt -o nospace
            [[ $value == *= ]] && COMPREPLY+=("$value") || _zermelo_offer
        else
            while IFS= read -r value; do
                if [[ -d $value ]]; then value+=/; compopt -o nospace; fi
                _zermelo_offer
            done < <(compgen -f -- "$word")
        fi
    done < <(COMP_LINE="${COMP_LINE:0:COMP_POINT}" %(complete_var)s=bash_complete "$1" 2>/dev/null)
}

complete -o nosort -F %(complete_func)s %(prog_name)s
"""


class WholeWords(BashComplete):
    """Completion in bash by the whole line: bash itself breaks words at colons and equals signs.

    So ``nim:2,3`` is one argument, and of a completion only the part after the last such sign is
    returned, which is the part that bash replaces. Names and files can be offered together.
    """

    source_template = BASH
    kept = 0
    """Letters of a completion that stand before what bash replaces."""

    def get_completion_args(self) -> tuple[list[str], str]:
        """The arguments before the cursor, and the text at the cursor."""
        line = os.environ.get("COMP_LINE")
        if line is None:  # a script that an older version printed
            return super().get_completion_args()
        words = split_arg_string(line)[1:]
        if not words or line[-1:].isspace():
            return words, ""
        word = words[-1]
        option = re.match(r"--[^=]*=", word)
        breaks = [] if line.endswith(("'", '"')) else list(re.finditer("[:=]", word))
        if breaks:
            self.kept = max(0, breaks[-1].end() - (option.end() if option else 0))
        return words[:-1], word

    def format_completion(self, item: CompletionItem) -> str:
        """One completion as a line for the script."""
        value = item.value[self.kept :] if item.type == "plain" else item.value
        return f"{item.type},{value}"


def register() -> None:
    """Let click use our completion in bash."""
    add_completion_class(WholeWords)


@click.command()
@click.argument("shell", type=click.Choice(SHELLS))
def command(shell: str) -> None:
    """Print the script that completes commands, options, and what follows them: names of games,
    objectives, solvers, formats and families, and the positions of the game on the line.

    \b
    bash:  zermelo completion bash > ~/.local/share/bash-completion/completions/zermelo
    zsh:   zermelo completion zsh > "${fpath[1]}/_zermelo"
    fish:  zermelo completion fish > ~/.config/fish/completions/zermelo.fish
    """
    from click.shell_completion import get_completion_class

    from zermelo.cli.main import COMPLETE_VARIABLE, cli

    register()
    found = get_completion_class(shell)
    assert found is not None, shell
    click.echo(found(cli, {}, "zermelo", COMPLETE_VARIABLE).source())
