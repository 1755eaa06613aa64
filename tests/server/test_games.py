"""Whole games over MCP: in memory in both protocol eras, and with the server's own process."""

from __future__ import annotations

import json
import random
import re

import anyio
import jsonschema
import pytest
from mcp_types import TextContent, TextResourceContents

from smashclash_mcp import GAMES, Match, Record, to_json
from smashclash_mcp.games.base import SEAT_NAMES
from smashclash_mcp.players import get_level
from tests.checkers import check_record

from .facts import SAME_FACTS
from .pipes import ERAS, WAYS, Player, connected, game_id, keys, number, opening_hop

RULESETS = [(game.name, ruleset) for game in GAMES.values() for ruleset in game.rulesets]
LEVELS = [(game.name, level) for game in GAMES.values() for level in game.levels]
every_ruleset = pytest.mark.parametrize(("game", "ruleset"), RULESETS)
every_game = pytest.mark.parametrize("game", GAMES)
HINTS = {"smashclash": "\nTakes: ", "agentbattle": "\nIf you end now: "}
"""What the line of hints begins with."""


async def check_replay(player: Player, table: str) -> Match:
    """Return the replayed record of a finished game, after every check there is."""
    record = Record.parse(await player.ok("get_replay", game_id=table))
    facts = await player.json("get_replay", game_id=table)
    check_record(record)
    assert facts == json.loads(json.dumps(to_json(record)))
    assert Record.parse(json.dumps(facts)) == record
    return record.replay()


def blocks(record: Match, table: str, seat: int) -> list[str]:
    """Return what the engine shows a seat each time it is to move, and at the end."""
    again = Match(record.setup)
    shown: list[str] = []
    for entry in record.played:
        if again.to_move == seat:
            shown.append(again.view(seat).text(table))
        if entry.ply > len(again.played):
            again.play(again.game.moves_by_name[entry.name])
    return [*shown, again.view(seat).text(table)]


@pytest.mark.parametrize(
    ("game", "ruleset", "seat"),
    [(game, rules, 1 - house) for game, rules in RULESETS for house in GAMES[game].house_seats],
)
@pytest.mark.parametrize("way", WAYS)
async def test_a_whole_game_against_the_house(way: str, game: str, ruleset: str, seat: int) -> None:
    choose = random.Random(seat)
    async with connected(way) as player:
        answer = await player.ok(
            "new_game",
            game=game,
            ruleset=ruleset,
            seat=SEAT_NAMES[seat],
            seed=11 + seat,
            name="Ada",
        )
        table = game_id(answer)
        lines = answer.splitlines()
        assert re.match(r"\+ yours, - theirs|Agents in attack order: ", lines.pop(1))  # the legend
        told = ["\n".join(lines)]
        while "\nResult: " not in told[-1]:
            assert f"You are {SEAT_NAMES[seat]}, to " in told[-1]
            move = choose.choice(await player.legal())
            told.append(await player.ok("play", move=move, move_no=number(told[-1])))
        assert await player.ok("get_state", game_id=table) == told[-1]
        match = await check_replay(player, table)
    told[-1] = re.sub(r"^First win of the day! .*\n", "", told[-1])
    assert told == blocks(match, table, seat)
    setup = match.setup
    assert (setup.ruleset, setup.seed, setup.seed_source) == (ruleset, 11 + seat, "given")
    assert (setup.level, setup.house) == (GAMES[game].default_level, 1 - seat)
    assert (setup.hints, setup.seats[seat]) == (False, "Ada")
    assert setup.seats[1 - seat] == "house"


@pytest.mark.parametrize(("game", "level"), LEVELS)
async def test_the_house_plays_the_moves_of_its_level(game: str, level: str) -> None:
    house = GAMES[game].house_seats[-1]
    async with connected("modern") as player:
        answer = await player.ok(
            "new_game", game=game, level=level, seed=5, seat=SEAT_NAMES[1 - house]
        )
        while "\nResult: " not in answer:
            answer = await player.ok("play", move=(await player.legal())[0])
        match = await check_replay(player, "")
    again, chooser = Match(match.setup), get_level(GAMES[game], level)
    assert (again.setup.level, again.setup.house) == (level, house)
    for entry in match.played:
        view = again.view(again.to_move)
        if again.to_move == house:
            move = chooser.choose(view, again.dice.derive("house", view.ply))
            assert again.game.move_names[move] == entry.name
        if entry.ply > len(again.played):
            again.play(again.game.moves_by_name[entry.name])


