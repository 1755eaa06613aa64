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
from typing import Any, NamedTuple

from ..games import get_game
from ..games.base import Dice, Seat
from ..record import Record, RecordError, Setup
from .database import Database, StoreError
from .journal import ConflictError, DamagedError, Entry, Journal, Listed, Status
from .profiles import Profiles
from .table import UNKEPT, UNREADABLE, CallError, Limits, Reply, Table

ALPHABET = "abcdefghjkmnpqrstuvwxyz23456789"
"""No look-alikes: no i, l, o, 0, 1."""
HELD = 1000
"""How many games are held ready; others are rebuilt from the journal when they are asked for."""
OWN = 10_000
"""How many of the games that it has opened a process remembers, for calls without an id."""
SWEPT = 200
"""How many of the games that were left are looked at in one call."""
NO_GAME = "no game here has this id."
NO_KEY = (
    "no seat is opened by this: a move needs the seat key that new_game or join_game gave; "
    "a game's id is enough to watch it with get_state"
)
"""One answer to whatever opens no seat, so that it tells nothing."""
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
    watching: bool = False
    """Whether the call acts for no seat at all and sees what a spectator sees."""

    def state(self) -> Reply:
        """Return what the caller sees now. Raises CallError."""
        return self.table.watch() if self.watching else self.table.state(self.seat)


class Keys(NamedTuple):
    """The keys of a new game's seats A and B; empty where a seat has none, or not yet."""

    a: str = ""
    b: str = ""


