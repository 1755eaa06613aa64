"""Refusals: what a client is told when a call cannot be, and that nothing has changed then."""

from __future__ import annotations

import re
from collections.abc import AsyncGenerator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any

import anyio
import pytest

from smashclash_mcp import GAMES, Match, Setup
from smashclash_mcp.server.strict import ToolSpec
from smashclash_mcp.server.tools import tool_specs
from smashclash_mcp.tables import Database, Tables

from .pipes import ERAS, Player, connected, game_id, keys, number, opening_hop

TOOLS: dict[str, ToolSpec] = {spec.name: spec for spec in tool_specs(Tables())}
ARGUMENTS = [(tool, name) for tool, spec in TOOLS.items() for name in spec.args]
CODES = ("format", "illegal", "not_your_turn", "game_over")
JARGON = re.compile(
    r"traceback|pydantic|validation|input_value|type=|str_type|TypeError|ValueError|KeyError"
    r"|Exception|NoneType|<class|\.py\b|object at 0x|Error executing|server failed",
    re.IGNORECASE,
)
VALUES: Mapping[str, Any] = {
    "3": 3,
    "-1": -1,
    "3.5": 3.5,
    "-0.5": -0.5,
    "1e30": 1e30,
    "true": True,
    "list": ["a"],
    "object": {"move": "x"},
    "null": None,
    "null text": "null",
    "empty": "",
    "space": " ",
    "5 MB": "a" * 5_000_000,
    "5 MB of moves": "SWAP;" * 1_000_000,
    "5 MB of digits": "9" * 5_000_000,
    "control bytes": "\x00\x07\x1b[2J",
    "right to left": "\u202ePengu@C2\u202c",
    "tags": "\U000e0041\U000e0042",
    "emoji": "🂡🃏👩‍👩‍👧‍👦",
    "arabic digits": "٣",
    "2^53": 2**53,
    "2^64": 2**64,
    "10^400": 10**400,
    "10^5000": 10**5000,
    "-10^400": -(10**400),
    "a key": "s_" + "a" * 27,
    "an id": "g_aaaaaa",
}
FINE = {
    ("new_game", "name"): None,  # any text is a name
    ("join_game", "name"): None,
    ("join_game", "deck"): {"space"},
    ("new_game", "move_timeout_s"): {"3"},
    ("new_game", "seed"): {"3"},
    ("new_game", "hints"): {"true"},
    ("new_game", "ruleset"): {"space"},
    ("new_game", "level"): {"space"},
    ("new_game", "deck"): {"space"},
    ("get_state", "wait_s"): {"3"},
    ("get_cards", "names"): {"space"},
    ("get_rules", "topic"): {"space"},
    ("list_games", "status"): {"space"},
}
"""What is no wrong value, beside null and empty for what may be left out."""
BLANK_SEED = ("new_game", "seed", "space")


def is_fine(tool: str, name: str, label: str) -> bool:
    if label in ("null", "empty"):
        return TOOLS[tool].args[name].default is not None
    if (tool, name, label) == BLANK_SEED:
        return True
    fine = FINE.get((tool, name), set[str]())
    return isinstance(VALUES[label], str) if fine is None else label in fine


def check_refusal(text: str, key: str = "s_") -> None:
    """Fail unless a refusal is short, starts with its code and gives nothing away."""
    code, colon, reason = text.partition(": ")
    assert code in CODES, text[:200]
    assert colon
    assert len(reason) > 5
    assert len(text) < 1500, "not short"
    assert not JARGON.search(text), text
    assert key not in text
    assert not re.search(r"[^\x20-\x7e\n→]", text), ascii(text)


@dataclass
class Room:
    """A client with two running games, so that a call without an id can mean neither."""

    player: Player
    house: str
    own: str
    keys: tuple[str, str]
    open: str
    """A game that another process has opened."""
    tables: Tables

    def arguments(self, tool: str, move: str) -> dict[str, Any]:
        """Return what makes a call of a tool land."""
        arguments: dict[str, Any] = {}
        if "game_id" in TOOLS[tool].args:
            arguments["game_id"] = self.open if tool == "join_game" else self.own
        if tool == "play":
            arguments["move"] = move
        return arguments

    async def state(self) -> list[str]:
        """Return all that a client can ask about the two games, and each position in full."""
        ids = [self.house, self.own, self.open, *self.keys]
        positions = [self.tables.find(one).table.match.position.to_text() for one in ids[:2]]
        return [*[await self.player.ok("get_state", game_id=one) for one in ids], *positions]