@every_ruleset
@pytest.mark.parametrize("way", WAYS)
async def test_a_whole_game_of_both_seats_by_their_keys(way: str, game: str, ruleset: str) -> None:
    choose = random.Random(3)
    async with connected(way) as player:
        answer = await player.ok("new_game", game=game, opponent="self", ruleset=ruleset, seed=21)
        seats, table = keys(answer), game_id(answer)
        assert seats[0] != seats[1]
        told: tuple[list[str], list[str]] = ([], [])
        while "\nResult: " not in answer:
            states = [await player.ok("get_state", game_id=key) for key in seats]
            (seat,) = [s for s in (0, 1) if f"You are {SEAT_NAMES[s]}, to " in states[s]]
            assert f"You are {SEAT_NAMES[1 - seat]}; {SEAT_NAMES[seat]} to " in states[1 - seat]
            assert "\nLegal: " not in states[1 - seat]
            told[seat].append(states[seat])
            move = choose.choice(await player.legal(seats[seat]))
            coming = number(states[seat])
            refused = await player.no("play", move=move, game_id=seats[1 - seat], move_no=coming)
            assert refused.startswith(f"not_your_turn: {SEAT_NAMES[seat]} is to move\n")
            answer = await player.ok("play", move=move, game_id=seats[seat])
            assert f"You {'were' if 'Result: ' in answer else 'are'} {SEAT_NAMES[seat]}" in answer
            assert not set(re.findall(r"s_\w+", answer))
        for seat in (0, 1):
            told[seat].append(await player.ok("get_state", game_id=seats[seat]))
        match = await check_replay(player, seats[1])
    for seat in (0, 1):
        assert told[seat] == blocks(match, table, seat)


@every_ruleset
@pytest.mark.parametrize("way", WAYS)
async def test_a_whole_game_of_both_seats_without_a_key(way: str, game: str, ruleset: str) -> None:
    choose = random.Random(4)
    async with connected(way) as player:
        answer = await player.ok("new_game", game=game, opponent="self", ruleset=ruleset, seed=22)
        movers: set[str] = set()
        while "\nResult: " not in answer:
            mover = re.search(r" You are (.), to ", answer)
            assert mover, answer
            movers.add(mover[1])
            answer = await player.ok("play", move=choose.choice(await player.legal()))
        match = await check_replay(player, "")
    assert movers == {"A", "B"}
    assert (match.setup.level, match.setup.ruleset) == ("", ruleset)


@pytest.mark.parametrize("way", WAYS)
async def test_several_games_at_once_need_their_ids(way: str) -> None:
    async with connected(way) as player:
        ids = [
            game_id(await player.ok("new_game", seed=seed, game=tuple(GAMES)[seed % len(GAMES)]))
            for seed in range(3)
        ]
        assert len(set(ids)) == 3
        before = [await player.ok("get_state", game_id=table) for table in ids]
        for tool, arguments in (
            ("play", {"move": "SWAP"}),
            ("legal_moves", {}),
            ("get_state", {}),
            ("resign", {}),
        ):
            refused = await player.no(tool, **arguments)
            assert refused.startswith("format: several games are running: give a game_id. ")
            assert all(table in refused for table in ids)
        assert [await player.ok("get_state", game_id=table) for table in ids] == before
        answers = dict(zip(ids, before, strict=True))
        while any("\nResult: " not in answer for answer in answers.values()):
            for table in ids:  # interleaved
                if "\nResult: " not in answers[table]:
                    move = (await player.legal(table))[0]
                    answers[table] = await player.ok("play", move=move, game_id=table)
                    assert game_id(answers[table]) == table
        for seed, table in enumerate(ids):
            assert (await check_replay(player, table)).setup.seed == seed


