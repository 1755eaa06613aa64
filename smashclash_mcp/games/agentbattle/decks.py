"""Decks as text: eight different cards, `starter`, or `random` (agentbattle 1)."""

from __future__ import annotations

import re
from collections.abc import Collection
from difflib import get_close_matches

from ..base import Dice
from .cards import BY_PLAIN, CARDS, DECK_SIZE, NAMES, STARTER, plain

Deck = tuple[int, ...]

ALL = tuple(card.number for card in CARDS)
MAX_LENGTH = 2000
_WRAPPING = " \t\r\n'\"`.()[]"
"""What may stand around a deck, or be left of it where a name is missing."""


def read_deck(typed: str, dice: Dice, owned: Collection[int]) -> Deck:
    """Return the cards of a deck: `starter`, `random` (of the owned cards), or eight names.

    Raises ValueError that names the rule it breaks: an unknown card, one that is there twice, one
    that is not owned, or not eight.
    """
    word = typed.strip(_WRAPPING).lower()
    if word == "random":
        if len(owned) < DECK_SIZE:
            raise ValueError(f"a deck is {DECK_SIZE} cards, and you own {len(owned)}")
        cards = sorted(owned)
        dice.shuffle(cards)
        return tuple(cards[:DECK_SIZE])
    deck = list(STARTER) if word == "starter" else _named(typed)
    for number in deck:
        if deck.count(number) > 1:
            raise ValueError(
                f"a deck is {DECK_SIZE} different cards: {NAMES[number]} is there twice"
            )
        if number not in owned:
            raise ValueError(
                f"you do not own {NAMES[number]}: get_cards marks what you own, or play all_cards"
            )
    if len(deck) != DECK_SIZE:
        raise ValueError(
            f"a deck is exactly {DECK_SIZE} different cards by commas, or starter or random; "
            f"this one has {len(deck)}"
        )
    return tuple(deck)


def _named(typed: str) -> list[int]:
    """Return the cards that a text names, one after the other."""
    if len(typed) > MAX_LENGTH:
        raise ValueError(f"a deck is at most {MAX_LENGTH} characters")
    return [_known(name.strip()) for name in re.split(r"[,;\n]", typed) if name.strip(_WRAPPING)]


def _known(name: str) -> int:
    number = BY_PLAIN.get(plain(name))
    if number is None:
        close = get_close_matches(plain(name), BY_PLAIN, 1)
        hint = f"; did you mean {NAMES[BY_PLAIN[close[0]]]}?" if close else ""
        raise ValueError(f"no card is called {name[:24]!a}{hint}")
    return number


def deck_text(deck: Deck) -> str:
    """Return a deck as it is recorded: its cards' names."""
    return ", ".join(NAMES[card] for card in deck)