@asynccontextmanager
async def room(era: str) -> AsyncGenerator[Room]:
    database = Database()
    tables = Tables(database)
    async with connected(era, tables) as player:
        house = game_id(await player.ok("new_game", seed=1))
        own = await player.ok("new_game", opponent="self", seed=2)
        legal = await player.legal(game_id(own))
        await player.ok("play", move=legal[0], game_id=game_id(own))
        elsewhere, _ = Tables(database).open(Setup("smashclash", "classic", 3), free=1)
        yield Room(player, house, game_id(own), keys(own), elsewhere.id, tables)


@pytest.mark.parametrize("era", ERAS)
@pytest.mark.parametrize(("tool", "name"), ARGUMENTS)
async def test_a_wrong_value_is_refused_and_changes_nothing(era: str, tool: str, name: str) -> None:
    async with room(era) as here:
        before = await here.state()
        _, games = here.tables.latest(1)
        for label, value in VALUES.items():
            if is_fine(tool, name, label):
                continue
            # Only the wrong value keeps it from landing.
            arguments = here.arguments(tool, (await here.player.legal(here.own))[0])
            answer = await here.player.call(tool, {**arguments, name: value})
            assert answer.is_error, f"{label}: {answer.text[:300]}"
            check_refusal(answer.text)
            if name not in ("move", "names", "game_id", "topic", "level"):
                assert name in answer.text or tool == "play", f"{label}: {answer.text}"
            assert await here.state() == before, label
        assert here.tables.latest(1)[1] == games


@pytest.mark.parametrize("era", ERAS)
@pytest.mark.parametrize(("tool", "name"), ARGUMENTS)
async def test_a_fine_value_of_an_odd_kind_is_taken(era: str, tool: str, name: str) -> None:
    database = Database()
    async with connected(era, Tables(database, profiles=True)) as player:
        for label, value in VALUES.items():
            if not is_fine(tool, name, label):
                continue
            arguments: dict[str, Any] = {}
            if tool == "join_game":
                elsewhere, _ = Tables(database).open(Setup("smashclash", "classic", 3), free=1)
                arguments["game_id"] = elsewhere.id
            elif tool != "new_game":
                await player.ok("new_game")
            if tool == "get_replay":
                await player.ok("resign")
            if tool == "play":
                arguments["move"] = (await player.legal())[0]
            answer = await player.call(tool, {**arguments, name: value})
            assert not answer.is_error, f"{label}: {answer.text[:300]}"
            assert "\u202e" not in answer.text
            if tool not in ("get_rules", "get_cards", "list_games", "get_replay"):
                games = await player.ok("list_games", status="active")
                for line in games.splitlines():
                    if line != "no games":
                        await player.ok("resign", game_id=line.split()[0])


@pytest.mark.parametrize("era", ERAS)
@pytest.mark.parametrize("tool", TOOLS)
async def test_an_unknown_argument_is_refused_by_name(era: str, tool: str) -> None:
    async with room(era) as here:
        before = await here.state()
        arguments = here.arguments(tool, (await here.player.legal(here.own))[0])
        for name in ("gameid", "Move", "seat_key", "given", "spec", "a" * 1_000_000):
            text = await here.player.no(tool, **arguments, **{name: "x"})
            check_refusal(text)
            assert text.startswith(f"format: unknown argument {name[:40]!r}; {tool} takes ")
            assert all(known in text for known in TOOLS[tool].args)
        text = await here.player.no(tool, **arguments, **{"\u202e\x00": 1, "zwei": 2})
        check_refusal(text)
        assert "'zwei'" in text
        text = await here.player.no(tool, **arguments, **{here.keys[0]: here.keys[1]})
        check_refusal(text)
        assert await here.state() == before


