"""Whoever chooses moves. A player gets a View, never a Position, and dice of its own."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Protocol

from ..games.base import Dice, Move, View


class Player(Protocol):
    """Chooses one of the legal moves of a view; the same view and dice give the same move."""

    def choose(self, view: View, dice: Dice) -> Move:
        """Return a legal move of `view`, whose seat is to move."""
        ...


class RandomPlayer:
    """Plays every legal move with the same probability."""

    def choose(self, view: View, dice: Dice) -> Move:
        """Return a legal move of `view`, whose seat is to move."""
        legal = view.legal_moves()
        return legal[dice.below(len(legal))]


class GreedyPlayer:
    """Plays the move with the most immediate gain (`View.gain`), ties by the dice."""

    def choose(self, view: View, dice: Dice) -> Move:
        """Return a legal move of `view`, whose seat is to move."""
        gains = [(view.gain(move), move) for move in view.legal_moves()]
        most = max(gain for gain, _ in gains)
        best = [move for gain, move in gains if gain == most]
        return best[dice.below(len(best))]


LEVELS: Mapping[str, Player] = {"greedy": GreedyPlayer(), "random": RandomPlayer()}
"""The house's levels by name."""
DEFAULT_LEVEL = "greedy"


def get_level(level: str) -> Player:
    """Return the house of a level. Raises ValueError that lists the levels there are."""
    if level not in LEVELS:
        raise ValueError(f"unknown level: this version has {' and '.join(LEVELS)}")
    return LEVELS[level]
