"""A player's profile and the Genesis pack (agentbattle 7). Pure: profile and day in, profile out.

A profile is JSON: `cards` maps a card's name to the copies owned, `last_reward` is the UTC day of
the last pack, empty before the first.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, cast

from ..base import Dice
from .cards import CARDS, DECK_SIZE, NAMES, NUMBERS, STARTER

PACK = 3
WEIGHTS: Mapping[str, int] = {"common": 12, "rare": 6, "epic": 3, "legendary": 1}
"""How often a card of each rarity is drawn, in proportion."""


def new_profile() -> dict[str, Any]:
    """Return the profile of a new player: exactly the starter deck, one copy each."""
    return {"cards": {NAMES[card]: 1 for card in STARTER}, "last_reward": ""}


def read_profile(facts: object) -> dict[str, Any]:
    """Return what was kept of a player, once it is a profile. Raises ValueError that says why not.

    A player owns at least a deck. Cards that this set does not know are kept, and not played with.
    """
    if not isinstance(facts, dict):
        raise ValueError("a profile is an object")
    profile = cast(dict[str, Any], facts)
    cards: object = profile.get("cards")
    if not isinstance(cards, dict):
        raise ValueError("cards is an object")
    for name, copies in cast(dict[str, Any], cards).items():
        if type(copies) is not int or copies < 1:
            raise ValueError(f"cards: the copies of {name[:24]!a} are a whole number from 1")
    day = profile.get("last_reward")
    if not isinstance(day, str) or not re.fullmatch(r"(\d{4}-\d\d-\d\d)?", day):
        raise ValueError("last_reward is a day like 2026-01-31, or empty")
    if len(owned_cards(profile)) < DECK_SIZE:
        raise ValueError(f"cards: fewer than the {DECK_SIZE} of a deck")
    return profile


def collection(profile: Mapping[str, Any]) -> dict[str, int]:
    """Return the copies of each known card that a profile owns."""
    cards: Mapping[str, int] = profile["cards"]
    return {name: copies for name, copies in cards.items() if name in NUMBERS}


def owned_cards(profile: Mapping[str, Any]) -> list[int]:
    """Return the numbers of the cards that a profile owns, in the order of the set."""
    return sorted(NUMBERS[name] for name in collection(profile))


def reward(profile: Mapping[str, Any], day: str, dice: Dice) -> tuple[dict[str, Any], str] | None:
    """Return the profile after the first win of a UTC day (`2026-01-31`), and what the pack held.

    None when this day, or a later one (a clock set back), has had its pack.
    """
    if day <= profile["last_reward"]:
        return None
    owned = dict(profile["cards"])
    pulled = [CARDS[number - 1] for number in open_pack(dice)]
    said: list[str] = []
    for card in pulled:
        owned[card.name] = owned.get(card.name, 0) + 1
        new = "new" if owned[card.name] == 1 else f"copy {owned[card.name]}"
        said.append(f"{card.name} ({card.rarity}, {new})")
    text = f"First win of the day! Genesis pack: {', '.join(said)}."
    return {**profile, "cards": owned, "last_reward": day}, text


def open_pack(dice: Dice) -> list[int]:
    """Draw 3 different cards of the set, weighted by rarity."""
    left = [card.number for card in CARDS]
    pulled: list[int] = []
    for _ in range(PACK):
        weights = [WEIGHTS[CARDS[number - 1].rarity] for number in left]
        at = dice.below(sum(weights))
        index = 0
        while at >= weights[index]:
            at -= weights[index]
            index += 1
        pulled.append(left.pop(index))
    return pulled
