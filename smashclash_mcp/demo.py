"""`smashclash-mcp demo`: the real server in a process of its own, played by a real MCP client."""

from __future__ import annotations

import random
import sys
from typing import Any

from mcp.client import Client
from mcp.client.stdio import StdioServerParameters, stdio_client
from mcp_types import TextContent
from rich.console import Console

from .tokens import counter

_console = Console(highlight=False, soft_wrap=True)


async def play_demo(seed: int | None, game: str, ruleset: str) -> None:
    """Play one game with random legal moves and print every call, its answer and its tokens."""
    count = counter()
    total = 0

    def show(call: str, text: str) -> None:
        nonlocal total
        tokens = ""
        if count:
            total += count(text)
            tokens = f"  [{count(text)} tokens]"
        _console.print(f"\n> {call}{tokens}", style="bold cyan", markup=False)
        _console.print(text, markup=False)

    server = StdioServerParameters(
        command=sys.executable, args=["-m", "smashclash_mcp", "serve", "--memory"]
    )
    async with Client(stdio_client(server)) as client:
        choose = random.Random(seed)
        arguments: dict[str, Any] = {"game": game, "ruleset": ruleset}
        if seed is not None:
            arguments["seed"] = str(seed)
        answer = await _call(client, "new_game", arguments)
        show(_shown("new_game", arguments), answer)
        while "\nResult:" not in answer:
            legal = await _call(client, "legal_moves", {"format": "list"})
            move = {"move": choose.choice(legal.splitlines())}
            answer = await _call(client, "play", move)
            show(_shown("play", move), answer)
        show("get_replay()", await _call(client, "get_replay", {}))
    if count:
        _console.print(f"\nAll answers together: {total} tokens.", style="bold", markup=False)
    else:
        _console.print("\nInstall the extra `test` to see each answer's tokens.", markup=False)


async def _call(client: Client, tool: str, arguments: dict[str, Any]) -> str:
    result = await client.call_tool(tool, arguments)
    text = "\n".join(part.text for part in result.content if isinstance(part, TextContent))
    if result.is_error:
        raise RuntimeError(text)
    return text


def _shown(tool: str, arguments: dict[str, Any]) -> str:
    return f"{tool}({', '.join(f'{name}={value!r}' for name, value in arguments.items())})"
