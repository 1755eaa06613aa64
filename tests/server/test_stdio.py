"""The real server over raw pipes: its lines, broken input, races, and its end."""

from __future__ import annotations

import contextlib
import json
import re
import signal
import sys
import threading
from collections.abc import Sequence
from typing import Any

import anyio
import pytest

from smashclash_mcp import Match, Record, Setup
from smashclash_mcp.games.base import Played
from smashclash_mcp.tables import Tables

from .pipes import Pipes, Said, checked, connected, game_id, keys, number, piped

GONE_IN = 2
"""Seconds within which a server whose stdin is closed must be gone."""

# --- lines and broken input --------------------------------------------------------------------


async def test_every_line_of_a_whole_session_is_json_rpc() -> None:
    async with piped() as pipes:
        await pipes.send(
            pipes.request("tools/list", {}),
            pipes.request("resources/list", {}),
            pipes.request("resources/read", {"uri": "rules://smashclash"}),
            pipes.request("resources/read", {"uri": "rules://poker"}),
            pipes.request("prompts/get", {"name": "play"}),
            pipes.request("prompts/get", {"name": "cheat"}),
            pipes.request("ping", {}),
            pipes.request("no/such", {}),
            pipes.tool("no_such"),
            pipes.tool("play", mov="x"),
            pipes.tool("get_cards", names="Lunna"),
        )
        answers = {number: await pipes.answer(number) for number in range(2, pipes.sent + 1)}
        errors = [number for number, answer in answers.items() if "error" in answer]
        assert {5, 7, 9} <= set(errors)
        answer = await pipes.ok("new_game")
        while "\nResult: " not in answer:
            assert (await pipes.call("play", {"move": "nonsense"})).is_error
            legal = await pipes.ok("legal_moves", format="list")
            answer = await pipes.ok("play", move=legal.splitlines()[0])
        await pipes.ok("get_replay", format="json")
        assert await pipes.end(GONE_IN) == 0
        await pipes.drain()
    assert len(pipes.lines) == pipes.sent  # `read` has checked each


def test_the_check_of_lines_can_fail() -> None:
    checked(b'{"jsonrpc":"2.0","id":1,"result":{}}')
    for line in (b"hello", b"{}", b'"jsonrpc"', b'{"jsonrpc":"2.0","id":1}', b"\xff", b""):
        with pytest.raises((AssertionError, ValueError, KeyError)):
            checked(line)


def tool_line(name: str, arguments: str, number: int = 900) -> bytes:
    """Return a tool call whose arguments are JSON, or not, as given."""
    head = f'{{"jsonrpc":"2.0","id":{number},"method":"tools/call","params":'
    return f'{head}{{"name":"{name}","arguments":{arguments}}}}}'.encode()


LEGAL = '{"move": "MOVE"}'
BROKEN = {
    "no JSON": b"hello",
    "half a line": b'{"jsonrpc":"2.0","id":900,"method":"tools/call","params":{"name":"pl',
    "empty line": b"",
    "spaces": b"   ",
    "NUL bytes": b"\x00\x00\x00",
    "UTF-16": tool_line("play", LEGAL).decode().encode("utf-16"),
    "bad UTF-8 byte": b"\xff\xfe" + tool_line("play", LEGAL),
    "bad UTF-8 byte in an argument": tool_line("play", '{"move": "@"}').replace(b"@", b"\xc3\x28"),
    "lone surrogate in the tool's name": tool_line("pl\\ud800ay", LEGAL),
    "lone surrogate in an argument": tool_line("play", '{"move": "\\ud800"}'),
    "lone surrogate in a name": tool_line("new_game", '{"game": "\\udfff"}'),
    "lone surrogate in a key": tool_line("play", '{"move": "x", "\\udc00": 1}'),
    "lone surrogate in the method": b'{"jsonrpc":"2.0","id":900,"method":"\\ud800"}',
    "lone surrogate in the id": b'{"jsonrpc":"2.0","id":"\\ud800","method":"tools/list"}',
    "not a number": tool_line("play", '{"move": "x", "move_no": NaN}'),
    "infinity": tool_line("play", '{"move": "x", "move_no": 1e999}'),
    "5,000 digits": tool_line("play", '{"move": "x", "move_no": ' + "9" * 5000 + "}"),
    "5 MB in an argument": tool_line("play", f'{{"move": "{"a" * 5_000_000}"}}'),
    "5 MB in an argument's name": tool_line("play", f'{{"{"a" * 5_000_000}": "x"}}'),
    "5 MB in the tool's name": tool_line("a" * 5_000_000, LEGAL),
    "5 MB in the method": tool_line("play", LEGAL).replace(b"tools/call", b"a" * 5_000_000),
    "5 MB of nothing": b"a" * 5_000_000,
    "deep": tool_line("play", '{"move": ' + "[" * 100_000 + "]" * 100_000 + "}"),
    "unknown method": b'{"jsonrpc":"2.0","id":900,"method":"tools/play","params":{}}',
    "unknown tool": tool_line("cheat", LEGAL),
    "arguments a list": tool_line("play", '["MOVE"]'),
    "arguments a text": tool_line("play", '"MOVE"'),
    "arguments null": tool_line("play", "null"),
    "no arguments": tool_line("play", "{}"),
    "no params": b'{"jsonrpc":"2.0","id":900,"method":"tools/call"}',
    "params a list": b'{"jsonrpc":"2.0","id":900,"method":"tools/call","params":["play"]}',
    "the call as a notification": tool_line("play", LEGAL).replace(b'"id":900,', b""),
    "an id that is an object": tool_line("play", LEGAL).replace(b":900", b":{}"),
    "no version": tool_line("play", LEGAL).replace(b'"jsonrpc":"2.0",', b""),
    "version 1": tool_line("play", LEGAL).replace(b"2.0", b"1.0"),
    "a batch": b"[" + tool_line("play", LEGAL) + b"]",
    "an answer to no question": b'{"jsonrpc":"2.0","id":900,"result":{}}',
    "a list": b"[]",
    "null": b"null",
}
"""Lines that must leave the game as it is; MOVE stands for a legal move."""
ECHOED = ("5 MB in the tool's name", "5 MB in the method")
"""Names that the SDK repeats when it does not know them."""


