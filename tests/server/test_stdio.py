"""The real server over raw pipes: its lines, broken input, races, its end, and what it gives away.

`Canary` is the check of what is given away. It holds every answer of whole games against what the
seat that was answered may know by then, worked out from the record after the game; faults planted
on purpose show that it sees.
"""

from __future__ import annotations

import contextlib
import json
import random
import re
import signal
import sys
import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

import anyio
import pytest

from smashclash_mcp import Match, Record, Setup
from smashclash_mcp.games.base import Played
from smashclash_mcp.games.smashclash import Position, text, view
from smashclash_mcp.games.smashclash.cards import DECK, IDS, NAMES
from smashclash_mcp.games.smashclash.notation import EXAMPLES
from smashclash_mcp.server import strict, tools
from smashclash_mcp.tables import Reply, Table, Tables

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
        (table,) = tables.all()
        assert len(table.match.played) == 1


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
serve()
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


# --- what is given away ------------------------------------------------------------------------

SEED = 8_123_456_789_012_345
_NAMES = "|".join(re.escape(NAMES[card]) for card in sorted(DECK, key=lambda c: -len(NAMES[c])))
_CARD = re.compile(rf"\b(?:{_NAMES})(?!\w)")
_NUMBER = {NAMES[card]: card for card in DECK}


class LeakError(AssertionError):
    """An answer told a seat something that it may not know."""


class Caller(Protocol):
    async def call(self, tool: str, arguments: dict[str, Any]) -> Said: ...


@dataclass
class Canary:
    """Calls tools and keeps every answer, with the seat that got it and the move it came at."""

    caller: Caller
    ply: int = 0
    over: bool = False
    heard: list[tuple[int | None, int, str, str]] = field(
        default_factory=list[tuple[int | None, int, str, str]]
    )

    async def call(self, seat: int | None, tool: str, **arguments: Any) -> Said:
        answer = await self.caller.call(tool, arguments)
        if self.over:  # then all is open
            return answer
        if tool == "play" and not answer.is_error:
            self.ply = number(answer.text) - 1
            self.over = "\nResult: " in answer.text
        asked = str(arguments.get("move", ""))
        self.heard.append((seat, self.ply, asked, answer.text))
        if answer.data is not None:
            self.heard.append((seat, self.ply, asked, json.dumps(answer.data, ensure_ascii=False)))
        return answer

    def check(self, record: Record) -> None:
        """Raise LeakError for an answer that tells more than its seat may know."""
        seen = known_cards(record)
        start = Match(record.setup).position
        assert isinstance(start, Position)
        deck = start.deck
        # Five in a row: four may be a card's sides.
        orders = [deck[at : at + 5] for at in range(10, len(deck) - 4)]
        for seat, ply, asked, told in self.heard:
            told = told.replace(EXAMPLES, "").replace("like `Pengu@C2`", "")
            if str(record.setup.seed) in told.replace(",", ""):
                raise LeakError(f"the seed, at ply {ply}: {told}")
            may = seen[ply][seat] | cards_in(asked)
            if secret := cards_in(told) - may:
                names = [NAMES[card] for card in secret]
                raise LeakError(f"{names} told to seat {seat} at ply {ply}: {told}")
            for order in orders:
                for ids in ([IDS[card] for card in order], order):
                    if re.search(r"[ ,]\s*".join(rf"\b{number}\b" for number in ids), told):
                        raise LeakError(f"the deck's order, at ply {ply}: {told}")


def cards_in(told: str) -> set[int]:
    return {_NUMBER[name] for name in _CARD.findall(told)}


def known_cards(record: Record) -> list[dict[int | None, set[int]]]:
    """Return, for each ply, the cards that each seat and a spectator have come to know."""
    match = Match(record.setup)
    known: dict[int | None, set[int]] = {0: set(), 1: set(), None: set()}
    plies: list[dict[int | None, set[int]]] = []

    def look(position: Position) -> None:
        public = {piece & 63 for piece in position.board if piece} | set(position.gone())
        for seat, cards in known.items():
            cards |= public
            if seat is not None:
                cards |= set(position.hands[seat])
                if position.top == len(position.deck):  # what is left is in the other hand
                    cards |= set(DECK)
        plies.append({seat: set(cards) for seat, cards in known.items()})

    assert isinstance(match.position, Position)
    look(match.position)
    for ply, (seat, name) in enumerate(record.moves, 1):
        if name == "SWAP":  # each seat keeps in mind what it gives away
            for one, hand in enumerate(match.position.hands):
                known[one] |= set(hand)
        if name == "resign":
            match.resign(seat)
        elif ply > len(match.played):
            match.play(match.game.moves_by_name[name])
        look(match.position)
    return plies


