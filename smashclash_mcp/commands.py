"""The subcommands of `smashclash-mcp`, loaded only when one is given."""

from __future__ import annotations

from typing import Annotated

import anyio
import typer

from . import __version__
from . import cli as entry
from .demo import play_demo
from .games import DEFAULT_GAME, get_game

RULESETS = get_game(DEFAULT_GAME).rulesets

app = typer.Typer(
    help="Play Smash&Clash with any MCP client. Without a command: serve MCP over stdio.",
    no_args_is_help=False,
    add_completion=False,
    pretty_exceptions_enable=False,
)


@app.callback(invoke_without_command=True)
def options(
    context: typer.Context,
    version: Annotated[bool, typer.Option("--version", help="Print the version.")] = False,
) -> None:
    """Play Smash&Clash with any MCP client. Without a command: serve MCP over stdio."""
    if version:
        typer.echo(f"smashclash-mcp {__version__}")
        raise typer.Exit
    if context.invoked_subcommand is None:
        entry.serve()


@app.command()
def serve() -> None:
    """Serve MCP over stdio: what an MCP client starts."""
    entry.serve()


@app.command()
def demo(
    seed: Annotated[int | None, typer.Option(min=0, max=2**53 - 1, help="Deal this game.")] = None,
    ruleset: Annotated[str, typer.Option(help=f"One of {', '.join(RULESETS)}.")] = RULESETS[0],
) -> None:
    """Play a whole game against the house through a real MCP client, and print what it sees."""
    if ruleset not in RULESETS:
        raise typer.BadParameter(f"ruleset is one of {', '.join(RULESETS)}")
    anyio.run(play_demo, seed, ruleset)
