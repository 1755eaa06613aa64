"""The 51 cards of Smash&Clash, read from cards.csv (smashclash 1, 2).

Inside the engine a card is a small number: 1-46 are the characters (their printed ids), 47-51 the
effects (ids 101-105). A piece is a card on the board: the card's number for seat A, plus 64 for
seat B, so `piece >> 6` is its seat and `piece & 63` its card; 0 is an empty tile.
"""

from __future__ import annotations

import csv
from dataclasses import dataclass
from importlib.resources import files

FILES = files("smashclash_mcp.games.smashclash")
"""This game's data files."""

COLOURS = ("pink", "blue", "red", "green", "orange", "purple", "gray")
BOULDER, FLIP, FREEZE, RECRUIT, SWAP = range(47, 52)
CHARACTERS = range(1, 47)
DECK = range(1, 52)

Sides = tuple[int, int, int, int]
"""North, east, south, west: as they touch on the board."""


@dataclass(frozen=True, slots=True)
class Card:
    """One card; `printed` is top, right, bottom, left as its owner reads it, None for effects."""

    number: int
    id: int
    name: str
    colour: str
    printed: Sides | None


def _load() -> tuple[Card, ...]:
    cards: list[Card] = []
    text = FILES.joinpath("cards.csv").read_text(encoding="utf-8")
    for number, row in enumerate(csv.DictReader(text.splitlines()), start=1):
        if row["kind"] == "character":
            printed = (int(row["top"]), int(row["right"]), int(row["bottom"]), int(row["left"]))
            cards.append(Card(number, int(row["id"]), row["name"], row["color"], printed))
        else:
            cards.append(Card(number, int(row["id"]), row["name"].rstrip("!").upper(), "", None))
    return tuple(cards)


CARDS = _load()
NAMES = ("?", *(card.name for card in CARDS))
"""The name of each card by its number; `?` for one that a view does not know."""
IDS = (0, *(card.id for card in CARDS))
COLOUR = ("", *(card.colour for card in CARDS))
NUMBERS = {card.name: card.number for card in CARDS}


def _sides_of_pieces() -> tuple[Sides, ...]:
    sides: list[Sides] = [(0, 0, 0, 0)] * 128
    for card in CARDS:
        if card.printed:
            top, right, bottom, left = card.printed
            sides[card.number] = (top, right, bottom, left)
            sides[card.number + 64] = (bottom, left, top, right)
    return tuple(sides)


SIDES = _sides_of_pieces()
"""The board sides of each piece (smashclash 2): seat B's card stands turned by 180 degrees."""
