"""Records of every game: the same from the same seed anywhere, and checked when read back."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections.abc import Callable

import pytest

from smashclash_mcp import (
    GAMES,
    GreedyPlayer,
    Match,
    Player,
    RandomPlayer,
    Record,
    RecordError,
    Setup,
    to_json,
)
from smashclash_mcp.games.base import LAPSE, RESIGN, SEAT_NAMES, STOPS, stop_text
from smashclash_mcp.record import clean_name
from tests.checkers import check_record

GAMES_AND_RULESETS = [(game, ruleset) for game in GAMES for ruleset in GAMES[game].rulesets]
every_game = pytest.mark.parametrize(("game", "ruleset"), GAMES_AND_RULESETS)


def play_out(setup: Setup) -> Match:
    """Play a greedy against a random player to the end."""
    match = Match(setup)
    players: tuple[Player, Player] = (GreedyPlayer(), RandomPlayer())
    while match.to_move is not None:
        step(match, players)
    return match


def step(match: Match, players: tuple[Player, Player]) -> None:
    """Play one move."""
    assert match.to_move is not None
    view = match.view(match.to_move)
    match.play(players[match.to_move].choose(view, match.dice.derive("player", view.ply)))


@every_game
def test_a_record_read_back_is_the_same_game(game: str, ruleset: str) -> None:
    for seed in range(60):
        record = play_out(
            Setup(game, ruleset, seed, seats=("a b", "ö"), hints=bool(seed % 2))
        ).record()
        assert Record.parse(record.text()) == record
        assert record.replay().record() == record
        assert Record.parse(json.dumps(to_json(record))) == record


@every_game
def test_a_running_game_has_a_record_too(game: str, ruleset: str) -> None:
    match = Match(Setup(game, ruleset, 5))
    for _ in range(6):
        step(match, (GreedyPlayer(), RandomPlayer()))
    text = match.record().text()
    assert "result: running" in text
    assert Record.parse(text).replay().position.to_text() == match.position.to_text()


@every_game
def test_a_finished_game_as_json_can_be_checked_without_our_dice(game: str, ruleset: str) -> None:
    for seed in range(150):
        check_record(play_out(Setup(game, ruleset, seed)).record())


@every_game
@pytest.mark.parametrize("name", STOPS)
def test_a_stopped_game_is_recorded_checked_and_replayed(
    name: str, game: str, ruleset: str
) -> None:
    match = Match(Setup(game, ruleset, 9))
    step(match, (GreedyPlayer(), RandomPlayer()))
    seat = match.to_move
    assert seat is not None
    if name != RESIGN:
        with pytest.raises(ValueError, match=" is to move"):
            match.stop(name, 1 - seat)
    match.stop(name, seat)
    with pytest.raises(ValueError, match="the game is over"):
        match.stop(name, seat)
    outcome = match.outcome()
    assert outcome
    assert outcome.winner == (None if name == LAPSE else 1 - seat)
    assert outcome.lapsed == (name == LAPSE)
    assert str(outcome).startswith("none, A " if name == LAPSE else f"{SEAT_NAMES[1 - seat]} wins")
    record = match.record()
    assert record.text().splitlines()[-1] == f"{len(record.moves)} {SEAT_NAMES[seat]} {name}"
    assert Record.parse(record.text()).replay().record() == record
    check_record(record)
    again = match.game.from_text(match.position.to_text())
    assert again.outcome() == outcome
    for viewer in (0, 1, None):
        text = match.view(viewer).text()
        assert f"Result: {outcome}." in text
        assert stop_text(name, seat) in text
        assert f" over after {len(match.played) - 1} move" in text
    other = record.text().replace(f" {SEAT_NAMES[seat]} {name}", f" {SEAT_NAMES[1 - seat]} {name}")
    with pytest.raises(RecordError, match="result: " if name == RESIGN else " is to move"):
        Record.parse(other).replay()


def replaced(old: str, new: str) -> Callable[[str], str]:
    def change(text: str) -> str:
        assert old in text
        return text.replace(old, new, 1)

    return change


def line(number: int, new: Callable[[str], list[str]]) -> Callable[[str], str]:
    """Return a change of the line of one ply."""

    def change(text: str) -> str:
        lines = text.splitlines()
        at = lines.index("") + number
        return "\n".join(lines[:at] + new(lines[at]) + lines[at + 1 :])

    return change


def other_first(text: str) -> str:
    swapped = {"first: A": "first: B", "first: B": "first: A"}
    return re.sub("first: [AB]", lambda found: swapped[found[0]], text)


FAULTS: dict[str, tuple[Callable[[str], str], int, str]] = {
    "another move": (line(3, lambda old: [old[:4] + "nothing"]), 3, "no move is called that"),
    "an illegal move": (line(3, lambda old: [old[:4] + "hop: stay"]), 3, "hop: stay is not legal"),
    "a missing line": (line(3, lambda old: []), 3, "expected `3 A <move>`"),
    "the other seat": (
        line(3, lambda old: [f"3 {'BA'['AB'.index(old[2])]} {old[4:]}"]),
        3,
        "is to move",
    ),
    "junk": (line(3, lambda old: ["3. e4 e5"]), 3, "expected `3 A <move>`"),
    "a pass": (line(3, lambda old: [old[:4] + "pass"]), 3, "no move is called that"),
    "another result": (replaced("result: ", "result: X"), 0, "result: the moves give"),
    "another first seat": (other_first, 0, "first seat: the seed gives"),
    "another version": (replaced("rules: 1", "rules: 7"), 0, "version 7; this is version 1"),
    "another format": (replaced("record 1", "record 2"), 0, "the first line must be"),
    "an unknown game": (replaced("game: smashclash", "game: go"), 0, "unknown game"),
    "no seed": (replaced("seed: ", "sead: "), 0, "expected one of"),
    "a seed too large": (replaced("seed: 3 ", "seed: 9999999999999999 "), 0, "seed must be"),
    "no level": (replaced("level: none\n", ""), 0, "`level: ...` is missing"),
    "nothing": (lambda text: "", 0, "the first line must be"),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_a_damaged_record_is_refused_and_the_first_bad_ply_named(fault: str) -> None:
    change, ply, message = FAULTS[fault]
    text = play_out(Setup("smashclash", "mutators", 3)).record().text()
    with pytest.raises(RecordError, match=re.escape(message)) as caught:
        Record.parse(change(text)).replay()
    assert caught.value.ply == ply


def test_a_move_after_the_end_is_refused() -> None:
    record = play_out(Setup("smashclash", "mutators", 3)).record()
    longer = f"{record.text()}{len(record.moves) + 1} A FLIP\n"
    with pytest.raises(RecordError, match="the game is over") as caught:
        Record.parse(longer).replay()
    assert caught.value.ply == len(record.moves) + 1


SCRIPT = """
from tests.contract.test_records import play_out
from smashclash_mcp import Setup
for game, ruleset in {games!r}:
    for seed in (0, 1, 2**53 - 1):
        print(play_out(Setup(game, ruleset, seed)).record().text())
