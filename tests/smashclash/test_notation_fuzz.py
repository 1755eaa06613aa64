"""Reading damaged moves: what is still read is the same move, or spelled exactly like another."""

from __future__ import annotations

import random
import re
import unicodedata

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from smashclash_mcp import InvalidMoveError, MoveError

from .build import GAME

NAMES = GAME.move_names
LETTERS = "abcdeABCDE0123#@!;:>→()[] .'`-*,toonat\n\t/&=_’lijrz" + "Ｃ２ﬁſ\u0301\u200b"


def spelling(text: str) -> str:
    """Return what a text spells: letters, digits and the overrun's `!`, all else left out.

    A second reading of section 7, on purpose much simpler than the engine's: it tells the 1101
    moves apart, but does not say which texts are moves.
    """
    text = unicodedata.normalize("NFKC", text).lower()
    text = re.sub(r"^[\W_]*(place|play)\s", "", text)
    text = re.sub(r"#\s?\d+|\s(to|on|at)\s", "", text)
    text = re.sub(r"[^a-z0-9!]", "", text)
    effect = re.match("boulder|flip|freeze|recruit|swap", text)
    return text.replace("!", "") if effect else text


STAY = GAME.moves_by_name["hop: stay"]
SPELLED = {
    **{spelling(name): move for move, name in enumerate(NAMES)},
    **dict.fromkeys(("stay", "decline", "hopdecline"), STAY),
}


def edited(name: str, choose: random.Random) -> str:
    """Return a name with one to three letters put in, left out, changed or doubled."""
    for _ in range(choose.choice((1, 1, 2, 3))):
        at, letter = choose.randrange(len(name) + 1), choose.choice(LETTERS)
        name = choose.choice(
            (
                name[:at] + letter + name[at:],
                name[:at] + name[at + 1 :],
                name[:at] + letter + name[at + 1 :],
                name[:at] + name[at : at + 2] + name[at:],
            )
        )
    return name


def test_the_simple_reading_tells_all_moves_apart() -> None:
    assert len(SPELLED) == len(NAMES) + 3


@settings(max_examples=100, deadline=None)
@given(seed=st.integers(0, 2**53 - 1))
def test_a_damaged_move_is_refused_or_read_as_what_it_spells(seed: int) -> None:
    choose = random.Random(seed)
    for _ in range(200):
        name = choose.choice(NAMES)
        typed = edited(name, choose)
        try:
            read = GAME.parse_move(typed)
        except MoveError:
            continue
        assert SPELLED.get(spelling(typed)) == read, (name, typed, NAMES[read])


@pytest.mark.parametrize("zeros", range(9))
def test_an_id_with_zeros_before_it_is_the_same_id(zeros: int) -> None:
    assert NAMES[GAME.parse_move(f"#{'0' * zeros}44@C2")] == "Lizzie Jr.@C2"


@pytest.mark.parametrize("card", ["#10", "#440", "#1000001", "#4400000", "#" + "4" * 90])
def test_an_id_is_never_cut_to_another(card: str) -> None:
    try:
        read = NAMES[GAME.parse_move(f"{card}@C2")]
    except InvalidMoveError:
        return
    assert (card, read) == ("#10", "Mr. Nibbles@C2")
