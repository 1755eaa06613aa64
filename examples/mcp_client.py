"""A whole game over MCP: start the server, call `new_game`, answer with `play` until a result.

    python examples/mcp_client.py

Put your model where `choose` is: it gets the state block and returns one move as text.
"""

from __future__ import annotations

import sys

import anyio
from mcp.client import Client
from mcp.client.stdio import StdioServerParameters, stdio_client
from mcp_types import CallToolResult, TextContent


def choose(block: str) -> str:
    """Return a move for a state block: here the first card on the first empty tile."""
    legal = block[block.index("Legal: ") + len("Legal: ") :].splitlines()[0]
    if legal.startswith("hop"):
        return "hop: stay"
    empty = [
        f"{column}{row}"
        for row in "123"
        for column in "ABCDE"
        if f"{column}{row} +" not in block and f"{column}{row} -" not in block
    ]
    if " @ " in legal:
        return f"{legal.split(' @ ')[0].split(', ')[0]}@{empty[0]}"
    effect, _, targets = legal.partition("(")
    first = targets.rstrip(")").split(" ")[0]
    if effect == "RECRUIT":
        first += f"→{empty[0]}"
    return f"{effect}({first})" if targets else effect


def text_of(result: CallToolResult) -> str:
    """Return a result's text."""
    return "\n".join(part.text for part in result.content if isinstance(part, TextContent))


async def main() -> None:
    """Play one game against the house and print the final state."""
    server = StdioServerParameters(
        command=sys.executable, args=["-m", "smashclash_mcp", "serve", "--memory"]
    )
    async with Client(stdio_client(server)) as client:
        block = text_of(await client.call_tool("new_game", {"seed": "7"}))
        while "\nResult:" not in block:
            answer = await client.call_tool("play", {"move": choose(block)})
            block = text_of(answer)
            if answer.is_error:
                raise SystemExit(block)
        print(block)


if __name__ == "__main__":
    anyio.run(main)