"""


def test_the_same_seed_gives_the_same_record_in_any_process_and_hash_seed() -> None:
    outputs = {
        subprocess.run(
            [sys.executable, "-c", SCRIPT.format(games=GAMES_AND_RULESETS)],
            env=os.environ | {"PYTHONHASHSEED": hash_seed},
            check=True,
            capture_output=True,
        ).stdout
        for hash_seed in ("0", "1", "random")
    }
    expected = "".join(
        play_out(Setup(game, ruleset, seed)).record().text() + "\n"
        for game, ruleset in GAMES_AND_RULESETS
        for seed in (0, 1, 2**53 - 1)
    )
    assert outputs == {expected.encode()}


@every_game
def test_games_played_in_turn_do_not_disturb_each_other(game: str, ruleset: str) -> None:
    setups = [Setup(game, ruleset, seed) for seed in range(8)]
    matches = [Match(setup) for setup in setups]
    players: tuple[Player, Player] = (GreedyPlayer(), RandomPlayer())
    while any(match.to_move is not None for match in matches):
        for match in matches:
            if match.to_move is not None:
                step(match, players)
    for setup, match in zip(setups, matches, strict=True):
        assert match.record() == play_out(setup).record()


@pytest.mark.parametrize("name", ['a"b', "a\nb", "x" * 25, " a", "\u202ea"])
def test_a_seats_name_that_no_record_could_hold_is_refused(name: str) -> None:
    with pytest.raises(ValueError, match="clean_name"):
        Setup("smashclash", "mutators", 1, seats=(name, "B"))
    assert clean_name(clean_name(name)) == clean_name(name)
