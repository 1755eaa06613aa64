"""What the server costs beside an empty one: CPU time of a call, and time to its first answer.

    python benchmarks/server.py [--rounds N] [--starts N]

Both servers run over stdio, in turns, in the same run. A call is one `play` in a `self` game,
against a plain tool that returns a constant text as long as the average answer. The CPU time is
the server process's own (user and system, all threads), read from its CPU clock before and after
the calls of a round. Linux only.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from statistics import mean, median
from typing import IO, Any, Self

from smashclash_mcp import Match, Setup
from smashclash_mcp.games.base import Dice

SERVER = [sys.executable, "-m", "smashclash_mcp", "serve"]
EMPTY = [sys.executable, str(Path(__file__).with_name("empty_server.py"))]
GAME, RULESET = "smashclash", "mutators"
MOST, MOST_KEPT = 1.4, 1.7
"""How many times the empty server's cost ours may be; with games kept on disk."""

HELLO = {
    "protocolVersion": "2025-11-25",
    "capabilities": {},
    "clientInfo": {"name": "benchmark", "version": "1"},
}


class Server:
    """A server's process, spoken to in lines of JSON-RPC."""

    def __init__(self, command: list[str]) -> None:
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        assert self.process.stdin
        assert self.process.stdout
        self.stdin: IO[bytes] = self.process.stdin
        self.stdout: IO[bytes] = self.process.stdout
        self.sent = 0

    def __enter__(self) -> Self:
        self.request("initialize", HELLO)
        self.stdin.write(b'{"jsonrpc":"2.0","method":"notifications/initialized"}\n')
        return self

    def __exit__(self, *_: object) -> None:
        self.stdin.close()
        self.process.wait()
        self.stdout.close()

    def request(self, method: str, params: dict[str, Any]) -> dict[str, Any]:
        """Send a request and return its result."""
        self.sent += 1
        message = {"jsonrpc": "2.0", "id": self.sent, "method": method, "params": params}
        self.stdin.write(json.dumps(message).encode() + b"\n")
        self.stdin.flush()
        answer = json.loads(self.stdout.readline())
        assert answer["id"] == self.sent, answer
        return answer["result"]

    def call(self, tool: str, **arguments: Any) -> str:
        """Call a tool and return its text."""
        result = self.request("tools/call", {"name": tool, "arguments": arguments})
        text: str = result["content"][0]["text"]
        if result["isError"]:
            raise SystemExit(f"{tool}({arguments}): {text}")
        return text

    def cpu(self) -> float:
        """Return the seconds of CPU time that the process has used, all threads."""
        return time.clock_gettime(~self.process.pid << 3 | 2)  # as clock_getcpuclockid(3) does


@dataclass(frozen=True, slots=True)
class Moves:
    """A game to be played: its seed, its moves, and how long the answers are."""

    seed: int
    moves: list[str]
    length: float


def random_game(seed: int) -> Moves:
    """Return a whole game of random legal moves."""
    match = Match(Setup(GAME, RULESET, seed))
    dice = Dice(seed)
    moves: list[str] = []
    lengths: list[int] = []
    while match.to_move is not None:
        legal = match.position.legal_moves()
        move = legal[dice.below(len(legal))]
        match.play(move)
        moves.append(match.game.move_names[move])
        lengths.append(len(match.view(match.to_move).text("g_k7q2mx")))
    return Moves(seed, moves, mean(lengths))


def play_game(server: Server, game: Moves) -> float:
    """Play a game and return the server's CPU seconds a move."""
    server.call("new_game", opponent="self", ruleset=RULESET, seed=game.seed)
    before = server.cpu()
    for move in game.moves:
        server.call("play", move=move)
    return (server.cpu() - before) / len(game.moves)


def call_empty(server: Server, game: Moves) -> float:
    """Send the same calls to a tool that does nothing; return its CPU seconds a call."""
    before = server.cpu()
    for move in game.moves:
        server.call("play", move=move)
    return (server.cpu() - before) / len(game.moves)


def start(command: list[str], tool: str, arguments: dict[str, Any]) -> float:
    """Return the seconds from the start of a process to its first answer of a tool."""
    begin = time.perf_counter()
    with Server(command) as server:
        server.call(tool, **arguments)
        return time.perf_counter() - begin


def rows(options: argparse.Namespace, data: str) -> list[str]:
    """Measure with games kept in the folder `data`, or in memory; return the table's lines."""
    kept = [*SERVER, "--data", data]
    games = [random_game(seed) for seed in range(options.rounds)]
    length = str(round(mean(game.length for game in games)))
    calls: dict[str, list[float]] = {}
    measured: list[tuple[str, Callable[[Server, Moves], float], list[str]]] = [
        ("play", play_game, [*SERVER, "--memory"]),
        ("play, kept", play_game, kept),
        ("empty", call_empty, [*EMPTY, length]),
        ("empty, text only", call_empty, [*EMPTY, length, "text"]),
    ]
    servers = [Server(command).__enter__() for _, _, command in measured]
    for game in [*games[:2], *games]:  # two rounds to warm up
        for (name, run, _), server in zip(measured, servers, strict=True):
            calls.setdefault(name, []).append(run(server, game))
    for server in servers:
        server.__exit__()
    starts: dict[str, list[float]] = {}
    for _ in range(options.starts + 1):
        starts.setdefault("new_game", []).append(start(kept, "new_game", {}))
        starts.setdefault("empty", []).append(start([*EMPTY, length], "play", {"move": "x"}))
    call = {name: median(values[2:]) * 1e3 for name, values in calls.items()}
    first = {name: median(values[1:]) * 1e3 for name, values in starts.items()}
    return [
        f"{options.rounds} games of {mean(len(game.moves) for game in games):.0f} moves, "
        f"answers of {length} characters; {options.starts} starts; medians\n",
        f"{'server CPU of one play, in memory':48}{call['play']:9.3f} ms",
        f"{'server CPU of one play, kept on disk':48}{call['play, kept']:9.3f} ms",
        f"{'server CPU of one empty call':48}{call['empty']:9.3f} ms",
        f"{'server CPU of one empty call, text only':48}{call['empty, text only']:9.3f} ms",
        ratio("play, in memory / empty call", call["play"] / call["empty"]),
        ratio("play, kept on disk / empty call", call["play, kept"] / call["empty"], MOST_KEPT),
        ratio(
            "play, kept / empty call, text only",
            call["play, kept"] / call["empty, text only"],
            None,
        ),
        f"{'start to the first answer':48}{first['new_game']:9.1f} ms",
        f"{'start to the first answer, empty server':48}{first['empty']:9.1f} ms",
        ratio("start / start of the empty server", first["new_game"] / first["empty"]),
    ]


def ratio(name: str, value: float, most: float | None = MOST) -> str:
    """Return a line with a ratio and its limit."""
    verdict = "" if most is None else f"   at most {most}: {'ok' if value <= most else 'TOO MUCH'}"
    return f"{name:48}{value:9.2f} x{verdict}"


def read_arguments() -> argparse.Namespace:
    """Read the command line."""
    parser = argparse.ArgumentParser(description="Compare the server with an empty one.")
    parser.add_argument("--rounds", type=int, default=40, help="games to play, default 40")
    parser.add_argument("--starts", type=int, default=15, help="starts of each, default 15")
    return parser.parse_args()


def main() -> None:
    """Measure and print the table."""
    if not sys.platform.startswith("linux"):
        raise SystemExit("the CPU clock of another process is read as Linux has it")
    options = read_arguments()
    with tempfile.TemporaryDirectory() as data:
        print("\n".join(rows(options, data)))


if __name__ == "__main__":
    main()
