"""The tables of one process: their ids, keys, and which one a call means."""

from __future__ import annotations

import secrets
import threading
from dataclasses import dataclass, replace

from ..games.base import Dice, Seat
from ..players import get_level
from ..record import Setup
from .table import CallError, Table, hash_key

ALPHABET = "abcdefghjkmnpqrstuvwxyz23456789"
"""No look-alikes: no i, l, o, 0, 1."""
MAX_TABLES = 10_000
"""How many games one process holds; finished ones make room first."""


@dataclass(frozen=True, slots=True)
class Access:
    """A table, and the seat a call acts for; None: the client's own, or whoever is to move."""

    table: Table
    seat: Seat | None = None


class Tables:
    """All games of one process, in memory. Safe to use from several threads."""

    def __init__(self) -> None:
        self._tables: dict[str, Table] = {}
        self._lock = threading.Lock()

    def open(self, setup: Setup, house_seat: Seat | None) -> tuple[Table, tuple[str, str] | None]:
        """Open a table against the house or, with `house_seat` None, for clients on both seats.

        Returns the table and, when clients hold both seats, their two keys, which are kept
        nowhere. Raises CallError when there is no room for another unfinished game.
        """
        keys = None if house_seat is not None else (_key(), _key())
        hashes = {} if keys is None else {seat: hash_key(key) for seat, key in enumerate(keys)}
        # Not under the lock: the house may have to think about the first move.
        table = Table(_random_id(), setup, house_seat, hashes)
        with self._lock:
            self._make_room()
            while table.id in self._tables:
                table.id = _random_id()
            self._tables[table.id] = table
        return table, keys

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


def drawn_setup(setup: Setup) -> Setup:
    """Return a setup with a seed drawn by the operating system."""
    return replace(setup, seed=secrets.randbelow(Dice.MAX_SEED + 1), seed_source="drawn")


def check_level(level: str) -> str:
    """Return a level that the house has. Raises CallError that lists the levels."""
    try:
        get_level(level)
    except ValueError as error:
        raise CallError("format", f"level: {error}") from None
    return level


def _random_id() -> str:
    return "g_" + "".join(secrets.choice(ALPHABET) for _ in range(6))


def _key() -> str:
    return "s_" + "".join(secrets.choice(ALPHABET) for _ in range(27))  # 27 x 4.95 bits > 128
