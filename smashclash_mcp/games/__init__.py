"""The games, by name. A third game would be one new folder and one line here."""

from __future__ import annotations

from collections.abc import Mapping

from .agentbattle import AgentBattle
from .base import Game
from .smashclash import SmashClash

GAMES: Mapping[str, Game] = {game.name: game for game in (SmashClash(), AgentBattle())}
DEFAULT_GAME = next(iter(GAMES))


def get_game(name: str) -> Game:
    """Return a game by its name. Raises ValueError that lists the names."""
    if name not in GAMES:
        raise ValueError(f"unknown game: write one of {', '.join(GAMES)}")
    return GAMES[name]
