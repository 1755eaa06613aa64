"""Golden texts in tests/golden/agentbattle, to be reviewed like code.

`pytest --update-golden tests/agentbattle/test_golden.py` writes them anew. `match_1.txt` and
`match_2.txt` are whole matches by random players with the position after every move: what each
line says can be checked by hand against the cards in `cards.txt` and the contract.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from smashclash_mcp import Dice, Match, RandomPlayer, Record, Setup, get_game, to_json
from smashclash_mcp.games.agentbattle.cards import STARTER
from smashclash_mcp.games.agentbattle.decks import deck_text
from smashclash_mcp.games.agentbattle.text import log
from smashclash_mcp.games.base import SEAT_NAMES, Seat
from tests.checkers import check_record

Golden = Callable[[str, str], None]

GAME = get_game("agentbattle")
TITLE = "g_k7q2mx"
FOLDER = Path(__file__).parent.parent / "golden" / "agentbattle"

STATES: dict[str, tuple[str, int, int | None, Seat | None]] = {
    "first_move": ("all_cards", 42, 0, 0),
    "seat_a": ("all_cards", 42, 12, 0),
    "seat_b": ("all_cards", 43, 15, 1),
    "seat_b_waits": ("all_cards", 42, 12, 1),
    "spectator": ("all_cards", 42, 15, None),
    "standard": ("standard", 7, 18, 1),
    "finished_seat_a": ("all_cards", 42, None, 0),
    "finished_spectator": ("all_cards", 42, None, None),
}
"""Ruleset, seed, how many random moves were played (None: all), and whose view."""
FULL = ("first_move", "seat_a", "seat_b")
DATA = ("seat_a", "finished_seat_a")
MATCHES = (101, 202)
"""Seeds of the two whole matches."""


def played(ruleset: str, seed: int, plies: int | None) -> Match:
    """Return a match after so many random moves, at its end without a number."""
    match = Match(Setup("agentbattle", ruleset, seed, seats=("random", "random")))
    dice = Dice(seed)
    while match.to_move is not None and (plies is None or match.position.ply < plies):
        match.play(RandomPlayer().choose(match.view(match.to_move), dice))
    return match


@pytest.mark.parametrize("name", STATES)
def test_state_block(name: str, golden: Golden) -> None:
    ruleset, seed, plies, seat = STATES[name]
    view = played(ruleset, seed, plies).view(seat)
    golden(f"agentbattle/state_{name}.txt", view.text(TITLE) + "\n")


@pytest.mark.parametrize("name", FULL)
def test_state_block_with_legend_and_hints(name: str, golden: Golden) -> None:
    ruleset, seed, plies, seat = STATES[name]
    view = played(ruleset, seed, plies).view(seat)
    golden(f"agentbattle/full_{name}.txt", view.text(TITLE, legend=True, hints=True) + "\n")


@pytest.mark.parametrize("name", DATA)
def test_state_as_json(name: str, golden: Golden) -> None:
    ruleset, seed, plies, seat = STATES[name]
    data = played(ruleset, seed, plies).view(seat).data(hints=True)
    golden(f"agentbattle/data_{name}.json", json.dumps(data, indent=1) + "\n")


def test_record_as_text(golden: Golden) -> None:
    record = played("all_cards", 30, None).record()
    golden("agentbattle/record.txt", record.text())
    assert Record.parse(record.text()) == record


def test_record_as_json(golden: Golden) -> None:
    record = played("all_cards", 30, None).record()
    data = to_json(record)
    moves = ",\n".join(json.dumps(move) for move in data.pop("moves"))
    text = json.dumps(data).removesuffix("}") + f',\n"moves": [\n{moves}\n]}}\n'
    golden("agentbattle/record.json", text)
    assert Record.parse(text) == record


@pytest.mark.parametrize("number", [1, 2])
def test_a_whole_match_step_by_step(number: int, golden: Golden) -> None:
    match = played("all_cards", MATCHES[number - 1], None)
    check_record(match.record())
    again = Match(match.setup)
    lines = [f"Deck of {seat}: {deck}" for seat, deck in zip("AB", match.setup.decks, strict=True)]
    opening = GAME.opening(again.position)["decks"]
    lines += [f"Shuffled, {seat}: {', '.join(opening[seat])}" for seat in SEAT_NAMES]
    lines += standing(again)
    for entry in match.played:
        lines.append("")
        lines.append(f"{entry.ply}. {SEAT_NAMES[entry.seat]} {entry.name}")
        again.play(GAME.moves_by_name[entry.name])
        lines += [f"   {line}" for line in log(again.played[-1:])[1:]]
        lines += standing(again)
    lines.append(f"\n{match.outcome()}")
    golden(f"agentbattle/match_{number}.txt", "\n".join(lines) + "\n")


def standing(match: Match) -> list[str]:
    """Return the position in short: cores, energy, hands and boards in the order of play."""
    facts = match.position.snapshot()
    lines = [f"   turn {facts['turn']}, energy {facts['energy']}, cores {facts['cores']}"]
    for seat in SEAT_NAMES:
        agents = "; ".join(
            f"{agent['card']} {agent['attack']}/{agent['health']}"
            + " shield" * agent["shield"]
            + " new" * agent["new"]
            for agent in facts["boards"][seat]
        )
        lines.append(
            f"   {seat} board: {agents or 'none'} | hand: {', '.join(facts['hands'][seat])}"
        )
    return lines


@pytest.mark.parametrize("topic", ["", *GAME.topics])
def test_rules(topic: str, golden: Golden) -> None:
    golden(f"agentbattle/rules_{topic or 'short'}.txt", GAME.rules(topic) + "\n")


def test_cards(golden: Golden) -> None:
    golden("agentbattle/cards.txt", GAME.cards() + "\n")


def test_cards_of_a_profile(golden: Golden) -> None:
    names = ["pi", "alexa", "GPT 4o", " grok "]
    profile = {"cards": {"Pi": 1, "Grok": 2}, "last_reward": ""}
    golden("agentbattle/cards_owned.txt", GAME.cards(names, profile) + "\n")


def test_the_starter_deck(golden: Golden) -> None:
    golden("agentbattle/starter.txt", deck_text(STARTER) + "\n")


def test_position_as_a_line(golden: Golden) -> None:
    golden("agentbattle/position.txt", played("all_cards", 112, 12).position.to_text() + "\n")


def test_no_golden_file_is_left_over() -> None:
    made = [f"state_{name}" for name in STATES]
    made += [f"full_{name}" for name in FULL]
    made += [f"data_{name}" for name in DATA]
    made += [f"rules_{topic or 'short'}" for topic in ("", *GAME.topics)]
    made += ["record", "cards", "cards_owned", "starter", "position", "match_1", "match_2"]
    assert {path.stem for path in FOLDER.iterdir()} <= set(made)