@every_game
async def test_the_same_seed_and_moves_give_the_same_game_in_every_way(game: str) -> None:
    games: list[str] = []
    for way in WAYS:
        async with connected(way) as player:
            answer = await player.ok("new_game", game=game, seed="9007199254740991")
            while "\nResult: " not in answer:
                answer = await player.ok("play", move=(await player.legal())[-1])
            games.append(await player.ok("get_replay"))
    assert games[0] == games[1] == games[2]
    assert "\nseed: 9007199254740991 (given)\n" in games[0]


@every_game
async def test_seeds_that_the_server_draws_differ_and_are_said_to_be_drawn(game: str) -> None:
    async with connected("modern") as player:
        seeds: set[str] = set()
        for _ in range(3):
            table = game_id(await player.ok("new_game", game=game))
            await player.ok("resign", game_id=table)
            replay = await player.ok("get_replay", game_id=table)
            (line,) = [line for line in replay.splitlines() if line.startswith("seed: ")]
            assert line.endswith(" (drawn)")
            seeds.add(line)
    assert len(seeds) == 3


@pytest.mark.parametrize("way", WAYS)
async def test_a_placement_and_its_hop_are_one_call(way: str) -> None:
    seed, place, hop = opening_hop()
    async with connected(way) as player:
        start = await player.ok("new_game", opponent="self", seed=seed)
        answer = await player.ok("play", move=f"{place}; {hop}", move_no=number(start))
        assert number(answer) == number(start) + 2
        mover = "AB"["You are B" in start]
        assert re.search(rf"\nLast: {mover} {place}\b.*; {mover} {hop}\b", answer)
        # The same two as two calls.
        other = game_id(await player.ok("new_game", opponent="self", seed=seed))
        offered = await player.ok("play", move=place, game_id=other)
        assert "\nLegal: hop→" in offered
        apart = await player.ok("play", move=hop, game_id=other)
        assert apart.replace(other, game_id(answer)) == answer


@pytest.mark.parametrize(("game", "line"), HINTS.items())
@pytest.mark.parametrize("way", ERAS)
async def test_hints_add_a_line_and_are_in_the_record(way: str, game: str, line: str) -> None:
    async with connected(way) as player:
        answers = [
            await player.ok("new_game", game=game, opponent="self", seed=3, hints=hints)
            for hints in (False, True)
        ]
        without, with_hints = (game_id(answer) for answer in answers)
        move = (await player.legal(without))[0]
        for table, lines in ((without, 0), (with_hints, 1)):
            block = await player.ok("play", move=move, game_id=table)
            state = await player.ok("get_state", game_id=table)
            assert block.count(line) == state.count(line) == lines
            assert ("hints" in await player.json("get_state", game_id=table)) == bool(lines)
            await player.ok("resign", game_id=table)
            replay = await player.ok("get_replay", game_id=table)
            assert f"\nhints: {('off', 'on')[lines]}\n" in replay
    assert [answer.count(line) for answer in answers] == [0, 1]


@every_game
@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("seat", [0, 1])
async def test_resigning_loses_for_the_seat_that_resigns(way: str, seat: int, game: str) -> None:
    async with connected(way) as player:
        own = seat if 1 - seat in GAMES[game].house_seats else 1 - seat
        table = game_id(await player.ok("new_game", game=game, seat=SEAT_NAMES[own]))
        answer = await player.ok("resign", game_id=table)
        assert f"\nResult: {SEAT_NAMES[1 - own]} wins, " in answer
        assert "(resignation).\n" in answer
        assert f"{SEAT_NAMES[own]} resigned" in answer
        assert (await check_replay(player, table)).played[-1].name == "resign"
        # By its key a seat resigns also when the other is to move.
        seats = keys(await player.ok("new_game", game=game, opponent="self"))
        answer = await player.ok("resign", game_id=seats[seat])
        assert f"\nResult: {SEAT_NAMES[1 - seat]} wins, " in answer
        refused = await player.no("resign", game_id=seats[1 - seat])
        assert refused.startswith("game_over: the game is over\nResult: ")
        await check_replay(player, seats[seat])


