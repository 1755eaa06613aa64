"""The tables of one process: their ids, keys, and which one a call means."""

from __future__ import annotations

import hashlib
import hmac
import logging
import secrets
import threading
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from ..games import get_game
from ..games.base import Dice, Seat
from ..record import Record, RecordError, Setup
from .database import Database, StoreError
from .journal import ConflictError, DamagedError, Entry, Journal, Listed
from .profiles import Profiles
from .table import UNKEPT, UNREADABLE, CallError, Table

ALPHABET = "abcdefghjkmnpqrstuvwxyz23456789"
"""No look-alikes: no i, l, o, 0, 1."""
HELD = 1000
"""How many games are held ready; others are rebuilt from the journal when they are asked for."""
OWN = 10_000
"""How many of the games that it has opened a process remembers, for calls without an id."""
PASSING = "(Kept only while this server runs.)"
"""Said of what is earned where nothing is kept on disk."""

log = logging.getLogger(__name__)


def _now() -> datetime:
    return datetime.now(UTC)


@dataclass(frozen=True, slots=True)
class Access:
    """A table, and the seat a call acts for; None: the client's own, or whoever is to move."""

    table: Table
    seat: Seat | None = None


class Tables:
    """The games of a journal, as one process sees them. Safe to use from several threads.

    Without a database there is a new one in memory. `now` is the clock. `profiles`: there is one
    player here, who keeps something from game to game.
    """

    def __init__(
        self,
        database: Database | None = None,
        now: Callable[[], datetime] = _now,
        *,
        profiles: bool = False,
    ) -> None:
        database = database or Database()
        self.profiles = Profiles(database) if profiles else None
        """What the one player here keeps; None: nothing, as for many players."""
        self._now = now
        self._database = database
        self._journal = Journal(database)
        self._held: OrderedDict[str, Table] = OrderedDict()
        """The games that were asked for last, the latest at the end."""
        self._running: OrderedDict[str, None] = OrderedDict()
        """The games that this process has opened and not yet seen over, oldest first."""
        self._finished: OrderedDict[str, None] = OrderedDict()
        """Those that are over, in the order in which that was noticed."""
        self._lock = threading.Lock()

    def open(self, setup: Setup) -> tuple[Table, tuple[str, str] | None]:
        """Open a table against the house or, without one, for clients on both seats.

        Returns the table and, when clients hold both seats, their two keys, which are kept
        nowhere. Raises CallError when the game cannot be kept.
        """
        keys = None if setup.house is not None else (_key(), _key())
        hashes = (None, None) if keys is None else (_hash(keys[0]), _hash(keys[1]))
        while True:
            entry = Entry(_random_id(), self._now().timestamp(), setup, hashes)
            try:
                self._journal.add(entry)
                break
            except ConflictError:
                continue
            except StoreError as error:
                raise _unkept(entry.id, error) from None
        table = self._table(entry)
        with self._lock:
            self._running[table.id] = None
            _shorten(self._running, OWN)
        table.view()  # a house that begins plays its first move
        return table, keys

    def _table(self, entry: Entry) -> Table:
        """Return the one table of a game that this process holds ready."""
        with self._lock:
            table = self._held.get(entry.id)
            if table is None:
                table = Table(entry, self._journal, self._now, self._reward)
                self._held[entry.id] = table
            self._held.move_to_end(entry.id)
            _shorten(self._held, HELD)
        return table

    def _load(self, game_id: str) -> Table | None:
        """Return the table of an id, None if there is no such game. Raises CallError."""
        with self._lock:
            table = self._held.get(game_id)
            if table is not None:
                self._held.move_to_end(game_id)
                return table
        try:
            entry = self._journal.find(game_id)
            return None if entry is None else self._table(entry)
        except StoreError as error:
            raise _unkept(game_id, error) from None
        except DamagedError as error:
            log.error("%s", error)
            raise CallError("unavailable", UNREADABLE) from None

    def _reward(self, game_id: str, record: Record) -> str:
        """Return what a win against the house earned, once its record has been rebuilt.

        The pack and the note that this game has earned it are kept in one step. Raises StoreError.
        """
        game = get_game(record.setup.game)
        profiles = self.profiles
        if profiles is None or not game.new_profile():
            return ""
        try:
            record.replay()
        except RecordError as error:
            log.error("a won game does not replay: %s", error)
            return ""
        day = self._now().astimezone(UTC).date().isoformat()
        dice = Dice(drawn_seed())

        def earn() -> str:
            said = profiles.change(game.name, lambda profile: game.reward(profile, day, dice))
            return said if self._database.on_disk or not said else f"{said} {PASSING}"

        return self._journal.earn(game_id, earn)

    def latest(self, most: int, finished: bool | None = None) -> tuple[list[Listed], int]:
        """Return the newest games, oldest first, and how many there are. Raises CallError."""
        try:
            return self._journal.latest(most, finished), self._journal.count(finished)
        except StoreError as error:
            raise _unkept("the list of games", error) from None

    def find(self, game_id: str, *, finished_first: bool = False) -> Access:
        """Return what a game id, a seat key or nothing at all means.

        Nothing means the only unfinished game of this process or, when all are over, the latest
        one (`finished_first`: the latest finished one). Raises CallError that lists the games.
        """
        given = game_id.strip()
        if given.startswith("s_"):
            return self._by_key(given)
        if given:
            table = self._load(given.lower())
            if table is None:
                raise CallError("format", f"no game here has this id. {self._listed()}")
            return Access(table)
        return Access(self._meant(finished_first))

    def _by_key(self, key: str) -> Access:
        given = _hash(key)
        try:
            found = self._journal.by_key(given)
        except StoreError as error:
            raise _unkept("a seat key", error) from None
        if found is not None:
            game, *hashes = found
            for seat, known in enumerate(hashes):
                if known is not None and hmac.compare_digest(known, given):
                    table = self._load(game)
                    assert table is not None, "a key's game is in the same row"
                    return Access(table, seat)
        raise CallError("format", "no seat here has this key; new_game gives the keys")

    def _meant(self, finished_first: bool) -> Table:
        """Return the game that a call without an id means."""
        running, finished = self._own_games()
        if not running and not finished:
            raise CallError("format", f"no game yet: call new_game first{self._older()}")
        if len(running) > 1 and not (finished_first and finished):
            raise CallError(
                "format", f"several games are running: give a game_id. {self._listed()}"
            )
        latest = finished if finished_first and finished else running or finished
        table = self._load(latest[-1])
        assert table is not None, "games are never deleted"
        return table

    def _own_games(self) -> tuple[list[str], list[str]]:
        """Return the games that this process has opened: those that run, and those that are over.

        With one that runs the journal is not asked: if it is over, its table will tell.
        """
        with self._lock:
            over = {game for game in self._running if self._is_over(game)}
            running = [game for game in self._running if game not in over]
        if len(running) > 1:
            try:
                over |= self._journal.finished(running)
            except StoreError as error:
                raise _unkept("own games", error) from None
        with self._lock:
            for game in [game for game in self._running if game in over]:
                del self._running[game]
                self._finished[game] = None
            _shorten(self._finished, OWN)
            return list(self._running), list(self._finished)

    def _is_over(self, game: str) -> bool:
        table = self._held.get(game)
        return table is not None and table.match.to_move is None

    def _older(self) -> str:
        """Name the running games of earlier processes in this folder, as the end of a sentence."""
        earlier = [listed.entry.id for listed in self.latest(10, finished=False)[0]]
        return f", or give the game_id of an earlier one: {', '.join(earlier)}" if earlier else ""

    def _listed(self) -> str:
        running, _ = self._own_games()
        if not running:
            return f"None is running: call new_game{self._older()}"
        older = f" and {len(running) - 10} older ones" if len(running) > 10 else ""
        return f"Running: {', '.join(running[-10:])}{older}"


def _shorten(latest: OrderedDict[str, Any], most: int) -> None:
    while len(latest) > most:
        latest.popitem(last=False)


def _unkept(what: str, error: StoreError) -> CallError:
    log.error("%s: %s", what, error)
    return CallError("unavailable", UNKEPT)


def drawn_seed() -> int:
    """Return a seed drawn by the operating system."""
    return secrets.randbelow(Dice.MAX_SEED + 1)


def _random_id() -> str:
    return "g_" + "".join(secrets.choice(ALPHABET) for _ in range(6))


def _hash(key: str) -> bytes:
    """Return what is kept of a seat's key."""
    return hashlib.sha256(key.encode("utf-8", "replace")).digest()


def _key() -> str:
    return "s_" + "".join(secrets.choice(ALPHABET) for _ in range(27))  # 27 x 4.95 bits > 128
