"""Decks, rulesets and the collection over MCP: what is taken, what is refused, what is told."""

from __future__ import annotations

import os
import re
import sys
from datetime import UTC, datetime
from pathlib import Path

import pytest
from mcp.client import Client
from mcp.client.stdio import StdioServerParameters, stdio_client

from smashclash_mcp import Record
from smashclash_mcp.games.agentbattle.cards import NAMES, STARTER
from smashclash_mcp.server.tools import MAX_TEXT
from smashclash_mcp.tables import Database, Profiles, Tables

from .pipes import ERAS, Player, connected, game_id, keys

EIGHT = "Pi, Claude, Sora, Grok, QwQ, Suno, Manus, Siri"
OTHER = "Cursor, Devin, Elicit, LLaVA, Whisper, AutoGPT, CrewAI, Runway"
OWN = ", ".join(NAMES[card] for card in STARTER)
GAME = {"game": "agentbattle"}


async def decks_of(player: Player, **arguments: str) -> tuple[str, str]:
    """Return the decks that a new match is recorded with; it is resigned at once."""
    answer = await player.ok("new_game", **GAME, **arguments)
    table = game_id(answer)
    await player.ok("resign", game_id=keys(answer)[0] if "Keys: " in answer else table)
    return Record.parse(await player.ok("get_replay", game_id=table)).setup.decks


@pytest.mark.parametrize("way", ERAS)
async def test_a_deck_against_the_house_is_the_clients(way: str) -> None:
    async with connected(way) as player:
        assert (await decks_of(player, ruleset="all_cards", deck=EIGHT))[0] == EIGHT
        assert (await decks_of(player, ruleset="all_cards", deck=EIGHT.upper()))[0] == EIGHT
        assert (await decks_of(player))[0] == OWN
        assert (await decks_of(player, deck="starter"))[0] == OWN
        house = {(await decks_of(player, deck="starter"))[1] for _ in range(5)}
        assert len(house) == 5
        assert (await decks_of(player, ruleset="all_cards", deck="random"))[0] != OWN


@pytest.mark.parametrize("way", ERAS)
async def test_decks_of_both_seats_are_given_each_or_once_for_both(way: str) -> None:
    async with connected(way) as player:
        both = {"opponent": "self", "ruleset": "all_cards"}
        assert await decks_of(player, **both, deck=f"A: {EIGHT}; B: {OTHER}") == (EIGHT, OTHER)
        assert await decks_of(player, **both, deck=f"b: {OTHER} ;a: {EIGHT}") == (EIGHT, OTHER)
        assert await decks_of(player, **both, deck=EIGHT) == (EIGHT, EIGHT)
        one, other = await decks_of(player, **both, deck=f"B: {OTHER}")
        assert other == OTHER
        assert one not in (EIGHT, OTHER)
        one, other = await decks_of(player, **both, deck="random")
        assert one != other
        for typed in (f"A: {EIGHT}; A: {OTHER}", f"{EIGHT}; B: {OTHER}"):
            refused = await player.no("new_game", **GAME, **both, deck=typed)
            assert refused == "format: deck: write `A: ...; B: ...`, each seat once"


@pytest.mark.parametrize("way", ERAS)
async def test_an_illegal_deck_is_refused_by_its_rule_and_opens_nothing(way: str) -> None:
    async with connected(way) as player:
        for deck, ruleset, reason in (
            ("Pi", "all_cards", "deck of A: a deck is exactly 8 different cards"),
            (EIGHT + ", Cursor", "all_cards", "this one has 9"),
            (EIGHT.replace("Siri", "PI"), "all_cards", "Pi is there twice"),
            (EIGHT.replace("Siri", "Syri"), "all_cards", "did you mean Siri?"),
            (EIGHT, "standard", "you do not own Grok: get_cards marks what you own"),
            (EIGHT, "", "you do not own"),
            (f"A: {EIGHT}", "all_cards", "no card is called"),
            ("x" * (MAX_TEXT + 1), "all_cards", "deck"),
        ):
            refused = await player.no("new_game", **GAME, deck=deck, ruleset=ruleset)
            assert refused.startswith("format: ")
            assert reason in refused
        assert await player.ok("list_games") == "no games"
        refused = await player.no("new_game", deck=EIGHT)
        assert refused == "format: both seats draw from one shared deck: leave deck out"


@pytest.mark.parametrize("way", ERAS)
async def test_a_client_is_seat_a_against_the_house(way: str) -> None:
    async with connected(way) as player:
        refused = await player.no("new_game", **GAME, seat="B")
        assert refused == "format: seat: against the house you play A in Agent Battle"


@pytest.mark.parametrize("way", ERAS)
async def test_without_a_collection_only_all_cards_is_played(way: str) -> None:
    async with connected(way, Tables()) as player:
        assert " all_cards, turn 1 of 16" in await player.ok("new_game", **GAME)
        refused = await player.no("new_game", **GAME, ruleset="standard")
        assert refused == (
            "format: ruleset of agentbattle is one of all_cards; standard needs a collection, "
            "and none is kept here"
        )
        assert "owned" not in await player.ok("get_cards", **GAME)


