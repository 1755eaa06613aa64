"""The scripted first match: one idea a turn, the worked example in it, a win at its end (7)."""

from __future__ import annotations

import re

import pytest

from smashclash_mcp import IllegalMoveError, Match, Record, Setup
from smashclash_mcp.games.agentbattle import tutorial
from smashclash_mcp.games.agentbattle.moves import MOVE_NAMES
from smashclash_mcp.games.base import Level
from smashclash_mcp.tables import CallError, Table, Tables
from tests.checkers import check_record
from tests.server.pipes import connected

from .build import GAME


def opened(seed: int = 1, tables: Tables | None = None) -> Table:
    setup = Setup("agentbattle", "standard", seed, level="tutorial", house=1)
    return (tables or Tables()).open(setup)[0]


def offered(table: Table) -> str:
    """Return the only move that is on offer."""
    (move,) = table.view(0).legal_moves()
    return MOVE_NAMES[move]


def test_the_tutorial_is_played_by_its_moves_to_a_win() -> None:
    table = opened()
    ends: list[int] = []
    while table.match.to_move is not None:
        lessons = re.findall(r"^Lesson: (.*)$", table.view(0).text(), re.M)
        assert len(lessons) == 1
        assert f"`{offered(table)}`" in lessons[0]
        assert len(lessons[0]) < 170
        ends.append(table.match.position.snapshot()["turn"])
        table.play(offered(table))
    outcome = table.match.outcome()
    assert outcome
    assert (outcome.winner, outcome.reason) == (0, "core destroyed")
    assert sorted(set(ends)) == [1, 3, 5, 7, 9, 11]
    check_record(table.match.record())
    record = table.match.record()
    assert Record.parse(record.text()).replay().record() == record


def test_the_tutorial_contains_the_worked_example() -> None:
    table = opened()
    for _ in range(4):
        table.play(offered(table))
    names = [entry.name for entry in table.match.played[:6]]
    assert names == ["play Claude Haiku", "end", "play Pi", "end", "play Codestral", "end"]
    assert "A Claude Haiku hits B Pi for 7, 7 left" in table.view(0).text()


def test_the_tutorial_is_the_same_from_every_seed_and_says_what_is_true() -> None:
    texts: set[str] = set()
    for seed in range(5):
        table = opened(seed)
        while table.match.to_move is not None:
            table.play(offered(table))
        texts.add("\n".join(entry.name for entry in table.match.played))
    assert len(texts) == 1
    log = Match.view(opened().match, None).text()
    assert "Lesson" not in log  # a spectator is not taught


def test_another_move_is_refused_kindly_with_what_to_play() -> None:
    table = opened()
    before = table.view(0).text()
    for typed in ("play Sora", "end", "play Codestral", "play Grok"):
        with pytest.raises(CallError) as caught:
            table.play(typed)
        assert caught.value.code == "illegal"
        assert caught.value.reason == (
            "this lesson goes one step at a time, and the next one is `play Claude Haiku`; "
            "in every other match the choice is yours"
        )
    with pytest.raises(CallError, match="did you mean `play Claude`"):
        table.play("play Cluade")
    assert table.view(0).text() == before
    with pytest.raises(IllegalMoveError):
        table.view(0).read_move("end")


def test_each_turn_of_the_client_teaches_another_idea() -> None:
    lessons = [
        tutorial.lesson(ply)
        for ply in range(len(tutorial.SCRIPT))
        if not tutorial.lesson(ply).startswith(" ")
    ]
    assert len(set(lessons)) == len(lessons) == 10


def test_the_tutorial_brings_its_own_decks_and_seats() -> None:
    with pytest.raises(ValueError, match="the tutorial brings its own decks: leave deck out"):
        Setup("agentbattle", "standard", 1, level="tutorial", house=1, decks=("starter", ""))
    for house in (0, None):
        with pytest.raises(ValueError, match="the tutorial is for seat A"):
            Setup("agentbattle", "standard", 1, level="tutorial", house=house)
    assert GAME.levels["tutorial"] == Level("random")


async def test_the_tutorial_over_mcp_ends_in_a_win_and_its_pack() -> None:
    async with connected("modern", Tables(profiles=True)) as player:
        answer = await player.ok("new_game", game="agentbattle", level="tutorial")
        while "\nResult: " not in answer:
            (lesson,) = re.findall(r"^Lesson: .* Write `(.*)`\.$", answer, re.M)
            assert (await player.json("get_state"))["lesson"].endswith(f"Write `{lesson}`.")
            answer = await player.ok("play", move=lesson)
        assert answer.startswith("First win of the day! Genesis pack: ")
        assert "\nResult: A wins, A 30 B 0 (core destroyed)." in answer
        refused = await player.no("new_game", game="agentbattle", level="tutorial", deck="random")
        assert refused == "format: the tutorial brings its own decks: leave deck out"
