"""The subcommands of `smashclash-mcp`, loaded only when one is given."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import anyio
import typer

from . import __version__
from . import cli as entry
from .demo import play_demo
from .games import DEFAULT_GAME, GAMES

app = typer.Typer(
    help="Play card games with any MCP client. Without a command: serve MCP over stdio.",
    no_args_is_help=False,
    add_completion=False,
    pretty_exceptions_enable=False,
)


@app.callback(invoke_without_command=True)
def options(
    context: typer.Context,
    version: Annotated[bool, typer.Option("--version", help="Print the version.")] = False,
) -> None:
    """Play card games with any MCP client. Without a command: serve MCP over stdio."""
    if version:
        typer.echo(f"smashclash-mcp {__version__}")
        raise typer.Exit
    if context.invoked_subcommand is None:
        entry.serve()


@app.command()
def serve(
    data: Annotated[
        Path | None, typer.Option(help="The folder of your collection.", show_default="yours")
    ] = None,
    memory: Annotated[bool, typer.Option("--memory", help="Keep nothing on disk.")] = False,
) -> None:
    """Serve MCP over stdio: what an MCP client starts."""
    entry.serve(data, memory=memory)


@app.command()
def demo(
    seed: Annotated[int | None, typer.Option(min=0, max=2**53 - 1, help="Deal this game.")] = None,
    ruleset: Annotated[str, typer.Option(help="Its ruleset.", show_default="its first")] = "",
    game: Annotated[str, typer.Option(help=f"One of {', '.join(GAMES)}.")] = DEFAULT_GAME,
) -> None:
    """Play a whole game against the house through a real MCP client, and print what it sees."""
    if game not in GAMES:
        raise typer.BadParameter(f"game is one of {', '.join(GAMES)}")
    rulesets = GAMES[game].rulesets
    if ruleset and ruleset not in rulesets:
        raise typer.BadParameter(f"ruleset of {game} is one of {', '.join(rulesets)}")
    anyio.run(play_demo, seed, game, ruleset or rulesets[0])
