"""Smash&Clash for agents: play, replay and search games in Python, or serve them over MCP.

>>> from smashclash_mcp import Match, Setup
>>> match = Match(Setup("smashclash", "mutators", seed=7))
>>> view = match.view(match.to_move)
>>> print(view.text())  # doctest: +SKIP
>>> entries = match.play(view.read_move(match.game.move_names[view.legal_moves()[0]]))
"""

from .games import GAMES, get_game
from .games.base import (
    AmbiguousMoveError,
    Dice,
    Game,
    GameOverError,
    IllegalMoveError,
    InvalidMoveError,
    MoveError,
    NotYourTurnError,
    Outcome,
    Position,
    View,
)
from .players import GreedyPlayer, Player, RandomPlayer
from .record import Match, Record, RecordError, Setup, to_json

__version__ = "0.1.0"

__all__ = [
    "GAMES",
    "AmbiguousMoveError",
    "Dice",
    "Game",
    "GameOverError",
    "GreedyPlayer",
    "IllegalMoveError",
    "InvalidMoveError",
    "Match",
    "MoveError",
    "NotYourTurnError",
    "Outcome",
    "Player",
    "Position",
    "RandomPlayer",
    "Record",
    "RecordError",
    "Setup",
    "View",
    "__version__",
    "get_game",
    "to_json",
]
