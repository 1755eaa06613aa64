"""The moves of Agent Battle: 0 ends the turn, a card's number plays it (agentbattle 2)."""

from __future__ import annotations

from .cards import CARDS

END_MOVE = 0
MOVE_NAMES = ("end", *(f"play {card.name}" for card in CARDS))
MOVES_BY_NAME = {name: number for number, name in enumerate(MOVE_NAMES)}
