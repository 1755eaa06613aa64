"""The MCP server: tools, resources and one prompt over the tables. Thin: parse, call, render."""

from __future__ import annotations

import json

from mcp.server.mcpserver import MCPServer
from mcp.server.mcpserver.resources import FunctionResource

from .. import __version__
from ..games import DEFAULT_GAME, GAMES, get_game
from ..tables import Tables
from .strict import to_tool
from .tools import tool_specs

INSTRUCTIONS = """\
Play card games of hidden hands. Call new_game (against the house by default), then play one move \
a call until the answer has a `Result:` line; each answer holds the whole state, so nothing needs \
remembering. Several moves of one turn may be joined by `;`. A refused call changes nothing and \
says what is legal. New to a game? Call get_rules first."""


def build_server(tables: Tables | None = None) -> MCPServer[None]:
    """Return a server over the given tables, or over new ones of one player, all in memory."""
    server: MCPServer[None] = MCPServer(
        "smashclash-mcp",
        title="Smash&Clash",
        instructions="\n".join([INSTRUCTIONS, *(game.reading for game in GAMES.values())]),
        version=__version__,
        log_level="WARNING",
        tools=[to_tool(spec) for spec in tool_specs(tables or Tables(profiles=True))],
        subscriptions=False,
    )
    for game in GAMES.values():
        _add_resources(server, game.name)
    server.prompt(
        name="play",
        title="Play a game",
        description="Start a game against the house and play it to the end.",
    )(play_prompt)
    return server


def play_prompt(game: str = DEFAULT_GAME) -> str:
    """Return what a user would say to get a client playing a game, the first one by default."""
    known = GAMES.get(game, GAMES[DEFAULT_GAME])
    return (
        f"Let's play {known.title}! Read get_rules, call new_game (game={known.name}), then play "
        "move after move with play, thinking about what each move gains and leaves open, until "
        "the answer has a `Result:` line. Show me the board after each move and say in one line "
        "why you chose it. At the end tell me the result."
    )


def _add_resources(server: MCPServer[None], name: str) -> None:
    game = get_game(name)

    def full_rules() -> str:
        return "\n\n".join([game.rules(), *(game.rules(topic) for topic in game.topics)])

    def schema() -> str:
        return json.dumps(dict(game.data_schema))

    contents = {
        f"rules://{name}": (f"{game.title}: rules", game.rules, "text/plain"),
        f"rules://{name}/full": (f"{game.title}: all rules", full_rules, "text/plain"),
        f"cards://{name}": (f"{game.title}: cards", game.cards, "text/plain"),
        f"schema://{name}/state": (
            f"{game.title}: JSON Schema of format=json",
            schema,
            "application/schema+json",
        ),
    }
    for uri, (title, read, mime_type) in contents.items():
        server.add_resource(
            FunctionResource(uri=uri, name=title, title=title, mime_type=mime_type, fn=read)
        )