async def ask_about(canary: Canary, seat: int | None, ask: dict[str, Any], hidden: str) -> None:
    """Ask for everything, and try wrong moves, those with other cards' names among them."""
    for shape in ("text", "json"):
        await canary.call(seat, "get_state", format=shape, **ask)
    for shape in ("text", "list", "json"):
        await canary.call(seat, "legal_moves", format=shape, **ask)
    for move in (f"{hidden}@A1", f"{hidden}!C2", hidden, "nonsense", "hop→E3", "BOULDER(C2)"):
        await canary.call(seat, "play", move=move, **ask)  # now and then it is legal
    await canary.call(seat, "play", move="nonsense", move_no=1, **ask)
    await canary.call(seat, "play", move="nonsense", move_no=999, **ask)
    await canary.call(None, "list_games")
    await canary.call(seat, "get_replay", **ask)


async def play_and_listen(caller: Caller, opponent: str, seed: int, ruleset: str) -> Canary:
    """Play a whole game, asking every seat's questions at each move; check all answers."""
    canary = Canary(caller)
    choose = random.Random(seed)
    start = await caller.call(
        "new_game", {"opponent": opponent, "seed": SEED + seed, "ruleset": ruleset, "hints": True}
    )
    block = start.text.partition("\n")[2] if opponent == "self" else start.text
    canary.ply = number(block) - 1
    own = 0 if opponent == "house" else "AB".index(block.partition("You are ")[2][0])
    canary.heard.append((own, canary.ply, "", block))
    table = game_id(block)
    ids = keys(start.text) if opponent == "self" else (table,)
    ask = [{"game_id": one} for one in ids]
    while not canary.over:
        name = NAMES[choose.choice(DECK)]
        for seat, argument in enumerate(ask):
            await ask_about(canary, seat, argument, name)
            legal = (await canary.call(seat, "legal_moves", format="list", **argument)).text
            if moves := legal.splitlines():
                move = "SWAP" if "SWAP" in moves else choose.choice(moves)
                await canary.call(seat, "play", move=move, **argument)
    replay = await caller.call("get_replay", {"game_id": table})
    assert not replay.is_error, replay.text
    canary.check(Record.parse(replay.text))
    return canary


@pytest.mark.parametrize("seed", range(2))
@pytest.mark.parametrize("ruleset", ["mutators", "classic"])
@pytest.mark.parametrize("opponent", ["house", "self"])
async def test_no_answer_gives_away_a_card_the_seed_or_the_decks_order(
    opponent: str, ruleset: str, seed: int
) -> None:
    async with piped() as pipes:
        canary = await play_and_listen(pipes, opponent, seed, ruleset)
    assert len(canary.heard) > 100


def leaks_seed(patch: pytest.MonkeyPatch) -> None:
    honest = tools._render  # pyright: ignore[reportPrivateUsage]

    def render(table: Table, reply: Reply, format: str) -> strict.Answer:
        answer = honest(table, reply, format)
        return strict.Answer(f"{answer.text}\nseed {table.match.setup.seed}", answer.data)

    patch.setattr(tools, "_render", render)


def leaks_the_other_hand(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(view, "_blanked", lambda position, seat, gone: position.copy())  # pyright: ignore


def leaks_a_card_in_a_refusal(patch: pytest.MonkeyPatch) -> None:
    honest = Table.play

    def play(table: Table, typed: str, seat: int | None = None, move_no: int = 0) -> Reply:
        if typed == "nonsense":
            own = table.client_seat if seat is None else seat
            hand = table.match.position.snapshot()["hands"]["AB"[own == 0]]
            raise strict.CallError("format", f"no card; did you mean {hand[0]}?")
        return honest(table, typed, seat, move_no)

    patch.setattr(Table, "play", play)


def leaks_the_deck_in_the_list(patch: pytest.MonkeyPatch) -> None:
    honest = tools._listed  # pyright: ignore[reportPrivateUsage]

    def listed(table: Table) -> str:
        position = table.match.position
        assert isinstance(position, Position)
        return f"{honest(table)} {[IDS[card] for card in position.deck[position.top :]]}"

    patch.setattr(tools, "_listed", listed)


def leaks_a_draw(patch: pytest.MonkeyPatch) -> None:
    honest = text.told

    def told(entry: Any) -> str:
        drawn = [event for event in entry.public if event[0] == "draw"]
        return honest(entry) + "".join(f" drew {NAMES[at % 51 + 1]}" for _, _, at in drawn)

    patch.setattr(text, "told", told)


PLANTED: Sequence[Callable[[pytest.MonkeyPatch], None]] = (
    leaks_seed,
    leaks_the_other_hand,
    leaks_a_card_in_a_refusal,
    leaks_the_deck_in_the_list,
    leaks_a_draw,
)


@pytest.mark.parametrize("opponent", ["house", "self"])
@pytest.mark.parametrize("plant", PLANTED, ids=lambda plant: plant.__name__)
async def test_a_planted_leak_is_caught(
    plant: Callable[[pytest.MonkeyPatch], None], opponent: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    plant(monkeypatch)
    async with connected("modern") as player:
        caught = False
        try:
            await play_and_listen(player, opponent, 1, "mutators")
        except LeakError:
            caught = True
    assert caught


async def test_the_canary_is_silent_in_memory_without_a_planted_leak() -> None:
    async with connected("modern") as player:
        await play_and_listen(player, "self", 1, "mutators")