@pytest.mark.parametrize("way", WAYS)
async def test_list_games_has_a_line_for_each(way: str) -> None:
    async with connected(way) as player:
        assert await player.ok("list_games") == "no games"
        first = game_id(await player.ok("new_game", level="random", ruleset="classic"))
        second = game_id(await player.ok("new_game", opponent="self", seed=1))
        await player.ok("play", move=(await player.legal(second))[0], game_id=second)
        third = game_id(await player.ok("new_game"))
        await player.ok("resign", game_id=third)
        fourth = game_id(await player.ok("new_game", game="agentbattle", level="easy"))
        lines = (await player.ok("list_games")).splitlines()
        assert len(lines) == 4
        random = rf"{first} smashclash classic, vs house:random, move [12], yours"
        assert re.fullmatch(random, lines[0])
        assert lines[1] == f"{second} smashclash mutators, self, move 2, yours"
        assert lines[2].startswith(f"{third} smashclash mutators, vs house:greedy, over: B wins, ")
        assert lines[3] == f"{fourth} agentbattle standard, vs house:easy, move 1, yours"
        active = (await player.ok("list_games", status="active")).splitlines()
        finished = (await player.ok("list_games", status="finished")).splitlines()
        assert [active, finished] == [[*lines[:2], lines[3]], [lines[2]]]


@every_game
async def test_a_replay_opens_when_the_game_ends(game: str) -> None:
    async with connected("modern") as player:
        table = game_id(await player.ok("new_game", game=game, seed=8))
        for shape in ("text", "json"):
            refused = await player.no("get_replay", game_id=table, format=shape)
            assert refused.startswith("illegal: the game is still running")
            assert "8 (given)" not in refused
        await player.ok("resign")
        await check_replay(player, table)
        second = game_id(await player.ok("new_game", game=game, seed=9))
        assert (await check_replay(player, "")).setup.seed == 8  # the latest finished one
        assert (await player.no("get_replay", game_id=second)).startswith("illegal: ")


@every_game
async def test_a_level_is_one_of_those_that_exist(game: str) -> None:
    levels = tuple(GAMES[game].levels)
    async with connected("modern") as player:
        for level in ("", *levels, *(level.upper() for level in levels), f" {levels[0]} "):
            await player.ok("new_game", game=game, level=level)
        before = await player.ok("list_games")
        others = {level for other in GAMES.values() for level in other.levels} - set(levels)
        for level in (*others, "master", "search", "greedy2", "0"):
            refused = await player.no("new_game", game=game, level=level)
            assert refused.startswith("format: level: ")
            assert all(known in refused for known in levels)
        assert await player.ok("list_games") == before


@pytest.mark.parametrize("way", ERAS)
async def test_rules_come_short_or_by_topic(way: str) -> None:
    async with connected(way) as player:
        for game in GAMES.values():
            assert await player.ok("get_rules", game=game.name) == game.rules()
            assert f"rules version {game.rules_version}" in game.rules()
            for topic in game.topics:
                full = await player.ok("get_rules", game=game.name, topic=topic)
                assert full == game.rules(topic)
            refused = await player.no("get_rules", game=game.name, topic="poker")
            assert all(topic in refused for topic in game.topics)


@pytest.mark.parametrize("way", ERAS)
async def test_cards_come_all_or_by_name_or_id(way: str) -> None:
    async with connected(way) as player:
        lines = (await player.ok("get_cards")).splitlines()
        assert len(lines) == 51
        assert lines[0] == "1 Pengu pink, top 5 right 4 bottom 3 left 2"
        assert (await player.ok("get_cards", names="mr nibbles, #1, SWAP")).splitlines() == [
            "10 Mr. Nibbles orange, top 4 right 3 bottom 5 left 4",
            lines[0],
            lines[50],
        ]
        refused = await player.no("get_cards", names="Pengu, Lunna")
        assert refused == "format: no card is called 'Lunna'; did you mean Luna?"


