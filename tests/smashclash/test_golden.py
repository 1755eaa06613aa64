"""Golden texts in tests/golden/smashclash, to be reviewed like code.

`pytest --update-golden tests/smashclash/test_golden.py` writes them anew (or UPDATE_GOLDEN=1).
"""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from smashclash_mcp import Dice, Match, Record, Setup, to_json
from smashclash_mcp.games.base import Seat

from .build import GAME

Golden = Callable[[str, str], None]

TITLE = "g_k7q2mx"
FOLDER = Path(__file__).parent.parent / "golden" / "smashclash"

STATES: dict[str, tuple[str, int, int | None, Seat | None]] = {
    "first_move": ("mutators", 42, 0, 0),
    "seat_a": ("mutators", 42, 9, 0),
    "seat_b": ("mutators", 130, 9, 1),
    "seat_b_waits": ("mutators", 42, 10, 1),
    "spectator": ("mutators", 42, 10, None),
    "hop_on_offer": ("mutators", 42, 10, 0),
    "second_hop_on_offer": ("mutators", 112, 9, 0),
    "frozen": ("mutators", 42, 26, 1),
    "after_swap_seat_a": ("mutators", 112, 13, 0),
    "after_swap_seat_b": ("mutators", 112, 12, 1),
    "finished_seat_a": ("mutators", 42, None, 0),
    "finished_spectator": ("mutators", 42, None, None),
    "classic_seat_a": ("classic", 46, 7, 0),
    "classic_seat_b": ("classic", 46, 8, 1),
    "classic_spectator": ("classic", 46, 7, None),
}
"""Ruleset, seed, how many random moves were played (None: all), and whose view."""
FULL = ("first_move", "seat_b", "hop_on_offer", "spectator")
DATA = ("seat_b", "hop_on_offer", "after_swap_seat_b", "finished_seat_a")


def played(ruleset: str, seed: int, plies: int | None) -> Match:
    """Return a match after so many random moves, at its end without a number."""
    match = Match(Setup("smashclash", ruleset, seed, seats=("random", "random")))
    dice = Dice(seed)
    while match.to_move is not None and (plies is None or match.position.ply < plies):
        legal = match.position.legal_moves()
        match.play(legal[dice.below(len(legal))])
    return match


@pytest.mark.parametrize("name", STATES)
def test_state_block(name: str, golden: Golden) -> None:
    ruleset, seed, plies, seat = STATES[name]
    view = played(ruleset, seed, plies).view(seat)
    golden(f"smashclash/state_{name}.txt", view.text(TITLE) + "\n")


@pytest.mark.parametrize("name", FULL)
def test_state_block_with_legend_and_hints(name: str, golden: Golden) -> None:
    ruleset, seed, plies, seat = STATES[name]
    view = played(ruleset, seed, plies).view(seat)
    golden(f"smashclash/full_{name}.txt", view.text(TITLE, legend=True, hints=True) + "\n")


@pytest.mark.parametrize("name", DATA)
def test_state_as_json(name: str, golden: Golden) -> None:
    ruleset, seed, plies, seat = STATES[name]
    data = played(ruleset, seed, plies).view(seat).data(hints=True)
    golden(f"smashclash/data_{name}.json", json.dumps(data, ensure_ascii=False, indent=1) + "\n")


def record() -> Record:
    """Return the record of a short game with FREEZE, SWAP and RECRUIT."""
    return played("classic", 30, None).record()


def test_record_as_text(golden: Golden) -> None:
    text = record().text()
    golden("smashclash/record.txt", text)
    assert Record.parse(text) == record()


def test_record_as_json(golden: Golden) -> None:
    data = to_json(record())
    moves = ",\n".join(json.dumps(move, ensure_ascii=False) for move in data.pop("moves"))
    text = json.dumps(data, ensure_ascii=False).removesuffix("}") + f',\n"moves": [\n{moves}\n]}}\n'
    golden("smashclash/record.json", text)
    assert Record.parse(text) == record()


@pytest.mark.parametrize("topic", ["", *GAME.topics])
def test_rules(topic: str, golden: Golden) -> None:
    golden(f"smashclash/rules_{topic or 'short'}.txt", GAME.rules(topic) + "\n")


def test_cards(golden: Golden) -> None:
    golden("smashclash/cards.txt", GAME.cards() + "\n")


def test_cards_by_name_and_id(golden: Golden) -> None:
    names = ["lizzie jr", "#1", "46", "FLIP", "Mr. Lollihops", " poe ", "Flip", "FLIP"]
    golden("smashclash/cards_named.txt", GAME.cards(names) + "\n")


def test_position_as_a_line(golden: Golden) -> None:
    golden("smashclash/position.txt", played("mutators", 112, 12).position.to_text() + "\n")


def test_no_golden_file_is_left_over() -> None:
    made = [f"state_{name}" for name in STATES]
    made += [f"full_{name}" for name in FULL]
    made += [f"data_{name}" for name in DATA]
    made += [f"rules_{topic or 'short'}" for topic in ("", *GAME.topics)]
    made += ["record", "cards", "cards_named", "position"]
    assert {path.stem for path in FOLDER.iterdir()} <= set(made)
