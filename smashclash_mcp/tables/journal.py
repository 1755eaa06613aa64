"""The journal: every game as its setup and its moves, one row an entry of the record.

The key of a move is its game and ply, so that of two calls that would write the same entry, in
whatever processes, exactly one lands.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any, Literal

from sqlalchemy import (
    ColumnElement,
    Connection,
    Insert,
    Row,
    and_,
    bindparam,
    func,
    insert,
    or_,
    select,
    true,
    update,
)
from sqlalchemy.exc import IntegrityError

from ..games import get_game
from ..games.base import Seat
from ..record import Setup, Tries
from .database import GAMES, MOVES, Database

IDS_AT_ONCE = 500


Status = Literal["", "open", "active", "running", "finished"]
"""Which games: all, those with a free seat, those being played, both of these, those that are over.
"""


class ConflictError(Exception):
    """Another call has written this entry first; nothing of this one was kept."""


class DamagedError(Exception):
    """A game whose rows cannot be read."""


@dataclass(frozen=True, slots=True)
class Entry:
    """A game as it is kept, without its moves. Times are seconds since 1970."""

    id: str
    created: float
    setup: Setup
    keys: tuple[bytes | None, bytes | None] = (None, None)
    """The SHA-256 of each seat's key; None where no key opens the seat."""
    result: str = ""
    """How it ended; empty while it runs."""
    earned: str | None = None
    """What the client's win has earned; None until that is settled."""
    open: Seat | None = None
    """The seat that waits for whoever joins."""
    joined: float | None = None
    """When that seat was taken; None for a game that was never open."""
    move_timeout_s: int = 0
    """How long a seat may take for a move, in seconds; 0: as long as it likes."""
    tries: tuple[Tries, Tries] = (Tries(), Tries())
    """What each seat sent that was refused as a move."""


@dataclass(frozen=True, slots=True)
class Listed:
    """A line of the list of games: the game, and how many entries its record has."""

    entry: Entry
    plies: int


_ADD_GAME = insert(GAMES)
_ADD_MOVE = insert(MOVES)
_END = update(GAMES).where(GAMES.c.id == bindparam("game")).values(result=bindparam("said"))
_CLOSE = _END.where(GAMES.c.open.is_not(None))
_JOIN = (
    update(GAMES)
    .where(GAMES.c.id == bindparam("game"), GAMES.c.open == bindparam("seat"))
    .where(GAMES.c.result.is_(None))
    .values(open=None, joined=bindparam("at"), setup=bindparam("completed"))
)
_TRIED = update(GAMES).where(GAMES.c.id == bindparam("game"))
_MOVES_AFTER = (
    select(MOVES.c.ply, MOVES.c.seat, MOVES.c.name, MOVES.c.at)
    .where(MOVES.c.game == bindparam("game"), MOVES.c.ply > bindparam("ply"))
    .order_by(MOVES.c.ply)
)
_BY_KEY = select(GAMES.c.id, GAMES.c.key_a, GAMES.c.key_b).where(
    or_(GAMES.c.key_a == bindparam("key"), GAMES.c.key_b == bindparam("key"))
)
_GAME = select(GAMES).where(GAMES.c.id == bindparam("id"))
_FINISHED = select(GAMES.c.id).where(
    GAMES.c.id.in_(bindparam("ids", expanding=True)), GAMES.c.result.is_not(None)
)
_EARNED = select(GAMES.c.earned).where(GAMES.c.id == bindparam("id"))
_SETTLE = update(GAMES).where(GAMES.c.id == bindparam("game")).values(earned=bindparam("said"))
_LATEST_MOVE = select(func.max(MOVES.c.at)).where(MOVES.c.game == GAMES.c.id).scalar_subquery()
_IDLE = (
    select(GAMES.c.id)
    .where(GAMES.c.result.is_(None), GAMES.c.created < bindparam("idle"))
    .where(func.coalesce(_LATEST_MOVE, GAMES.c.joined, GAMES.c.created) < bindparam("idle"))
    .limit(bindparam("most"))
)
_UNJOINED = (
    select(GAMES.c.id)
    .where(GAMES.c.result.is_(None), GAMES.c.open.is_not(None))
    .where(GAMES.c.created < bindparam("unjoined"))
    .limit(bindparam("most"))
)
_PLIES = (
    select(func.coalesce(func.max(MOVES.c.ply), 0))
    .where(MOVES.c.game == GAMES.c.id)
    .scalar_subquery()
)