class Tables:
    """The games of a journal, as one process sees them. Safe to use from several threads.

    Without a database there is a new one in memory. `now` is the clock. `profiles`: there is one
    player here, who keeps something from game to game. `shared`: clients that do not know each
    other share this process, so that only a seat's key acts for it; otherwise a game's id acts for
    the seats whose keys this process has given or been given, and in games that need none.
    """

    def __init__(
        self,
        database: Database | None = None,
        now: Callable[[], datetime] = _now,
        *,
        profiles: bool = False,
        shared: bool = False,
        allow_seeds: bool = False,
        limits: Limits | None = None,
    ) -> None:
        database = database or Database()
        self.profiles = Profiles(database) if profiles else None
        """What the one player here keeps; None: nothing, as for many players."""
        self.shared = shared
        self.allow_seeds = allow_seeds
        """Whether a client may choose the seed of a game that another one joins."""
        self._limits = limits or Limits()
        self._now = now
        self._database = database
        self._journal = Journal(database)
        self._held: OrderedDict[str, Table] = OrderedDict()
        """The games that were asked for last, the latest at the end."""
        self._running: OrderedDict[str, None] = OrderedDict()
        """The games that this process has opened and not yet seen over, oldest first."""
        self._finished: OrderedDict[str, None] = OrderedDict()
        """Those that are over, in the order in which that was noticed."""
        self._seats: OrderedDict[str, set[Seat]] = OrderedDict()
        """The seats of joined games whose keys this process has given or been given."""
        self._joined: OrderedDict[str, tuple[Seat, str]] = OrderedDict()
        """The seats that were taken here, with their keys: a call whose answer was lost is
        answered again."""
        self._lock = threading.Lock()

    def open(
        self, setup: Setup, *, free: Seat | None = None, move_timeout_s: int = 0
    ) -> tuple[Table, Keys | None]:
        """Open a table against the house or, without one, for clients on both seats.

        `free` is a seat that waits for whoever joins; `move_timeout_s` is how long a seat may take
        for a move (0: as long as it likes). Returns the table and the keys of the clients' seats,
        which are kept nowhere; None where none is needed. Raises CallError when the game cannot be
        kept.
        """
        keys = None
        if self.shared or setup.house is None:
            keys = Keys(*("" if seat in (setup.house, free) else _key() for seat in (0, 1)))
        hashes = (None, None) if keys is None else (_hashed(keys.a), _hashed(keys.b))
        while True:
            entry = Entry(
                _random_id(),
                self._now().timestamp(),
                setup,
                hashes,
                open=free,
                move_timeout_s=move_timeout_s,
            )
            try:
                self._journal.add(entry)
                break
            except ConflictError:
                continue
            except StoreError as error:
                raise _unkept(entry.id, error) from None
        table = self._table(entry)
        if free is not None:
            self._hold(table.id, 1 - free)
        self._note_running(table.id)
        table.state()  # a house that begins plays its first move
        return table, keys

    def join(self, game_id: str, complete: Callable[[Setup, Seat], Setup]) -> tuple[Access, Keys]:
        """Take a game's free seat; return it and its key, kept nowhere on disk.

        `complete` adds to the setup what whoever takes the seat brings. Raises CallError when no
        seat is free there, or the game cannot be kept.
        """
        given = game_id.strip().lower()
        known = None if self.shared else self._joined.get(given)
        if known is not None:
            return Access(self._loaded(given), known[0]), _keys(*known)
        table = self._load(given)
        if table is None:
            raise CallError("format", f"{NO_GAME} list_games(status=open) lists what can be joined")
        table.state()  # it may have lapsed
        key = _key()
        try:
            entry = self._journal.find(given)
            assert entry is not None, "games are never deleted"
            if entry.open is None or entry.result:
                raise ConflictError
            setup = complete(entry.setup, entry.open)
            at = self._now().timestamp()
            self._journal.join(given, entry.open, setup, _hash(key), at)
        except (ConflictError, DamagedError):
            raise CallError(
                "illegal", "no seat is free there; list_games(status=open) lists those that are"
            ) from None
        except StoreError as error:
            raise _unkept(given, error) from None
        self._hold(given, entry.open)
        self._note_running(given)
        if not self.shared:
            with self._lock:
                self._joined[given] = entry.open, key
                _shorten(self._joined, OWN)
        return Access(table, entry.open), _keys(entry.open, key)

    def _note_running(self, game_id: str) -> None:
        """Remember a game for calls without an id."""
        if self.shared:
            return
        with self._lock:
            self._running[game_id] = None
            _shorten(self._running, OWN)

    def _hold(self, game_id: str, seat: Seat) -> None:
        """Remember that the client here holds a seat's key."""
        if self.shared:
            return
        with self._lock:
            self._seats.setdefault(game_id, set()).add(seat)
            _shorten(self._seats, OWN)

    def _by_id(self, table: Table) -> Access:
        """Return what a game's public id allows."""
        if self.shared:
            return Access(table, watching=True)
        if table.open_seat is None and not table.joined:
            return Access(table)  # against the house, or one client on both seats
        held = self._seats.get(table.id, set())
        if not held:
            return Access(table, watching=True)
        return Access(table, next(iter(held)) if len(held) == 1 else None)

    def elsewhere(self) -> int:
        """Return a number that changes when another process has written."""
        return self._database.version()

    def own(self, listed: Listed) -> bool:
        """Say whether a game's id alone acts here."""
        entry = listed.entry
        return not self.shared and (
            entry.id in self._seats or (entry.open is None and entry.joined is None)
        )

    def sweep(self) -> None:
        """Let running games lapse that were left. Raises CallError."""
        now = self._now().timestamp()
        try:
            left = self._journal.left(
                now - self._limits.idle_s, now - self._limits.unjoined_s, SWEPT
            )
        except StoreError as error:
            raise _unkept("the list of games", error) from None
        for game in left:
            try:
                self._loaded(game).state()
            except CallError:
                continue  # it cannot be read: said in the log

    def _table(self, entry: Entry) -> Table:
        """Return the one table of a game that this process holds ready."""
        with self._lock:
            table = self._held.get(entry.id)
            if table is None:
                table = Table(entry, self._journal, self._now, self._reward, self._limits)
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

    def latest(self, most: int, status: Status = "") -> tuple[list[Listed], int]:
        """Return the newest games, oldest first, and how many there are. Raises CallError."""
        try:
            return self._journal.latest(most, status), self._journal.count(status)
        except StoreError as error:
            raise _unkept("the list of games", error) from None

    def find(self, game_id: str, *, finished_first: bool = False) -> Access:
        """Return what a game id, a seat key or nothing at all means.

        Nothing means the only unfinished game of this process or, when all are over, the latest
        one (`finished_first`: the latest finished one). Raises CallError that lists the games.
        """
        given = game_id.strip()
        if given.startswith("s_"):
            access = self._by_key(given)
            if access.table.joined or access.table.open_seat is not None:
                assert access.seat is not None, "a key opens a seat"
                self._hold(access.table.id, access.seat)
            return access
        if given:
            table = self._load(given.lower())
            if table is None and self.shared:
                raise CallError("format", NO_KEY)
            if table is None:
                raise CallError("format", f"{NO_GAME} {self._listed()}")
            return self._by_id(table)
        if self.shared:
            raise CallError("format", NO_KEY)
        return self._by_id(self._meant(finished_first))

    def find_seat(self, game_id: str) -> Access:
        """Return what `find` does, if it acts for a seat. Raises CallError when it only watches."""
        access = self.find(game_id)
        if access.watching:
            raise CallError("format", NO_KEY)
        return access

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
        raise CallError("format", NO_KEY)

    def _loaded(self, game_id: str) -> Table:
        table = self._load(game_id)
        assert table is not None, "games are never deleted"
        return table

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
        return self._loaded(latest[-1])

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
        earlier = [listed.entry.id for listed in self.latest(10, "running")[0]]
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


def _keys(seat: Seat, key: str) -> Keys:
    return Keys(key) if seat == 0 else Keys("", key)


def _hashed(key: str) -> bytes | None:
    return _hash(key) if key else None


def _hash(key: str) -> bytes:
    """Return what is kept of a seat's key."""
    return hashlib.sha256(key.encode("utf-8", "replace")).digest()


def _key() -> str:
    return "s_" + "".join(secrets.choice(ALPHABET) for _ in range(27))  # 27 x 4.95 bits > 128
