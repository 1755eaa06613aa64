"""Play a whole game over stdio with the previous client library (mcp 1.x).

Not a pytest module: CI runs it in a virtual environment of its own, as
``python tests/old_client.py /path/to/smashclash-mcp [ARG...]``.
"""

import asyncio
import sys
from importlib.metadata import version
from typing import Any

from mcp import ClientSession, StdioServerParameters
from mcp.client.stdio import stdio_client
from mcp.types import TextContent

MOVES_LIMIT = 5_000  # far above any real game: a game that never ends must fail
SECONDS_LIMIT = 120


async def call(session: ClientSession, tool: str, **arguments: Any) -> str:
    """Call a tool and return its text; an error answer ends the run."""
    result = await session.call_tool(tool, arguments)
    text = "\n".join(c.text for c in result.content if isinstance(c, TextContent))
    # mcp 2.x, against which the tests are type-checked, names this is_error.
    if result.isError:  # pyright: ignore[reportAttributeAccessIssue, reportUnknownMemberType]
        raise RuntimeError(f"{tool}({arguments}) answered with an error: {text}")
    return text


def result_line(text: str) -> str | None:
    """The `Result:` line that the answer of a finished game has."""
    return next((s for s in text.splitlines() if s.startswith("Result:")), None)


async def play_game(session: ClientSession) -> tuple[int, str]:
    """Play the first legal move until the game is over."""
    await call(session, "new_game", seed=7, opponent="house")
    for played in range(1, MOVES_LIMIT + 1):
        moves = (await call(session, "legal_moves", format="list")).splitlines()
        if not moves:
            raise RuntimeError(f"no legal move after {played - 1} moves, game not over")
        answer = await call(session, "play", move=moves[0])
        if result := result_line(answer):
            return played, result
    raise RuntimeError(f"the game was not over after {MOVES_LIMIT} moves")


async def main(command: list[str]) -> None:
    server = StdioServerParameters(command=command[0], args=command[1:])
    async with (
        asyncio.timeout(SECONDS_LIMIT),
        stdio_client(server) as (read, write),
        ClientSession(read, write) as session,
    ):
        await session.initialize()
        tools = {tool.name for tool in (await session.list_tools()).tools}
        if missing := {"new_game", "legal_moves", "play", "get_replay"} - tools:
            raise RuntimeError(f"tools not listed: {', '.join(sorted(missing))}")
        played, result = await play_game(session)
        if not await call(session, "get_replay"):
            raise RuntimeError("get_replay answered with no text")
    print(f"played {played} moves with mcp {version('mcp')}: {result}")


if __name__ == "__main__":
    if len(sys.argv) < 2:
        sys.exit("usage: old_client.py COMMAND [ARG...]")
    asyncio.run(main(sys.argv[1:]))