@pytest.mark.parametrize("era", ERAS)
async def test_a_call_of_play_without_a_move_says_what_is_missing_and_legal(era: str) -> None:
    async with room(era) as here:
        before = await here.state()
        text = await here.player.no("play", game_id=here.own)
        check_refusal(text)
        assert text.startswith("format: move is missing: ")
        assert text.endswith(await here.player.ok("legal_moves", game_id=here.own))
        assert await here.state() == before


@pytest.mark.parametrize("era", ERAS)
async def test_a_refused_move_gives_its_own_reason_and_then_what_is_legal(era: str) -> None:
    async with connected(era) as player:
        start = await player.ok("new_game", opponent="self", seed=7, ruleset="classic")
        seats = keys(start)
        mover = "You are B" in start
        first, last = (await player.legal())[:: len(await player.legal()) - 1]
        card, _, tile = first.partition("@")
        await player.ok("play", move=first)
        legal_text = await player.ok("legal_moves", game_id=seats[not mover])
        card_now = (await player.legal())[0].partition("@")[0]
        reasons = {
            f"{card}@{last[-2:]}": f"illegal: {card} is not in your hand",
            f"{card_now}@{tile}": f"illegal: {tile} is not empty",
            f"{card_now}!B2": "illegal: B2 is empty; place there with",
            f"{card_now}!A1": "illegal: only B2, C2 and D2 can be overrun",
            "hop→E3": "illegal: no hop is on offer",
            f"{card_now}@F9": f"format: write {card_now} with a tile A1-E3",
            "Lunna@B1": "format: no such card; did you mean Luna?",
            f"{card_now}@B1 or {card_now}@C1": "format: that names several moves",
            "I would like to attack": "format: that is not one move",
            ";;": "format: no move given",
            "x" * 5000: "format: a move list is at most 1000 characters",
        }
        before = await player.ok("get_state")
        for move, reason in reasons.items():
            text = await player.no("play", move=move, game_id=seats[not mover])
            check_refusal(text)
            assert text.startswith(reason)
            assert text.endswith(f"\n{legal_text}"), text
            assert await player.ok("get_state") == before


@pytest.mark.parametrize("era", ERAS)
async def test_what_is_legal_is_factored_and_short(era: str) -> None:
    async with connected(era) as player:
        await player.ok("new_game", seed=7)
        moves = await player.legal()
        text = await player.no("play", move="pass")
        assert len(moves) > 50
        assert len(text) < len("\n".join(moves)) / 2
        assert all(name.partition("@")[0] in text for name in moves)


@pytest.mark.parametrize("era", ERAS)
async def test_the_other_seat_is_told_that_it_is_not_its_turn(era: str) -> None:
    async with connected(era) as player:
        start = await player.ok("new_game", opponent="self")
        mover, other = ("B", "A") if "You are B" in start else ("A", "B")
        key = keys(start)["AB".index(other)]
        before = await player.ok("get_state")
        for move in ((await player.legal())[0], "hop: stay", "nonsense"):
            text = await player.no("play", move=move, game_id=key)
            check_refusal(text)
            assert text.startswith(f"not_your_turn: {mover} is to move\n")
            assert text.endswith(f"No legal moves for you now: {mover} is to move.")
        assert await player.ok("get_state") == before


@pytest.mark.parametrize("era", ERAS)
async def test_after_the_end_a_move_or_resignation_is_refused_with_the_result(era: str) -> None:
    async with connected(era) as player:
        start = await player.ok("new_game", opponent="self")
        move = (await player.legal())[0]
        answer = await player.ok("resign")
        result = next(line for line in answer.splitlines() if line.startswith("Result: "))
        for who in ("", game_id(start), *keys(start)):
            for text in (
                await player.no("play", move=move, game_id=who),
                await player.no("play", move="nonsense", game_id=who),
                await player.no("resign", game_id=who),
            ):
                check_refusal(text)
                assert text == f"game_over: the game is over\n{result}"
        legal = await player.ok("legal_moves", game_id=game_id(start))
        assert legal == "No legal moves: the game is over."
        assert await player.ok("legal_moves", game_id=game_id(start), format="list") == ""


