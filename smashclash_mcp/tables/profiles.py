"""What a player keeps from game to game: one profile a game, an opaque blob to all but the game.

Kept in one SQLite file of the user's data folder: a change is one transaction, so that neither a
crash in mid-write nor a second process can lose or double it. The standard library's sqlite3 is
used, since a table of a row a game must not slow down the start of the server.
"""

from __future__ import annotations

import copy
import json
import logging
import sqlite3
import threading
from collections.abc import Callable, Generator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any, cast

from ..games import get_game

log = logging.getLogger(__name__)

Profile = dict[str, Any]
FILE = "profiles.sqlite3"
PATIENCE_S = 10.0
"""Seconds to wait for another process that is writing."""
_TABLE = "CREATE TABLE IF NOT EXISTS profile (game TEXT PRIMARY KEY, facts TEXT NOT NULL)"


class ProfileError(Exception):
    """A profile that cannot be read or written now; nothing has changed."""


class Profiles:
    """The profiles of one player. Safe to use from several threads and processes.

    `folder` None keeps them in memory. So does a folder that cannot be written to, which is said
    once in the log.
    """

    def __init__(self, folder: Path | None = None) -> None:
        self._path = None if folder is None else folder / FILE
        self._memory: dict[str, Profile] = {}
        self._lock = threading.Lock()
        self._ready = False

    def get(self, game: str) -> Profile:
        """Return a game's profile, a new player's if there is none yet. Raises ProfileError."""
        with self._lock, self._transaction() as database:
            return self._read(database, game)

    def change(self, game: str, change: Callable[[Profile], tuple[Profile, str] | None]) -> str:
        """Replace a profile by what `change` makes of it, in one step; return what it says.

        `change` returns None to leave the profile as it is; then the answer is empty. Raises
        ProfileError.
        """
        with self._lock, self._transaction() as database:
            changed = change(self._read(database, game))
            if changed is None:
                return ""
            profile, said = changed
            if database is None:
                self._memory[game] = profile
            else:
                row = (game, json.dumps(profile))
                database.execute("INSERT OR REPLACE INTO profile VALUES (?, ?)", row)
            return said

    def _read(self, database: sqlite3.Connection | None, game: str) -> Profile:
        if database is None:
            known = copy.deepcopy(self._memory.get(game))
        else:
            query = "SELECT facts FROM profile WHERE game = ?"
            row = database.execute(query, (game,)).fetchone()
            known = _facts(row[0]) if row else None
        return get_game(game).new_profile() if known is None else known

    @contextmanager
    def _transaction(self) -> Generator[sqlite3.Connection | None]:
        """Open the file for one change that is kept whole or not at all; None: in memory."""
        if not self._ready:
            self._prepare()
        if self._path is None:
            yield None
            return
        try:
            with closing(_connect(self._path)) as database:
                database.execute("BEGIN IMMEDIATE")
                yield database
                database.execute("COMMIT")  # not reached after an error: closing rolls back
        except (OSError, sqlite3.Error) as error:
            raise ProfileError(f"{self._path}: {error}") from None

    def _prepare(self) -> None:
        self._ready = True
        if self._path is None:
            return
        try:
            self._path.parent.mkdir(parents=True, exist_ok=True)
            with closing(_connect(self._path)) as database:
                database.execute("PRAGMA journal_mode = WAL")
                database.execute(_TABLE)
                database.execute("BEGIN IMMEDIATE")
                database.execute("INSERT OR REPLACE INTO profile VALUES ('', '')")
                database.execute("DELETE FROM profile WHERE game = ''")
                database.execute("COMMIT")
        except (OSError, sqlite3.Error) as error:
            log.warning("%s: %s; your collection is kept in memory only", self._path, error)
            self._path = None


def _facts(text: str) -> Profile:
    try:
        facts = json.loads(text)
    except ValueError:
        facts = None
    if not isinstance(facts, dict):
        raise ProfileError("what is kept of the player cannot be read")
    return cast(Profile, facts)


def _connect(path: Path) -> sqlite3.Connection:
    database = sqlite3.connect(path, timeout=PATIENCE_S, isolation_level=None)
    database.execute("PRAGMA synchronous = FULL")
    return database
