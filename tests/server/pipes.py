"""Ways to reach the server: clients in memory and over pipes, and raw lines of JSON-RPC."""

from __future__ import annotations

import json
import re
import subprocess
import sys
import tempfile
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any, cast

import anyio
from anyio.abc import Process
from mcp.client import Client
from mcp.client.stdio import StdioServerParameters, stdio_client
from mcp_types import CallToolResult, TextContent

from smashclash_mcp import Match, Setup
from smashclash_mcp.server import build_server
from smashclash_mcp.tables import Tables

WAYS = ("modern", "legacy", "process")
"""Both protocol eras in memory, and the real server in a process of its own."""
ERAS = ("modern", "legacy")
COMMAND = (sys.executable, "-m", "smashclash_mcp", "serve", "--memory")
PATIENCE = 30
"""Seconds after which an answer will not come any more."""

Facts = dict[str, Any]


@dataclass
class Said:
    """What a tool answered."""

    text: str
    is_error: bool
    data: Facts | None = None


def said(result: CallToolResult) -> Said:
    """Return a result's one text, whether it is a refusal, and its object."""
    (part,) = result.content
    assert isinstance(part, TextContent)
    return Said(part.text, bool(result.is_error), result.structured_content)


class Player:
    """A client whose calls are methods: `await player.ok("play", move="SWAP")`."""

    def __init__(self, client: Client) -> None:
        self.client = client

    async def call(self, tool: str, arguments: Facts) -> Said:
        with anyio.fail_after(PATIENCE):
            return said(await self.client.call_tool(tool, arguments))

    async def ok(self, tool: str, **arguments: Any) -> str:
        answer = await self.call(tool, arguments)
        assert not answer.is_error, f"{tool}({arguments}): {answer.text}"
        return answer.text

    async def no(self, tool: str, **arguments: Any) -> str:
        answer = await self.call(tool, arguments)
        assert answer.is_error, f"{tool}({arguments}) was not refused: {answer.text}"
        return answer.text

    async def json(self, tool: str, **arguments: Any) -> Facts:
        """Return the object of a call with format json, which its text repeats."""
        answer = await self.call(tool, {**arguments, "format": "json"})
        assert not answer.is_error, answer.text
        assert answer.data is not None
        assert json.loads(answer.text) == answer.data
        return answer.data

    async def legal(self, game_id: str = "") -> list[str]:
        return (await self.ok("legal_moves", game_id=game_id, format="list")).splitlines()


@asynccontextmanager
async def connected(way: str, tables: Tables | None = None) -> AsyncGenerator[Player]:
    """Connect a client, in one of `WAYS`. What a process writes to stderr is a fault."""
    if way != "process":
        mode = {"modern": "auto", "legacy": "legacy"}[way]
        async with Client(build_server(tables), mode=mode) as client:
            yield Player(client)
        return
    with tempfile.TemporaryFile("w+") as errors:
        server = StdioServerParameters(command=COMMAND[0], args=list(COMMAND[1:]))
        async with Client(stdio_client(server, errlog=errors)) as client:
            yield Player(client)
        errors.seek(0)
        assert errors.read() == ""


