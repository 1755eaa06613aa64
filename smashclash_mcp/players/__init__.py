"""Whoever chooses moves. A player gets a View, never a Position, and dice of its own."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Protocol

from ..games.base import Dice, Game, Level, Move, View
from .search import SearchPlayer


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


@dataclass(frozen=True, slots=True)
class SometimesRandom:
    """Plays as another player does, but draws a share of its moves, 0 to 1, at random."""

    player: Player
    share: float

    def choose(self, view: View, dice: Dice) -> Move:
        """Return a legal move of `view`, whose seat is to move."""
        if dice.random() < self.share:
            return RandomPlayer().choose(view, dice)
        return self.player.choose(view, dice)


PLAYERS: Mapping[str, Callable[[Level], Player]] = {
    "greedy": lambda level: GreedyPlayer(),
    "random": lambda level: RandomPlayer(),
    "search": lambda level: SearchPlayer(level.nodes),
}
"""How a player is made for a level, by the name it has there."""


def get_level(game: Game, name: str) -> Player:
    """Return a game's built-in opponent. Raises ValueError that lists the levels there are."""
    if name not in game.levels:
        raise ValueError(f"unknown level: {game.title} has {', '.join(game.levels)}")
    level = game.levels[name]
    player = PLAYERS[level.player](level)
    return SometimesRandom(player, level.random_share) if level.random_share else player