@pytest.mark.parametrize("way", ERAS)
async def test_the_winning_answer_brings_the_pack_and_its_cards_can_be_played(way: str) -> None:
    clock = datetime(2026, 1, 31, tzinfo=UTC)
    tables = Tables(None, lambda: clock, profiles=True)
    async with connected(way, tables) as player:
        cards = (await player.ok("get_cards", **GAME)).splitlines()
        owned = {line.split(":")[0] for line in cards if line.endswith(" - owned")}
        assert owned == {NAMES[card] for card in STARTER}
        answer = ""
        for seed in range(20):
            answer = await player.ok("new_game", **GAME, level="easy", seed=seed)
            while "\nResult: " not in answer:
                answer = await player.ok("play", move=(await player.legal())[0])
            if "\nResult: A wins" in answer:
                break
            assert "Genesis" not in answer
        pack = re.match(
            r"First win of the day! Genesis pack: (.*)\. \(Kept only while this server runs\.\)\n",
            answer,
        )
        assert pack
        pulled = re.findall(r"([^,(]+) \(\w+, (new|copy 2)\)", pack[1])
        assert len(pulled) == 3
        state = await player.ok("get_state", game_id=game_id(answer.partition("\n")[2]))
        assert state == answer
        facts = await player.json("get_state", game_id=game_id(answer.partition("\n")[2]))
        assert facts["note"] == pack[0].rstrip()
        cards = (await player.ok("get_cards", **GAME)).splitlines()
        marked = {line.split(":")[0]: line.partition(" - ")[2] for line in cards if " - " in line}
        for name, kind in pulled:
            assert marked[name.strip()] == ("owned" if kind == "new" else "owned x2")
        new = [name.strip() for name, kind in pulled if kind == "new"]
        rest = [NAMES[card] for card in STARTER][: 8 - len(new)]
        assert (await decks_of(player, deck=", ".join([*new, *rest])))[0]


async def test_a_collection_outlives_its_server_and_a_folder_that_is_none_is_said_once(
    tmp_path: Path,
) -> None:
    async def owned(*arguments: str) -> tuple[set[str], str]:
        cards: list[str] = []
        errors = tmp_path / "errors"
        with errors.open("w+", encoding="utf-8") as stderr:
            server = StdioServerParameters(
                command=sys.executable,
                args=["-m", "smashclash_mcp", *arguments],
                env={**os.environ, "XDG_DATA_HOME": str(tmp_path / "home")},
            )
            async with Client(stdio_client(server, errlog=stderr)) as client:
                player = Player(client)
                for _ in range(2):
                    cards = (await player.ok("get_cards", **GAME)).splitlines()
                await player.ok("new_game", **GAME)
        lines = {line.split(":")[0] for line in cards if " - owned" in line}
        return lines, errors.read_text(encoding="utf-8")

    def with_grok(profile: dict[str, object]) -> tuple[dict[str, object], str]:
        cards = profile["cards"]
        assert isinstance(cards, dict)
        return {**profile, "cards": {**cards, "Grok": 1}}, ""

    starter = {NAMES[card] for card in STARTER}
    folder = tmp_path / "data"
    assert await owned("serve", "--data", str(folder)) == (starter, "")
    Profiles(Database(folder)).change("agentbattle", with_grok)
    assert await owned("serve", "--data", str(folder)) == ({*starter, "Grok"}, "")
    assert await owned() == (starter, "")
    assert list((tmp_path / "home").rglob("games.sqlite3"))
    (tmp_path / "file").write_text("in the way", encoding="utf-8")
    found, errors = await owned("serve", "--data", str(tmp_path / "file"))
    assert found == starter
    assert errors.count("games and collections are kept in memory only") == 1
    assert len(errors.splitlines()) == 1


async def test_a_match_that_is_left_stays_playable_and_costs_nothing() -> None:
    tables = Tables(profiles=True)
    async with connected("modern", tables) as player:
        first = game_id(await player.ok("new_game", **GAME, seed=1))
        await player.ok("play", move="end", game_id=first)
        left = await player.ok("get_state", game_id=first)
        second = game_id(await player.ok("new_game", **GAME, seed=2))
        await player.ok("resign", game_id=second)
        third = game_id(await player.ok("new_game"))
        assert await player.ok("get_state", game_id=first) == left
        assert (await player.ok("list_games", status="active")).split()[0] == first
    async with connected("legacy", tables) as player:  # another client of the same process
        assert await player.ok("get_state", game_id=first) == left
        answer = await player.ok("play", move="end", game_id=first)
        assert "Result" not in answer
        await player.ok("resign", game_id=third)
        assert tables.profiles
        assert tables.profiles.get("agentbattle")["last_reward"] == ""
