"""Reading moves: every spelling that is meant to work, for every move there is, and no other."""

from __future__ import annotations

import random
import re
from collections.abc import Callable

import pytest

from smashclash_mcp import AmbiguousMoveError, Dice, IllegalMoveError, InvalidMoveError
from smashclash_mcp.games.smashclash.cards import IDS, NUMBERS
from smashclash_mcp.games.smashclash.moves import MOVES

from .build import GAME, position

NAMES = GAME.move_names


def with_id(name: str) -> str:
    """Return a placement's or an overrun's name with its card's id."""
    found = re.fullmatch(r"(.+)([@!])(..)", name)
    return f"{found[1]}#{IDS[NUMBERS[found[1]]]}{found[2]}{found[3]}" if found else name


SPELLINGS: dict[str, Callable[[str], str]] = {
    "as it is": lambda name: name,
    "lower case": str.lower,
    "upper case": str.upper,
    "spaces around it": lambda name: f"  {name}\n",
    "spaces around its sign": lambda name: re.sub(r"\s*([@!→(])\s*", r" \1 ", name),
    "without spaces": lambda name: name.replace(" ", ""),
    "without dots": lambda name: name.replace(".", ""),
    "without hyphens": lambda name: name.replace("-", ""),
    "typographic hyphens": lambda name: name.replace("-", "\u2011"),
    "a full stop": lambda name: name + ".",
    "single quotes": lambda name: f"'{name}'",
    "double quotes": lambda name: f'"{name}"',
    "curly quotes": lambda name: f"“{name}”",
    "quotes inside": lambda name: re.sub(r"^(.+)([@!])(..)$", r'"\1"\2`\3`', name),
    "backticks": lambda name: f"`{name}`",
    "bold": lambda name: f"**{name}**",
    "->": lambda name: name.replace("→", "->"),
    "=>": lambda name: name.replace("→", " => "),
    "-->": lambda name: name.replace("→", "-->"),
    "to": lambda name: name.replace("→", " to "),
    "to, on": lambda name: name.replace("@", " on "),
    "at": lambda name: name.replace("@", " at "),
    "a space for @": lambda name: name.replace("@", " "),
    "place": lambda name: f"place {name}" if "@" in name else name,
    "no brackets": lambda name: name.replace("(", " ").replace(")", ""),
    "the card's printed !": lambda name: re.sub(r"^([A-Z]{4,7})(?=\(|$)", r"\1!", name),
    "an id": with_id,
    "full width": lambda name: "".join(
        chr(ord(c) + 0xFEE0) if "!" <= c <= "~" else c for c in name
    ),
}


@pytest.mark.parametrize("spelling", SPELLINGS)
def test_every_move_is_read_in_every_honest_spelling(spelling: str) -> None:
    for move, name in enumerate(NAMES):
        typed = SPELLINGS[spelling](name)
        assert GAME.parse_move(typed) == move, typed


def test_no_spelling_of_a_move_is_a_spelling_of_another() -> None:
    spelled: dict[str, int] = {}
    for move, name in enumerate(NAMES):
        for change in SPELLINGS.values():
            typed = change(name)
            assert spelled.setdefault(typed, move) == move, typed
            plain = re.sub(r"[\s.'\"`*()]", "", typed.lower())
            assert spelled.setdefault(plain, move) == move, typed


@pytest.mark.parametrize("short", ["Lizzie", "Mittens", "Alex", "Po", "Stell", "Mr."])
def test_a_name_is_never_read_as_a_longer_one(short: str) -> None:
    for tile in ("A1", "C2"):
        try:
            read = NAMES[GAME.parse_move(f"{short}@{tile}")]
        except InvalidMoveError:
            continue
        assert read == f"{short}@{tile}"


@pytest.mark.parametrize(
    "text",
    [
        "Pengu@B1 or Pengu@B2",
        "Pengu@B1, Luna@B2",
        "Pengu@B1\nLuna@B2",
        "Pengu@B1 and then hop→D2".replace(" and then ", " then "),
        "FLIP / SWAP",
        "Pengu@B1 | C1",
    ],
)
def test_several_moves_are_ambiguous(text: str) -> None:
    with pytest.raises(AmbiguousMoveError):
        GAME.parse_move(text)


