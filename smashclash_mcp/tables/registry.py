"""The tables of one process: their ids, keys, and which one a call means."""

from __future__ import annotations

import logging
import secrets
import threading
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime

from ..games import get_game
from ..games.base import Dice, Seat
from ..record import Record, RecordError, Setup
from .profiles import ProfileError, Profiles
from .table import CallError, Table, hash_key

ALPHABET = "abcdefghjkmnpqrstuvwxyz23456789"
"""No look-alikes: no i, l, o, 0, 1."""
MAX_TABLES = 10_000
"""How many games one process holds; finished ones make room first."""


log = logging.getLogger(__name__)


def _now() -> datetime:
    return datetime.now(UTC)


@dataclass(frozen=True, slots=True)
class Access:
    """A table, and the seat a call acts for; None: the client's own, or whoever is to move."""

    table: Table
    seat: Seat | None = None


class Tables:
    """All games of one process, in memory. Safe to use from several threads.

    `now` is the clock, for what happens once a day.
    """

    def __init__(
        self, profiles: Profiles | None = None, now: Callable[[], datetime] = _now
    ) -> None:
        self.profiles = profiles
        """What the one player here keeps from game to game; None: nothing, as for many players."""
        self._now = now
        self._tables: dict[str, Table] = {}
        self._lock = threading.Lock()

    def open(self, setup: Setup) -> tuple[Table, tuple[str, str] | None]:
        """Open a table against the house or, without one, for clients on both seats.

        Returns the table and, when clients hold both seats, their two keys, which are kept
        nowhere. Raises CallError when there is no room for another unfinished game.
        """
        keys = None if setup.house is not None else (_key(), _key())
        hashes = {} if keys is None else {seat: hash_key(key) for seat, key in enumerate(keys)}
        # Not under the lock: the house may have to think about the first move.
        table = Table(_random_id(), setup, hashes, self._reward)
        with self._lock:
            self._make_room()
            while table.id in self._tables:
                table.id = _random_id()
            self._tables[table.id] = table
        return table, keys

    def _reward(self, record: Record) -> str:
        """Return what a win against the house earned, once its record has been rebuilt."""
        game = get_game(record.setup.game)
        if self.profiles is None or not game.new_profile():
            return ""
        try:
            record.replay()
        except RecordError as error:
            log.error("a won game does not replay: %s", error)
            return ""
        day = self._now().astimezone(UTC).date().isoformat()
        dice = Dice(drawn_seed())
        try:
            return self.profiles.change(game.name, lambda profile: game.reward(profile, day, dice))
        except ProfileError as error:
            log.error("a reward is not kept: %s", error)
            return ""

    def _make_room(self) -> None:
        if len(self._tables) < MAX_TABLES:
            return
        for table_id, table in self._tables.items():
            if table.match.to_move is None:
                del self._tables[table_id]
                return
        raise CallError("illegal", f"{MAX_TABLES} games are running; finish or resign one first")

    def all(self) -> list[Table]:
        """Return the tables, oldest first."""
        with self._lock:
            return list(self._tables.values())

    def find(self, game_id: str, *, finished_first: bool = False) -> Access:
        """Return what a game id, a seat key or nothing at all means.

        Nothing means the only unfinished game or, when all are over, the latest one
        (`finished_first`: the latest finished one). Raises CallError that lists the games.
        """
        if game_id.startswith("s_"):
            given = hash_key(game_id)
            for table in self.all():
                seat = table.seat_of_key(given)
                if seat is not None:
                    return Access(table, seat)
            raise CallError("format", "no seat here has this key; new_game gives the keys")
        if game_id:
            table = self._tables.get(game_id)
            if table is None:
                raise CallError("format", f"no game here has this id. {self._listed()}")
            return Access(table)
        tables = self.all()
        running = [table for table in tables if table.match.to_move is not None]
        over = [table for table in tables if table.match.to_move is None]
        if finished_first and over:
            return Access(over[-1])
        if len(running) > 1:
            raise CallError(
                "format", f"several games are running: give a game_id. {self._listed()}"
            )
        if not tables:
            raise CallError("format", "no game yet: call new_game first")
        return Access((running or over)[-1])

    def _listed(self) -> str:
        running = [table.id for table in self.all() if table.match.to_move is not None]
        if not running:
            return "None is running: call new_game"
        older = f" and {len(running) - 10} older ones" if len(running) > 10 else ""
        return f"Running: {', '.join(running[-10:])}{older}"


def drawn_seed() -> int:
    """Return a seed drawn by the operating system."""
    return secrets.randbelow(Dice.MAX_SEED + 1)


def _random_id() -> str:
    return "g_" + "".join(secrets.choice(ALPHABET) for _ in range(6))


def _key() -> str:
    return "s_" + "".join(secrets.choice(ALPHABET) for _ in range(27))  # 27 x 4.95 bits > 128