class Journal:
    """All games of a data folder, or of memory. Every method raises StoreError when it cannot."""

    def __init__(self, database: Database | None = None) -> None:
        self.database = database or Database()

    def add(self, entry: Entry) -> None:
        """Keep a new game. Raises ConflictError when its id is taken."""
        row = {
            "id": entry.id,
            "created": entry.created,
            "rules_version": get_game(entry.setup.game).rules_version,
            "setup": _setup_text(entry.setup),
            "key_a": entry.keys[0],
            "key_b": entry.keys[1],
            "open": entry.open,
            "move_timeout_s": entry.move_timeout_s,
        }
        with self.database.connection() as connection:
            _write(connection, _ADD_GAME, row)

    def append(
        self,
        game: str,
        first: int,
        moves: Sequence[tuple[Seat, str]],
        at: float,
        result: str = "",
        *,
        unjoined: bool = False,
    ) -> None:
        """Keep a move and what followed it by itself, `first` being its ply.

        `result` ends the game. Raises ConflictError when one of these entries is there already
        or, with `unjoined`, when the free seat is taken.
        """
        rows = [
            {"game": game, "ply": ply, "seat": seat, "name": name, "at": at}
            for ply, (seat, name) in enumerate(moves, first)
        ]
        if len(rows) == 1 and not result:  # one statement is kept whole without a transaction
            with self.database.connection() as connection:
                _write(connection, _ADD_MOVE, rows[0])
            return
        with self.database.transaction() as connection:
            _write(connection, _ADD_MOVE, rows)
            end = _CLOSE if unjoined else _END
            if result and connection.execute(end, {"game": game, "said": result}).rowcount != 1:
                raise ConflictError

    def tried(self, game: str, seat: Seat, kind: str) -> None:
        """Count what a seat sent that was refused, by one of the fields of `Tries`."""
        name = f"{kind}_{'ab'[seat]}"
        with self.database.connection() as connection:
            connection.execute(_TRIED.values({name: GAMES.c[name] + 1}), {"game": game})

    def join(self, game: str, seat: Seat, setup: Setup, key: bytes, at: float) -> None:
        """Give a game's free seat away, the setup being completed by whoever takes it.

        Raises ConflictError when it is not free, or the game is over.
        """
        kept = {"game": game, "seat": seat, "at": at, "completed": _setup_text(setup)}
        join = _JOIN.values({("key_a", "key_b")[seat]: key})
        with self.database.connection() as connection:
            if connection.execute(join, kept).rowcount != 1:
                raise ConflictError

    def left(self, idle: float, unjoined: float, most: int) -> list[str]:
        """Return running games in which nothing has happened since `idle`, or nobody joined."""
        since = {"idle": idle, "unjoined": unjoined, "most": most}
        with self.database.connection() as connection:
            ids = [*connection.execute(_UNJOINED, since).scalars()]
            ids += connection.execute(_IDLE, since).scalars()
        return list(dict.fromkeys(ids))

    def moves(self, game: str, after: int = 0) -> list[tuple[int, Seat, str, float]]:
        """Return a game's entries behind a ply, in order: ply, seat, name, time."""
        with self.database.connection() as connection:
            rows = connection.execute(_MOVES_AFTER, {"game": game, "ply": after})
            return [(row.ply, row.seat, row.name, row.at) for row in rows]

    def find(self, game: str) -> Entry | None:
        """Return a game, None if there is none of this id. Raises DamagedError."""
        with self.database.connection() as connection:
            row = connection.execute(_GAME, {"id": game}).one_or_none()
        return None if row is None else _entry(row)

    def by_key(self, key: bytes) -> tuple[str, bytes | None, bytes | None] | None:
        """Return the game that a key's SHA-256 opens, with the hashes of both its seats."""
        with self.database.connection() as connection:
            row = connection.execute(_BY_KEY, {"key": key}).first()
        return None if row is None else (row.id, row.key_a, row.key_b)

    def earn(self, game: str, earn: Callable[[], str]) -> str:
        """Return what a win has earned: what `earn` says, called once and for all of time.

        What it changes in this database is kept with its answer, or not at all.
        """
        with self.database.transaction() as connection:
            known = connection.execute(_EARNED, {"id": game}).scalar_one()
            if known is not None:
                return known
            said = earn()
            connection.execute(_SETTLE, {"game": game, "said": said})
            return said

    def latest(self, most: int, status: Status = "") -> list[Listed]:
        """Return the newest games, oldest first; those that cannot be read are left out."""
        query = select(GAMES, _PLIES.label("plies")).where(_THAT[status])
        query = query.order_by(GAMES.c.created.desc()).limit(most)
        with self.database.connection() as connection:
            rows = connection.execute(query).all()
        listed: list[Listed] = []
        for row in reversed(rows):
            try:
                listed.append(Listed(_entry(row), int(row.plies)))
            except DamagedError:
                continue
        return listed

    def finished(self, games: Sequence[str]) -> set[str]:
        """Return those of the games that are over."""
        over: set[str] = set()
        with self.database.connection() as connection:
            for start in range(0, len(games), IDS_AT_ONCE):
                some = {"ids": games[start : start + IDS_AT_ONCE]}
                over.update(connection.execute(_FINISHED, some).scalars())
        return over

    def count(self, status: Status = "") -> int:
        """Count the games."""
        query = select(func.count()).select_from(GAMES).where(_THAT[status])
        with self.database.connection() as connection:
            return int(connection.execute(query).scalar_one())


def _write(connection: Connection, statement: Insert, rows: Any) -> None:
    """Insert a row, or several. Raises ConflictError when the key of one is there already."""
    try:
        connection.execute(statement, rows)
    except IntegrityError:
        raise ConflictError from None


_RUNS = GAMES.c.result.is_(None)
_THAT: Mapping[Status, ColumnElement[bool]] = {
    "": true(),
    "open": and_(_RUNS, GAMES.c.open.is_not(None)),
    "active": and_(_RUNS, GAMES.c.open.is_(None)),
    "running": _RUNS,
    "finished": GAMES.c.result.is_not(None),
}


def _setup_text(setup: Setup) -> str:
    return json.dumps(asdict(setup), ensure_ascii=False)


def _entry(row: Row[Any]) -> Entry:
    try:
        facts: dict[str, Any] = json.loads(row.setup)
        facts["seats"], facts["decks"] = tuple(facts["seats"]), tuple(facts["decks"])
        setup = Setup(**facts)
        version = get_game(setup.game).rules_version
    except (ValueError, KeyError, TypeError) as error:
        raise DamagedError(f"{row.id}: its setup cannot be read ({error})") from None
    if row.rules_version != version:
        raise DamagedError(f"{row.id} is of rules version {row.rules_version}, this is {version}")
    return Entry(
        row.id,
        float(row.created),
        setup,
        (row.key_a, row.key_b),
        row.result or "",
        row.earned,
        row.open,
        row.joined,
        row.move_timeout_s,
        (Tries(row.illegal_a, row.unreadable_a), Tries(row.illegal_b, row.unreadable_b)),
    )
