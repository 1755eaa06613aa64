"""The cards of Agent Battle, read from cards.toml and checked (agentbattle 3, 6, 9).

Inside the engine a card is a small number, 1 .. 42 in the order of the file; 0 is one that a view
does not know.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from importlib.resources import files
from typing import Any, cast

from .vocabulary import CLASSES, Ability, read_ability

FILES = files("smashclash_mcp.games.agentbattle")
"""This game's data files."""

RARITIES = ("common", "rare", "epic", "legendary")
STATS = ("reasoning", "creativity", "knowledge", "speed", "resilience")
DECK_SIZE = 8


@dataclass(frozen=True, slots=True)
class Card:
    """One card; `stats` are Reasoning, Creativity, Knowledge, Speed and Resilience, 0-100."""

    number: int
    name: str
    klass: str
    rarity: str
    stats: tuple[int, int, int, int, int]
    ability: Ability

    @property
    def attack(self) -> int:
        """The base attack (agentbattle 3)."""
        return base_attack(sum(self.stats[:4]))

    @property
    def health(self) -> int:
        """The health it enters with (agentbattle 3)."""
        return full_health(self.stats[4])

    @property
    def speed(self) -> int:
        """Its Speed."""
        return self.stats[3]


def base_attack(stats: int) -> int:
    """Return the base attack for a sum of four stats: a fortieth, half up (agentbattle 3)."""
    return (stats + 20) // 40


def full_health(resilience: int) -> int:
    """Return the health for a Resilience: a fifth, half up, and 4 (agentbattle 3)."""
    return (resilience + 2) // 5 + 4


def plain(name: str) -> str:
    """Return a card's name as it is compared: lower case, letters and digits only."""
    return re.sub(r"[^a-z0-9]", "", name.lower())


def read_cards(text: str) -> tuple[tuple[Card, ...], tuple[int, ...]]:
    """Read a card file; return its cards and the numbers of the starter deck.

    Raises ValueError that names the card and the field at fault.
    """
    data = tomllib.loads(text)
    rows = data.get("card", [])
    cards = tuple(_read_card(number, row) for number, row in enumerate(rows, 1))
    numbers: dict[str, int] = {}
    for card in cards:
        if plain(card.name) in numbers:
            raise ValueError(f"{card.name}: name is there twice")
        numbers[plain(card.name)] = card.number
        if sum(card.stats) != data.get("total"):
            raise ValueError(f"{card.name}: stats sum to {sum(card.stats)}, not {data['total']}")
    if len({card.ability.name for card in cards}) != len(cards):
        raise ValueError("ability.name is there twice")
    starter = tuple(numbers.get(plain(name), 0) for name in data.get("starter", []))
    if len(set(starter) - {0}) != DECK_SIZE:
        raise ValueError(f"starter: names {DECK_SIZE} different cards of the set")
    return cards, starter


def _read_card(number: int, row: Mapping[str, Any]) -> Card:
    name = row.get("name")
    if not isinstance(name, str) or not plain(name) or not name.isascii() or len(name) > 24:
        raise ValueError(f"card {number}: name is a short ASCII text")
    try:
        unknown = set(row) - {"name", "class", "rarity", "stats", "ability"}
        if unknown:
            raise ValueError(f"{min(unknown)} is no field of a card")
        klass = _one_of(row, "class", CLASSES)
        rarity = _one_of(row, "rarity", RARITIES)
        stats = _table(row, "stats")
        if tuple(stats) != STATS:
            raise ValueError(f"stats are {', '.join(STATS)}, in this order")
        values: list[int] = []
        for stat, value in stats.items():
            if type(value) is not int or not 0 <= value <= 100:
                raise ValueError(f"stats.{stat} is a whole number from 0 to 100")
            values.append(value)
        if sum(values[:4]) % 40 == 20:
            raise ValueError("stats: the first four may not sum to 20 modulo 40")
        reasoning, creativity, knowledge, speed, resilience = values
        return Card(
            number,
            name,
            klass,
            rarity,
            (reasoning, creativity, knowledge, speed, resilience),
            read_ability(_table(row, "ability")),
        )
    except ValueError as error:
        raise ValueError(f"{name}: {error}") from None


def _table(row: Mapping[str, Any], field: str) -> Mapping[str, Any]:
    value = row.get(field)
    if not isinstance(value, Mapping):
        raise ValueError(f"{field} is missing")
    return cast(Mapping[str, Any], value)


def _one_of(row: Mapping[str, Any], field: str, choices: tuple[str, ...]) -> str:
    value = row.get(field)
    if value not in choices:
        raise ValueError(f"{field} is one of {', '.join(choices)}")
    return str(value)


CARDS, STARTER = read_cards(FILES.joinpath("cards.toml").read_text(encoding="utf-8"))
NAMES = ("?", *(card.name for card in CARDS))
"""The name of each card by its number; `?` for one that a view does not know."""
NUMBERS = {card.name: card.number for card in CARDS}
BY_PLAIN = {plain(card.name): card.number for card in CARDS}
CLASS = ("", *(card.klass for card in CARDS))
BASE = (0, *(card.attack for card in CARDS))
FULL = (0, *(card.health for card in CARDS))
"""The health each card enters with: no agent is ever healed above it."""
