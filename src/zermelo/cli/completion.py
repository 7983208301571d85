"""``zermelo completion``: the script that completes our commands and options in a shell."""

import click

SHELLS = ("bash", "zsh", "fish")


@click.command(short_help="Print a completion script for your shell.")
@click.argument("shell", type=click.Choice(SHELLS))
def command(shell: str) -> None:
    """Print the script that completes commands, options, objectives, solvers, formats, families.

    \b
    bash:  zermelo completion bash > ~/.local/share/bash-completion/completions/zermelo
    zsh:   zermelo completion zsh > "${fpath[1]}/_zermelo"
    fish:  zermelo completion fish > ~/.config/fish/completions/zermelo.fish
    """
    from click.shell_completion import get_completion_class

    from zermelo.cli.main import COMPLETE_VARIABLE, cli

    found = get_completion_class(shell)
    assert found is not None, shell
    click.echo(found(cli, {}, "zermelo", COMPLETE_VARIABLE).source())