@pytest.mark.parametrize(
    "text",
    [
        "", " ", ".", "3", "null", "[]", '{"move": "Pengu@C2"}', '["Pengu@C2"]', "Pengu", "C2",
        "@C2", "Pengu@", "Pengu@F1", "Pengu@A4", "Pengu@C22", "Pengu@@C2", "Pengu@C2@D2",
        "I think Pengu@C2 is best", "let's play Pengu at C2", "Pengu@C2 because it takes two",
        "Pengu or Luna @ C2", "#0@C2", "#999@C2", "Luna#1@C2", "hop", "hop→F9", "hop→A1→B1",
        "BOULDER", "BOULDER(A1 B1)", "FREEZE()", "RECRUIT(A1)", "RECRUIT(A1→B1→C1)", "FLIP(A1)",
        "SWAP SWAP", "pass", "resign", "end", "undo", "Pengu@С2", "\x00", "\x1b[31mPengu@C2",
        "Pengu\x1c@C2", "Pengu@C2\x85",
        "Pengu\u202e@C2", "Pengu@\ud800", "\ud800", "x" * 5_000_000, "Pengu@C2" * 20,
    ],
)  # fmt: skip
def test_what_is_no_move_is_refused(text: str) -> None:
    with pytest.raises(InvalidMoveError) as refused:
        GAME.parse_move(text)
    assert len(str(refused.value)) < 200


def test_a_card_name_with_a_slip_gets_a_suggestion() -> None:
    with pytest.raises(InvalidMoveError, match="did you mean Arachnassile"):
        GAME.parse_move("Arachnasile@C2")


ILLEGAL: list[tuple[dict[str, str], str, str, str]] = [
    ({"C2": "B Joe"}, "Pengu", "Pengu@C2", "C2 is not empty"),
    ({}, "Luna", "Pengu@C2", "Pengu is not in your hand"),
    ({}, "Luna", "FLIP", "FLIP is not in your hand"),
    ({}, "Luna", "hop→C2", "no hop is on offer"),
    ({}, "Luna", "hop: stay", "no hop is on offer"),
    ({}, "Pengu", "Pengu!C2", "C2 is empty; place there with Pengu@C2"),
    ({"C2": "B Joe"}, "Pengu", "Pengu!C2", "C2 is not your card"),
    ({"C2": "A Joe*"}, "Pengu", "Pengu!C2", "C2 is frozen"),
    ({"C2": "A Joe"}, "Pengu", "Pengu!C2", "not all four neighbours of C2 are occupied"),
    ({"A1": "A Joe"}, "Pengu", "Pengu!A1", "only B2, C2 and D2 can be overrun"),
    ({}, "FLIP, Pengu", "FLIP", "FLIP needs a card on the board"),
    ({}, "FREEZE, Pengu", "FREEZE(A1)", "A1 holds no card"),
    ({"A1": "B Joe"}, "FREEZE, Pengu", "FREEZE(A1)", "A1 is not your card"),
    ({"A1": "A Joe*"}, "FREEZE, Pengu", "FREEZE(A1)", "A1 is frozen"),
    ({"A1": "A Joe*"}, "BOULDER, Pengu", "BOULDER(A1)", "A1 is frozen"),
    ({}, "RECRUIT, Pengu", "RECRUIT(A1→B1)", "A1 holds no card"),
    ({"A1": "A Joe"}, "RECRUIT, Pengu", "RECRUIT(A1→B1)", "A1 is your own card"),
    ({"A1": "B Joe*"}, "RECRUIT, Pengu", "RECRUIT(A1→B1)", "A1 is frozen"),
    ({"A1": "B Joe"}, "RECRUIT, Pengu", "RECRUIT(A1→A1)", "A1 is not empty"),
    ({"A1": "B Joe", "B1": "B Po"}, "RECRUIT, Pengu", "RECRUIT(A1→B1)", "B1 is not empty"),
]


@pytest.mark.parametrize(("board", "hand", "move", "reason"), ILLEGAL)
def test_an_illegal_move_is_refused_with_the_reason_of_this_very_move(
    board: dict[str, str], hand: str, move: str, reason: str
) -> None:
    with pytest.raises(IllegalMoveError) as refused:
        position(board, a=hand, b="Alex").view(0).read_move(move)
    assert str(refused.value) == reason


@pytest.mark.parametrize(
    ("move", "reason"),
    [
        ("Luna@C2", "the hop from A1 must be decided first"),
        ("hop→B2", "a rook does not move from A1 to B2"),
        ("hop→D1", "the rook's way from A1 to D1 is blocked"),
        ("hop→C1", "C1 is not empty"),
    ],
)
def test_while_hopping_the_reason_names_the_hop(move: str, reason: str) -> None:
    at = position({"C1": "B Joe"}, a="Pengu, Luna", b="Alex", chess={"A1": "rook"})
    at.play(GAME.moves_by_name["Pengu@A1"], Dice(1))
    with pytest.raises(IllegalMoveError) as refused:
        at.view(0).read_move(move)
    assert str(refused.value) == reason


def test_every_refusal_of_a_move_in_random_games_has_a_reason() -> None:
    for seed in range(40):
        dice, choose = Dice(seed), random.Random(seed)
        at = GAME.new("mutators", dice)
        while (seat := at.to_move) is not None:
            legal, view = at.legal_moves(), at.view(seat)
            for move in choose.sample(range(len(MOVES)), 30):
                if move not in legal:
                    with pytest.raises(IllegalMoveError, match=r"\w"):
                        view.read_move(NAMES[move])
            at.play(choose.choice(legal), dice)