async def test_after_a_broken_line_the_next_call_is_answered_and_the_game_unchanged() -> None:
    async with piped() as pipes:
        await pipes.ok("new_game", seed=1)
        state = await pipes.ok("get_state")
        move = (await pipes.ok("legal_moves", format="list")).splitlines()[0]
        for count, (label, broken) in enumerate(BROKEN.items()):
            before = len(pipes.lines)
            broken = broken.replace(b"MOVE", move.encode())
            await pipes.send(broken.replace(b"900", b"%d" % (900_000 + count)))
            assert await pipes.ok("get_state") == state, label
            printed = json.dumps(pipes.lines[before:])
            if label not in ECHOED:
                assert len(printed) < 5_000, f"{label}: {printed[:300]}"
            jargon = re.search(r"traceback|\.py\b|pydantic\.dev", printed, re.IGNORECASE)
            assert not jargon, f"{label}: {printed[:300]}"
        assert number(await pipes.ok("play", move=move)) > number(state)
        assert await pipes.end(GONE_IN) == 0
        await pipes.drain()


async def test_many_broken_lines_in_one_write_lose_no_answer() -> None:
    async with piped() as pipes:
        lines: list[bytes] = []
        wanted: list[int] = []
        for count, broken in enumerate(BROKEN.values()):
            if len(broken) < 10_000:
                lines += [broken.replace(b"900", b"%d" % (900 + count)), pipes.tool("list_games")]
                wanted.append(pipes.sent)
        await pipes.send(*lines)
        for one in wanted:
            assert (await pipes.result(one)).text == "no games"


# --- races -------------------------------------------------------------------------------------

RACES = 100
RACING = (
    sys.executable,
    "-c",
    "import sys; sys.setswitchinterval(1e-6); from smashclash_mcp.cli import serve; serve()",
)
"""The server with threads that take turns so often that a step which is not one shows."""


async def played(pipes: Pipes, table: str, start: str) -> list[str]:
    """Return the moves of a game, which it ends."""
    await pipes.ok("resign", game_id=table)
    record = Record.parse(await pipes.ok("get_replay", game_id=table))
    record.replay()
    moves = [name for _, name in record.moves]
    assert moves[-1] == "resign"
    return moves[number(start) - 1 : -1]


async def race(pipes: Pipes, arguments: Sequence[dict[str, Any]]) -> list[Said]:
    """Send calls of `play` in one write and return their answers."""
    first = pipes.sent + 1
    await pipes.send(*[pipes.tool("play", **one) for one in arguments])
    return [await pipes.result(one) for one in range(first, pipes.sent + 1)]