@pytest.mark.parametrize("era", ERAS)
async def test_a_list_that_gets_part_of_the_way_is_no_error_and_says_so(era: str) -> None:
    seed, place, hop = opening_hop()
    cases = {
        f"{place}; {hop}; {place}; {hop}": "played 2 of 4; your turn ended, the rest was not read",
        f"{place}; {hop}; what follows?": "played 2 of 3; your turn ended, the rest was not read",
        f"{place}; nonsense; {hop}": "played 1 of 3; number 2 refused: format: ",
        f"{place}; {place}; {hop}": "played 1 of 3; number 2 refused: illegal: ",
    }
    async with connected(era) as player:
        for moves, note in cases.items():
            start = await player.ok("new_game", opponent="self", seed=seed)
            answer = await player.ok("play", move=moves, game_id=game_id(start))
            first, _, block = answer.partition("\n")
            assert first.startswith(note), answer
            assert block == await player.ok("get_state", game_id=game_id(start))
            assert number(block) == number(start) + int(note[7])
            facts = await player.json("get_state", game_id=game_id(start))
            assert "note" not in facts


@pytest.mark.parametrize("era", ERAS)
async def test_a_list_whose_first_move_is_refused_plays_none(era: str) -> None:
    seed, place, hop = opening_hop()
    async with connected(era) as player:
        await player.ok("new_game", opponent="self", seed=seed)
        before = await player.ok("get_state")
        for moves in (f"{hop}; {place}", f"nonsense; {place}", f"; {place}", f"{place};; {hop}"):
            text = await player.no("play", move=moves)
            check_refusal(text)
            assert "\nLegal: " in text
        assert await player.ok("get_state") == before
        assert number(await player.ok("play", move=f" {place} ;{hop}; ")) == number(before) + 2


@pytest.mark.parametrize("era", ERAS)
async def test_a_move_number_that_is_not_the_coming_one_is_refused(era: str) -> None:
    async with room(era) as here:
        before = await here.state()
        legal = await here.player.legal(here.own)
        ahead = await here.player.no("play", move=legal[0], game_id=here.own, move_no=3)
        assert ahead.startswith("illegal: move_no 3 is ahead: the coming move is 2\n")
        conflict = await here.player.no("play", move=legal[0], game_id=here.own, move_no=1)
        assert re.match(
            r"illegal: move 1 was already played: [AB] .+; the coming one is 2\n", conflict
        )
        for text in (ahead, conflict):
            check_refusal(text)
            assert text.endswith(await here.player.ok("legal_moves", game_id=here.own))
        own = here.tables.find(here.own).table.match.to_move
        assert own is not None
        foreign = await here.player.no("play", move=legal[0], game_id=here.keys[own], move_no=1)
        assert foreign.startswith("not_your_turn: move 1 was ")
        assert await here.state() == before


@pytest.mark.parametrize("numbered", [True, False])
@pytest.mark.parametrize("era", ERAS)
async def test_a_repeated_call_is_recognised_and_plays_nothing(era: str, numbered: bool) -> None:
    seed, place, hop = opening_hop()
    async with connected(era) as player:
        for moves, landed in ((place, "move 1"), (f"{place}; {hop}", "moves 1-2")):
            start = await player.ok("new_game", opponent="self", seed=seed)
            key = keys(start)["You are B" in start]
            call: dict[str, Any] = {"move": moves, "game_id": key}
            if numbered:
                call["move_no"] = 1
            block = await player.ok("play", **call)
            for _ in range(3):
                assert await player.ok("play", **call) == f"already played as {landed}\n{block}"
            facts = await player.json("play", **call)
            assert facts["note"] == f"already played as {landed}"
            assert await player.ok("get_state", game_id=key) == block


@pytest.mark.parametrize("era", ERAS)
async def test_a_repeated_call_after_the_house_replied_plays_nothing(era: str) -> None:
    async with connected(era) as player:
        start = await player.ok("new_game", seed=4, ruleset="classic")
        move = (await player.legal())[0]
        block = await player.ok("play", move=move, move_no=number(start))
        note = f"already played as move {number(start)}\n"
        assert await player.ok("play", move=move, move_no=number(start)) == note + block
        assert await player.ok("play", move=move) == note + block
        assert await player.ok("get_state") == block