@dataclass
class Pipes:
    """The server's process and its two pipes; every line that it writes must be JSON-RPC."""

    process: Process
    sent: int = 0
    unread: bytes = b""
    lines: list[Facts] = field(default_factory=list[Facts])
    answered: dict[Any, Facts] = field(default_factory=dict[Any, Facts])

    async def send(self, *lines: bytes) -> None:
        """Write lines in one go."""
        assert self.process.stdin
        with anyio.fail_after(PATIENCE):
            await self.process.stdin.send(b"".join(line + b"\n" for line in lines))

    def request(self, method: str, params: object) -> bytes:
        """Return the line of a new request, whose id is then `self.sent`."""
        self.sent += 1
        message = {"jsonrpc": "2.0", "id": self.sent, "method": method, "params": params}
        return json.dumps(message).encode()

    def tool(self, name: str, **arguments: Any) -> bytes:
        """Return the line of a tool call, whose id is then `self.sent`."""
        return self.request("tools/call", {"name": name, "arguments": arguments})

    async def read(self) -> Facts | None:
        """Return the next message, None at the end of stdout."""
        assert self.process.stdout
        while b"\n" not in self.unread:
            try:
                with anyio.fail_after(PATIENCE):
                    self.unread += await self.process.stdout.receive(1 << 20)
            except anyio.EndOfStream:
                assert self.unread == b"", "stdout ends within a line"
                return None
        line, _, self.unread = self.unread.partition(b"\n")
        message = checked(line)
        self.lines.append(message)
        if "method" not in message:
            assert message["id"] not in self.answered, "two answers to one request"
            self.answered[message["id"]] = message
        return message

    async def answer(self, number: int) -> Facts:
        """Return the answer to a request, reading until it is there."""
        while number not in self.answered:
            assert await self.read() is not None, f"stdout ended before answer {number}"
        return self.answered[number]

    async def result(self, number: int) -> Said:
        """Return what a tool call answered."""
        result = (await self.answer(number))["result"]
        return Said(
            result["content"][0]["text"], result["isError"], result.get("structuredContent")
        )

    async def call(self, tool: str, arguments: Facts) -> Said:
        await self.send(self.tool(tool, **arguments))
        return await self.result(self.sent)

    async def ok(self, tool: str, **arguments: Any) -> str:
        answer = await self.call(tool, arguments)
        assert not answer.is_error, f"{tool}({arguments}): {answer.text}"
        return answer.text

    async def drain(self) -> None:
        """Read all that is left until stdout ends."""
        while await self.read() is not None:
            pass

    async def drain_torn(self) -> None:
        """Read what a killed server had written; its last line may be torn."""
        try:
            await self.drain()
        except AssertionError:
            assert self.unread, "stdout ended well, but was refused"

    async def end(self, seconds: float) -> int:
        """Close stdin; return the exit code, if the process is gone in time."""
        assert self.process.stdin
        with anyio.fail_after(seconds):
            await self.process.stdin.aclose()
            return await self.process.wait()


def checked(line: bytes) -> Facts:
    """Return a line that is one JSON-RPC 2.0 message."""
    message: Any = json.loads(line.decode("utf-8"))
    assert isinstance(message, dict), line
    message = cast(Facts, message)
    assert message["jsonrpc"] == "2.0", line
    if "method" not in message:
        assert isinstance(message.get("id"), int), line
        assert ("result" in message) != ("error" in message), line
    return message


@asynccontextmanager
async def piped(*command: str) -> AsyncGenerator[Pipes]:
    """Start a server, by default the real one, and shake hands over raw pipes."""
    process = await anyio.open_process(command or COMMAND, stderr=subprocess.DEVNULL)
    async with process:
        try:
            pipes = Pipes(process)
            hello = {
                "protocolVersion": "2025-11-25",
                "capabilities": {},
                "clientInfo": {"name": "test", "version": "1"},
            }
            await pipes.send(pipes.request("initialize", hello))
            assert "result" in await pipes.answer(1)
            await pipes.send(b'{"jsonrpc":"2.0","method":"notifications/initialized"}')
            yield pipes
        finally:
            if process.returncode is None:
                process.kill()


def game_id(block: str) -> str:
    """Return the id that opens a state block."""
    found = re.search(r"^g_[a-z2-9]{6}\b", block, re.MULTILINE)
    assert found, block
    return found[0]


def keys(block: str) -> tuple[str, str]:
    """Return the keys of seats A and B from the answer to `new_game`."""
    found = re.match(r"Keys: A (s_[a-z2-9]{27}), B (s_[a-z2-9]{27})\n", block)
    assert found, block
    return found[1], found[2]


def number(block: str) -> int:
    """Return the number of the coming move in a state block."""
    found = re.search(r" (?:move (\d+)\.|over after (\d+) moves\.)", block)
    assert found, block
    return int(found[1] or int(found[2]) + 1)


def opening_hop(ruleset: str = "mutators") -> tuple[int, str, str]:
    """Return a seed, a first move that is offered a hop, and that hop."""
    for seed in range(1000):
        match = Match(Setup("smashclash", ruleset, seed))
        for move in match.position.legal_moves():
            trial = match.position.copy()
            trial.play(move, match.dice)
            hops = trial.legal_moves()
            if trial.to_move == match.to_move and len(hops) > 1:
                return seed, match.game.move_names[move], match.game.move_names[hops[0]]
    raise AssertionError("no seed offers a hop at once")