@pytest.mark.parametrize("opponent", ["self", "house"])
async def test_one_move_sent_twice_at_once_with_its_number_lands_once(opponent: str) -> None:
    async with piped(*RACING) as pipes:
        for seed in range(RACES):
            start = await pipes.ok("new_game", opponent=opponent, seed=seed, ruleset="classic")
            table = game_id(start)
            legal = (await pipes.ok("legal_moves", game_id=table, format="list")).splitlines()
            call = {"move": legal[seed % len(legal)], "game_id": table, "move_no": number(start)}
            answers = await race(pipes, [call, call])
            assert not any(answer.is_error for answer in answers)
            noted = [a.text.startswith("already played as move ") for a in answers]
            assert sorted(noted) == [False, True]
            moves = await played(pipes, table, start)
            assert len(moves) == (2 if opponent == "house" else 1)
            assert moves[0] == call["move"]


@pytest.mark.parametrize("numbered", [True, False])
@pytest.mark.parametrize("opponent", ["self", "house"])
async def test_of_two_moves_sent_at_once_that_exclude_each_other_one_lands(
    opponent: str, numbered: bool
) -> None:
    async with piped(*RACING) as pipes:
        for seed in range(RACES):
            start = await pipes.ok("new_game", opponent=opponent, seed=seed, ruleset="classic")
            table = game_id(start)
            listed = await pipes.ok("legal_moves", game_id=table, format="list")
            legal = [name for name in listed.splitlines() if "@" in name]
            card = legal[0].partition("@")[0] + "@"
            one, other = [name for name in legal if name.startswith(card)][:2]
            extra: dict[str, Any] = {"move_no": number(start)} if numbered else {}
            calls = [{"move": move, "game_id": table, **extra} for move in (one, other)]
            answers = await race(pipes, calls)
            assert sorted(answer.is_error for answer in answers) == [False, True]
            (refused,) = [answer for answer in answers if answer.is_error]
            assert refused.text.startswith("illegal: ")
            landed = next(
                call["move"] for call, a in zip(calls, answers, strict=True) if not a.is_error
            )
            moves = await played(pipes, table, start)
            assert moves[0] == landed
            assert len(moves) == (2 if opponent == "house" else 1)


async def test_many_calls_at_once_are_all_answered_and_one_lands() -> None:
    async with piped(*RACING) as pipes:
        start = await pipes.ok("new_game", opponent="self", ruleset="classic", seed=3)
        key = keys(start)["You are B" in start]
        legal = await pipes.ok("legal_moves", game_id=key, format="list")
        moves = [name for name in legal.splitlines() if "@" in name]
        answers = await race(pipes, [{"move": move, "game_id": key} for move in moves])
        assert len(answers) == len(moves) > 40
        landed = [move for move, a in zip(moves, answers, strict=True) if not a.is_error]
        assert await played(pipes, game_id(start), start) == landed
        assert len(landed) == 1
        assert all(a.text.startswith("not_your_turn: ") for a in answers if a.is_error)


async def test_a_resignation_and_a_move_at_once_end_the_game_once() -> None:
    async with piped(*RACING) as pipes:
        for seed in range(RACES):
            start = await pipes.ok("new_game", opponent="self", seed=seed)
            key = keys(start)["You are B" in start]
            listed = await pipes.ok("legal_moves", game_id=key, format="list")
            first = pipes.sent + 1
            await pipes.send(
                pipes.tool("play", move=listed.splitlines()[0], game_id=key),
                pipes.tool("resign", game_id=key),
                pipes.tool("resign", game_id=key),
            )
            answers = [await pipes.result(one) for one in range(first, first + 3)]
            assert sorted(a.is_error for a in answers[1:]) == [False, True]
            record = Record.parse(await pipes.ok("get_replay", game_id=key))
            record.replay()
            names = [name for _, name in record.moves]
            assert names.count("resign") == 1
            assert len(names) == (1 if answers[0].is_error else 2)