@pytest.mark.parametrize("way", ERAS)
@every_ruleset
async def test_json_has_the_facts_of_the_text_and_fits_its_schema(
    way: str, game: str, ruleset: str
) -> None:
    choose = random.Random(2)
    async with connected(way) as player:
        (content,) = (await player.client.read_resource(f"schema://{game}/state")).contents
        assert isinstance(content, TextResourceContents)
        schema = jsonschema.Draft202012Validator(json.loads(content.text))
        schema.check_schema(schema.schema)
        seats = keys(
            await player.ok("new_game", game=game, opponent="self", ruleset=ruleset, hints=True)
        )
        running = True
        while running:
            states = [await player.json("get_state", game_id=key) for key in seats]
            for seat, facts in enumerate(states):
                schema.validate(facts)  # pyright: ignore[reportUnknownMemberType]
                SAME_FACTS[game](await player.ok("get_state", game_id=seats[seat]), facts)
            to_move = states[0]["to_move"]
            running = to_move != ""
            if running:
                seat = SEAT_NAMES.index(to_move)
                listed = await player.json("legal_moves", game_id=seats[seat])
                legal = await player.legal(seats[seat])
                assert listed == {"game_id": states[0]["game_id"], "legal": legal}
                move = choose.choice(legal)
                played = await player.json("play", move=move, game_id=seats[seat])
                assert played == await player.json("get_state", game_id=seats[seat])


@pytest.mark.parametrize("way", WAYS)
async def test_resources_and_the_prompt_can_be_read(way: str) -> None:
    async with connected(way) as player:
        listed = {str(r.uri): r for r in (await player.client.list_resources()).resources}
        read: dict[str, str] = {}
        for uri, resource in listed.items():
            (content,) = (await player.client.read_resource(uri)).contents
            assert isinstance(content, TextResourceContents)
            assert content.mime_type == resource.mime_type
            read[uri] = content.text
        for name, game in GAMES.items():
            assert read[f"rules://{name}"] == game.rules()
            assert all(game.rules(topic) in read[f"rules://{name}/full"] for topic in game.topics)
            assert read[f"cards://{name}"] == game.cards()
            assert json.loads(read[f"schema://{name}/state"]) == game.data_schema
        assert len(read) == 4 * len(GAMES)
        assert [p.name for p in (await player.client.list_prompts()).prompts] == ["play"]
        for arguments, game in (({}, "smashclash"), *(({"game": game}, game) for game in GAMES)):
            (message,) = (await player.client.get_prompt("play", arguments)).messages
            assert message.role == "user"
            assert isinstance(message.content, TextContent)
            assert f"new_game (game={game})" in message.content.text


@pytest.mark.parametrize("way", WAYS)
async def test_a_wait_that_runs_out_says_so(way: str) -> None:
    async with connected(way) as player:
        start = await player.ok("new_game", opponent="self")
        seats = keys(start)
        waiting = seats["You are A" in start]
        before = await player.ok("get_state", game_id=waiting)
        answer = await player.ok("get_state", game_id=waiting, wait_s=1)
        assert answer == f"still waiting, call again\n{before}"
        facts = await player.json("get_state", game_id=waiting, wait_s=1)
        assert facts["note"] == "still waiting, call again"


@pytest.mark.parametrize("way", WAYS)
async def test_a_wait_ends_when_the_other_seat_moves_and_holds_up_no_call(way: str) -> None:
    async with connected(way) as player:
        start = await player.ok("new_game", opponent="self", ruleset="classic")
        seats = keys(start)
        mover = int("You are B" in start)
        answers: list[str] = []

        async def wait() -> None:
            answers.append(await player.ok("get_state", game_id=seats[1 - mover], wait_s=20))

        with anyio.fail_after(15):
            async with anyio.create_task_group() as group:
                for _ in range(5):
                    group.start_soon(wait)
                legal = await player.legal(seats[mover])
                for _ in range(20):  # all these are answered while the five wait
                    assert await player.legal(seats[mover]) == legal
                assert not answers
                await player.ok("play", move=legal[0], game_id=seats[mover])
        assert len(answers) == 5
        assert set(answers) == {await player.ok("get_state", game_id=seats[1 - mover])}


async def test_a_wait_for_a_seat_that_may_move_or_a_game_that_is_over_ends_at_once() -> None:
    async with connected("modern") as player:
        start = await player.ok("new_game", opponent="self")
        seats = keys(start)
        with anyio.fail_after(10):
            for who in (seats["You are B" in start], game_id(start)):
                state = await player.ok("get_state", game_id=who)
                assert await player.ok("get_state", game_id=who, wait_s=20) == state
            await player.ok("resign")
            for key in seats:
                assert "\nResult: " in await player.ok("get_state", game_id=key, wait_s=20)
