"""What a player keeps from game to game: one profile a game, an opaque blob to all but the game.

A change is one transaction, so that neither a crash in mid-write nor a second process can lose or
double it.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

from sqlalchemy import Connection, bindparam, insert, select

from ..games import get_game
from .database import PROFILES, Database, StoreError

Profile = dict[str, Any]

_FACTS = select(PROFILES.c.facts).where(PROFILES.c.game == bindparam("name"))
_REPLACE = insert(PROFILES).prefix_with("OR REPLACE", dialect="sqlite")


class ProfileError(StoreError):
    """A profile that cannot be read or written now; nothing has changed."""


class Profiles:
    """The profiles of one player. Safe to use from several threads and processes."""

    def __init__(self, database: Database | None = None) -> None:
        self._database = database or Database()

    def get(self, game: str) -> Profile:
        """Return a game's profile, a new player's if there is none yet. Raises StoreError."""
        with self._database.connection() as connection:
            return _read(connection, game)

    def change(self, game: str, change: Callable[[Profile], tuple[Profile, str] | None]) -> str:
        """Replace a profile by what `change` makes of it, in one step; return what it says.

        `change` returns None to leave the profile as it is; then the answer is empty. Raises
        StoreError.
        """
        with self._database.transaction() as connection:
            changed = change(_read(connection, game))
            if changed is None:
                return ""
            profile, said = changed
            connection.execute(_REPLACE, {"game": game, "facts": json.dumps(profile)})
            return said


def _read(connection: Connection, game: str) -> Profile:
    kept = connection.execute(_FACTS, {"name": game}).scalar_one_or_none()
    if kept is None:
        return get_game(game).new_profile()
    try:
        return get_game(game).read_profile(json.loads(kept))
    except (ValueError, RecursionError) as error:
        why = str(error) or type(error).__name__
        raise ProfileError(f"the player's profile cannot be read: {why}") from None