async def test_the_check_of_a_move_and_the_move_are_one_step(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    both = threading.Barrier(2)
    honest = Match.play

    def play(match: Match, move: int) -> list[Played]:
        with contextlib.suppress(threading.BrokenBarrierError):
            both.wait(0.3)  # only without the lock do two calls, both found legal, meet here
        return honest(match, move)

    async with connected("modern", tables := Tables()) as player:
        start = await player.ok("new_game", opponent="self", ruleset="classic", seed=1)
        key = keys(start)["You are B" in start]
        moves = [name for name in await player.legal(key) if "@" in name][:2]
        monkeypatch.setattr(Match, "play", play)
        answers: list[Said] = []

        async def send(move: str) -> None:
            answers.append(await player.call("play", {"move": move, "game_id": key}))

        async with anyio.create_task_group() as group:
            for move in moves:
                group.start_soon(send, move)
        assert sorted(answer.is_error for answer in answers) == [False, True]
        (refused,) = [answer for answer in answers if answer.is_error]
        assert refused.text.startswith("not_your_turn: ")
        assert len(tables.find("").table.match.played) == 1


# --- the end -----------------------------------------------------------------------------------

SLOW_HOUSE = """
import threading
from smashclash_mcp import GAMES, players
from smashclash_mcp.games.base import Level
class Slow:
    def choose(self, view, dice):
        {work}
        return view.legal_moves()[0]
players.PLAYERS["slow"] = lambda level: Slow()
GAMES["smashclash"].levels["slow"] = Level("slow")
from smashclash_mcp.cli import serve
serve(memory=True)
"""
SLOW = {
    "waiting": "threading.Event().wait(60)",
    "computing": "sum(n * n for n in range(10**9))",
}


async def test_with_stdin_closed_the_process_is_gone() -> None:
    async with piped() as pipes:
        await pipes.ok("new_game")
        assert await pipes.end(GONE_IN) == 0


async def test_with_stdin_closed_before_the_first_line_the_process_is_gone() -> None:
    async with await anyio.open_process((sys.executable, "-m", "smashclash_mcp")) as process:
        assert process.stdin
        with anyio.fail_after(20):  # its start is in here
            await process.stdin.aclose()
            assert await process.wait() == 0


async def test_with_stdin_closed_the_process_is_gone_while_calls_wait() -> None:
    async with piped() as pipes:
        start = await pipes.ok("new_game", opponent="self")
        waiting = keys(start)["You are A" in start]
        await pipes.send(*[pipes.tool("get_state", game_id=waiting, wait_s=20) for _ in range(5)])
        await pipes.ok("get_state", game_id=waiting)  # they are being waited for by now
        assert await pipes.end(GONE_IN) == 0


@pytest.mark.parametrize("work", SLOW)
async def test_with_stdin_closed_the_process_is_gone_while_the_house_thinks(work: str) -> None:
    async with piped(sys.executable, "-c", SLOW_HOUSE.format(work=SLOW[work])) as pipes:
        await start_thinking(pipes)
        await pipes.end(GONE_IN)


@pytest.mark.parametrize("work", SLOW)
async def test_an_interrupt_ends_the_process_at_once_while_the_house_thinks(work: str) -> None:
    async with piped(sys.executable, "-c", SLOW_HOUSE.format(work=SLOW[work])) as pipes:
        await start_thinking(pipes)
        pipes.process.send_signal(signal.SIGINT)
        with anyio.fail_after(GONE_IN):
            assert await pipes.process.wait() == -signal.SIGINT


async def start_thinking(pipes: Pipes) -> None:
    """Make the house think about its first move, in a new game and in reply to a move."""
    seeds = {first: opening(first) for first in (0, 1)}
    start = await pipes.ok("new_game", level="slow", seed=seeds[0], seat="A")
    legal = await pipes.ok("legal_moves", format="list")
    await pipes.send(
        pipes.tool("play", move=legal.splitlines()[0], game_id=game_id(start)),
        pipes.tool("new_game", level="slow", seed=seeds[1], seat="A"),
        pipes.request("ping", {}),
    )
    await pipes.answer(pipes.sent)
    assert len(pipes.answered) == pipes.sent - 2


def opening(first: int) -> int:
    """Return a seed that lets a seat begin, whose first move listed is offered no hop."""
    for seed in range(100):
        match = Match(Setup("smashclash", "mutators", seed))
        match.play(match.position.legal_moves()[0])
        if match.first == first and match.to_move == 1 - first:
            return seed
    raise AssertionError(first)


async def test_while_the_house_thinks_other_calls_are_answered() -> None:
    async with piped(sys.executable, "-c", SLOW_HOUSE.format(work=SLOW["waiting"])) as pipes:
        await start_thinking(pipes)
        # What asks about the game in which it thinks may have to wait, but alone.
        slow = (await pipes.ok("list_games")).split()[0]
        await pipes.send(pipes.tool("get_state", game_id=slow))
        await pipes.send(pipes.tool("legal_moves", game_id=slow))
        table = game_id(await pipes.ok("new_game", opponent="self"))
        assert game_id(await pipes.ok("get_state", game_id=table)) == table
        assert slow in await pipes.ok("list_games", status="active")


async def test_an_interrupt_ends_the_process_at_once() -> None:
    async with piped() as pipes:
        await pipes.ok("new_game")
        pipes.process.send_signal(signal.SIGINT)
        with anyio.fail_after(GONE_IN):
            assert await pipes.process.wait() == -signal.SIGINT