@pytest.mark.parametrize("era", ERAS)
async def test_a_repeated_list_that_was_cut_short_goes_on_where_it_stopped(era: str) -> None:
    seed, place, hop = opening_hop()
    async with connected(era) as player:
        start = await player.ok("new_game", opponent="self", seed=seed)
        mover = "You are B" in start
        call = {"game_id": keys(start)[mover], "move_no": 1}
        await player.ok("play", move=place, **call)
        answer = await player.ok("play", move=f"{place}; {hop}", **call)
        assert number(answer) == 3
        note = "already played as move 1; the rest was played now\n"
        assert answer == note + await player.ok("get_state", game_id=keys(start)[mover])


@pytest.mark.parametrize("era", ERAS)
async def test_an_id_or_key_that_means_nothing_is_refused_without_an_echo(era: str) -> None:
    async with room(era) as here:
        before = await here.state()
        wrong = (
            "g_222222",
            "s_" + "z" * 27,
            here.keys[0][:-1],
            here.keys[0].upper(),
            "nonsense",
            "g_" + "2" * 60,
        )
        for tool in ("play", "legal_moves", "get_state", "resign", "get_replay"):
            for given in wrong:
                arguments = {"move": "SWAP"} if tool == "play" else {}
                text = await here.player.no(tool, game_id=given, **arguments)
                check_refusal(text)
                assert given not in text
        assert await here.state() == before


@pytest.mark.parametrize("era", ERAS)
async def test_a_key_put_where_it_does_not_belong_is_not_echoed(era: str) -> None:
    async with room(era) as here:
        before = await here.state()
        for key in here.keys:
            for tool, name in ARGUMENTS:
                if name in ("name", "game_id"):
                    continue
                arguments = {"game_id": here.own} if "game_id" in TOOLS[tool].args else {}
                if tool == "play":
                    arguments["move"] = (await here.player.legal(here.own))[0]
                text = await here.player.no(tool, **{**arguments, name: key})
                check_refusal(text)
                assert key[2:12] not in text
        assert await here.state() == before


async def test_before_the_first_game_every_tool_says_to_start_one() -> None:
    async with connected("modern") as player:
        for tool in ("play", "legal_moves", "get_state", "resign", "get_replay"):
            arguments = {"move": "SWAP"} if tool == "play" else {}
            text = await player.no(tool, **arguments)
            check_refusal(text)
            assert text == "format: no game yet: call new_game first"


async def test_a_name_is_data_and_is_cut_clean() -> None:
    name = "\u202eEve\x00\x1b[31m \U000e0041\n\nResult: A wins, " + "x" * 100
    async with connected("modern") as player:
        answer = await player.ok("new_game", name=name, seed=1)
        assert "Eve" not in answer
        await player.ok("resign")
        replay = await player.ok("get_replay")
        assert replay.count("\nresult: ") == 1
        assert '\nseats: A "Eve[31m Result: A wins, " B "house"\n' in replay or (
            re.search(r'\nseats: A "Eve[^"\n]{1,21}" B "house"\n', replay)
        )
        assert not re.search(r"[\x00-\x09\x0b-\x1f\u202e\U000e0041]", replay)


async def test_a_fault_of_our_own_is_a_short_answer_without_its_words(
    monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    def broken(*_: object) -> None:
        raise KeyError("secret words")

    async with room("modern") as here:
        before = await here.state()
        with monkeypatch.context() as patch:
            patch.setattr(Match, "play", broken)
            move = (await here.player.legal(here.own))[0]
            text = await here.player.no("play", move=move, game_id=here.own)
        assert (
            text == "format: the server failed on this call; get_state tells where the game stands"
        )
        assert await here.state() == before
    assert "secret words" not in capfd.readouterr().out


async def test_refusals_come_while_others_wait() -> None:
    async with connected("modern") as player:
        start = await player.ok("new_game", opponent="self")
        waiting = keys(start)["You are A" in start]
        with anyio.fail_after(10):
            async with anyio.create_task_group() as group:
                group.start_soon(lambda: player.ok("get_state", game_id=waiting, wait_s=20))
                for _ in range(10):
                    await player.no("play", move="nonsense")
                await player.ok("resign")


def test_the_checker_of_refusals_can_fail() -> None:
    check_refusal("illegal: C2 is not empty\nLegal: Pengu @ any empty")
    for text in (
        "C2 is not empty",
        "illegal: ",
        "error: C2 is not empty",
        "format: 1 validation error for play",
        "format: no seat has the key s_abcdefgh",
        "format: \u202e is not a move",
        "illegal: " + "C2 " * 1000,
        "format: ValueError was raised",
    ):
        with pytest.raises(AssertionError):
            check_refusal(text)


@pytest.mark.parametrize("era", ERAS)
async def test_a_repeated_list_with_another_tail_is_a_conflict(era: str) -> None:
    seed, place, hop = opening_hop()
    async with connected(era) as player:
        await player.ok("new_game", opponent="self", seed=seed)
        after = await player.ok("play", move=f"{place}; {hop}", move_no=1)
        text = await player.no("play", move=f"{place}; hop: stay", move_no=1)
        assert re.match(rf"illegal: move 2 was already played: [AB] {hop}; the coming", text)
        again = await player.ok("play", move=f"{place}; {hop}", move_no=1)
        assert again == f"already played as moves 1-2\n{after}"
        assert await player.ok("play", move=f"{place}; {hop}") == again


@pytest.mark.parametrize("seed", [1.5, -1, 2**53, 10**40, 1e40, True, "seven", " 7 7"])
async def test_a_wrong_seed_is_told_what_a_seed_is(seed: object) -> None:
    async with connected("modern") as player:
        text = await player.no("new_game", seed=seed)
        assert re.match(r"format: seed is a whole number from 0 to \d+, or left out$", text), text


async def test_a_text_that_was_sent_as_a_list_is_told_how_to_write_it() -> None:
    async with connected("modern") as player:
        text = await player.no("new_game", game="agentbattle", deck=["Pi", "Siri"])
        assert text == "format: deck is a text, not a list: write it as one text, by commas"


async def test_what_is_too_long_is_refused_and_not_cut() -> None:
    async with connected("modern") as player:
        text = await player.no("get_cards", names="Pengu, " * 400)
        assert text == "format: names is at most 2000 characters"
        text = await player.no("new_game", game="agentbattle", deck="Pi, " * 600)
        assert text == "format: deck is at most 2000 characters"
        await player.ok("new_game", opponent="self")
        move = (await player.legal())[0]
        text = await player.no("play", move=move, move_no="100000000000000000001")
        assert text.startswith("format: move_no is a whole number from 0 to 9999\n")


async def test_a_card_that_is_named_twice_is_told_once() -> None:
    async with connected("modern") as player:
        for game, name in (("smashclash", "Pengu"), ("agentbattle", "Pi")):
            once = await player.ok("get_cards", game=game, names=name)
            assert await player.ok("get_cards", game=game, names=f"{name}, {name.upper()}") == once


@pytest.mark.parametrize("game", GAMES)
async def test_resigning_by_play_is_told_the_tool_and_after_it_the_game_is_over(game: str) -> None:
    async with connected("modern") as player:
        await player.ok("new_game", game=game)
        for move in ("resign", "Resign.", f"{(await player.legal())[0]}; resign"):
            text = await player.no("play", move=move)
            assert text.startswith("format: resign is no move but a tool of its own: call resign\n")
        last = (await player.legal())[-1]
        await player.ok("play", move=last)
        await player.ok("resign")
        assert (await player.no("play", move=last)).startswith("game_over: ")


async def test_an_id_is_read_in_any_case_and_a_key_with_spaces_around_it() -> None:
    async with connected("modern") as player:
        start = await player.ok("new_game", opponent="self")
        for given in (game_id(start).upper(), f" {game_id(start)}\n", f" {keys(start)[0]} "):
            assert game_id(await player.ok("get_state", game_id=given)) == game_id(start)


async def test_many_running_games_are_counted_where_not_all_are_listed() -> None:
    async with connected("modern") as player:
        for _ in range(12):
            await player.ok("new_game", opponent="self")
        assert (await player.no("get_state")).endswith(" and 2 older ones")


async def test_choices_are_read_in_any_case() -> None:
    async with connected("modern") as player:
        start = await player.ok("new_game", seat="b", ruleset=" Classic", opponent="HOUSE")
        assert "You are B" in start
        assert " classic, " in start


async def test_a_resignation_is_no_move_played() -> None:
    async with connected("modern") as player:
        await player.ok("new_game", opponent="self")
        assert " over after 0 moves. " in await player.ok("resign")
