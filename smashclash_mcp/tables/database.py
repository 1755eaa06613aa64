"""The database of a data folder: its tables, its schema's version, and what to do without one.

One SQLite file in WAL mode with `synchronous=FULL`: what is committed survives `kill -9` and a
power cut, and several processes share it. Without a folder, or where it cannot be written to, the
same tables live in memory.
"""

from __future__ import annotations

import logging
import os
import sqlite3
import threading
from collections.abc import Generator, Sequence
from contextlib import contextmanager
from pathlib import Path

from sqlalchemy import (
    Connection,
    Engine,
    Float,
    Integer,
    LargeBinary,
    StaticPool,
    Text,
    column,
    create_engine,
    event,
    table,
)
from sqlalchemy.exc import DBAPIError, OperationalError, SQLAlchemyError

log = logging.getLogger(__name__)

FILE = "games.sqlite3"
PATIENCE_S = 10
"""Seconds to wait for another process that is writing."""

GAMES = table(
    "games",
    column("id", Text),
    column("created", Float),  # seconds since 1970, as every time here
    column("rules_version", Integer),
    column("setup", Text),  # JSON
    column("key_a", LargeBinary),  # SHA-256 of the seat's key; NULL: no key opens this seat
    column("key_b", LargeBinary),
    column("result", Text),  # NULL while the game runs
    column("earned", Text),  # what the client's win has earned; NULL: not settled
    column("open", Integer),  # the seat that waits for whoever joins; NULL: both are taken
    column("joined", Float),  # when it was taken; NULL: it never was open
    column("move_timeout_s", Integer),  # 0: no limit
    column("illegal_a", Integer),  # tries that were refused, by seat
    column("unreadable_a", Integer),
    column("illegal_b", Integer),
    column("unreadable_b", Integer),
)
MOVES = table(
    "moves",
    column("game", Text),
    column("ply", Integer),
    column("seat", Integer),
    column("name", Text),
    column("at", Float),
)
PROFILES = table("profiles", column("game", Text), column("facts", Text))  # facts are JSON
"""The tables as statements name them; how they are made is below, and there alone."""

_FIRST_VERSION: Sequence[str] = (
    """CREATE TABLE games (
        id TEXT NOT NULL PRIMARY KEY, created FLOAT NOT NULL, rules_version INTEGER NOT NULL,
        setup TEXT NOT NULL, key_a BLOB, key_b BLOB, result TEXT, earned TEXT)""",
    "CREATE INDEX games_by_key_a ON games (key_a)",
    "CREATE INDEX games_by_key_b ON games (key_b)",
    "CREATE INDEX games_by_created ON games (created)",
    """CREATE TABLE moves (
        game TEXT NOT NULL REFERENCES games (id), ply INTEGER NOT NULL, seat INTEGER NOT NULL,
        name TEXT NOT NULL, at FLOAT NOT NULL, PRIMARY KEY (game, ply)) WITHOUT ROWID""",
    "CREATE TABLE profiles (game TEXT NOT NULL PRIMARY KEY, facts TEXT NOT NULL)",
)

_SEATS: Sequence[str] = (
    "ALTER TABLE games ADD COLUMN open INTEGER",
    "ALTER TABLE games ADD COLUMN joined FLOAT",
    *(
        f"ALTER TABLE games ADD COLUMN {name} INTEGER NOT NULL DEFAULT 0"
        for name in ("move_timeout_s", "illegal_a", "unreadable_a", "illegal_b", "unreadable_b")
    ),
    "CREATE INDEX games_open ON games (created) WHERE open IS NOT NULL AND result IS NULL",
    "CREATE INDEX games_running ON games (created) WHERE result IS NULL",
)

MIGRATIONS: Sequence[Sequence[str]] = (_FIRST_VERSION, _SEATS)
"""What brings a database from each version to the next; version 0 is an empty file."""


class StoreError(Exception):
    """The database cannot be read or written now; nothing has changed."""


class Database:
    """The tables of a data folder, or of memory. Safe to use from several threads and processes.

    While another program holds the folder's file locked every use raises StoreError, and the next
    one tries again.
    """

    def __init__(self, folder: Path | None = None) -> None:
        self._lock = threading.RLock()
        self._in_transaction = False
        self._path = None if folder is None else folder / FILE
        self._connection: Connection | None = None
        self._version = 0
        try:
            self._connected()
        except StoreError as error:
            log.warning("%s: %s; each call tries again", self._path, error)

    @property
    def on_disk(self) -> bool:
        """Whether what is kept outlives this process."""
        return self._path is not None

    def _connected(self) -> Connection:
        """Return the one connection, made when it is first possible. Raises StoreError."""
        if self._connection is None:
            engine = None if self._path is None else _in_folder(self._path)
            if engine is None:
                engine, self._path = _in_memory(), None
            self._connection = _autocommit(engine)
        return self._connection

    def version(self) -> int:
        """Return a number that changes when another process has written; the last known if busy."""
        if self._lock.acquire(blocking=False):
            try:
                if self._connection is not None and not self._in_transaction:
                    pragma = self._connection.exec_driver_sql("PRAGMA data_version")
                    self._version = int(pragma.scalar_one())
            except SQLAlchemyError:
                pass  # whoever reads or writes next says so
            finally:
                self._lock.release()
        return self._version

    @contextmanager
    def connection(self) -> Generator[Connection]:
        """Lend the connection on which each statement is kept at once. Raises StoreError."""
        with self._lock:
            connection = self._connected()
            try:
                yield connection
            except SQLAlchemyError as error:
                raise StoreError(reason(error)) from error

    @contextmanager
    def transaction(self) -> Generator[Connection]:
        """Lend the connection for several statements that are kept whole or not at all.

        No other process writes between them. Within another transaction it is part of that one.
        Raises StoreError.
        """
        with self.connection() as connection:
            if self._in_transaction:
                yield connection
                return
            connection.exec_driver_sql("BEGIN IMMEDIATE")
            self._in_transaction = True
            try:
                yield connection
                connection.exec_driver_sql("COMMIT")
            except BaseException:
                _roll_back(connection)
                raise
            finally:
                self._in_transaction = False


def reason(error: SQLAlchemyError) -> str:
    """Return what a database said, without the statement and its values."""
    return str(error.orig) if isinstance(error, DBAPIError) else type(error).__name__


def _roll_back(connection: Connection) -> None:
    try:
        connection.exec_driver_sql("ROLLBACK")
    except SQLAlchemyError:  # a full disk has rolled back by itself
        connection.invalidate()


def _autocommit(engine: Engine) -> Connection:
    return engine.connect().execution_options(isolation_level="AUTOCOMMIT")


def _in_memory() -> Engine:
    engine = create_engine(
        "sqlite://", poolclass=StaticPool, connect_args={"check_same_thread": False}
    )
    _migrate(engine)
    return engine


def _in_folder(path: Path) -> Engine | None:
    """Return an engine on a file, made if it is missing; None, said in the log: memory must do.

    Raises StoreError while another program holds the file locked.
    """
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        return _no_file(path, str(error))
    for there in (path.parent, path):
        if there.exists() and not os.access(there, os.W_OK):
            return _no_file(path, f"{there.name} cannot be written to")
    for last in (False, True):
        engine = _engine(path)
        try:
            _migrate(engine)
        except _NewerError as error:
            return _no_file(path, str(error))
        except SQLAlchemyError as error:
            engine.dispose()
            if _is_locked(error):
                raise StoreError(reason(error)) from error
            if last or isinstance(error, OperationalError) or not path.exists():
                return _no_file(path, reason(error))
            aside = _set_aside(path)
            log.error("%s: %s; set aside as %s", path, reason(error), aside.name)
        else:
            return engine
    raise AssertionError


def _no_file(path: Path, why: str) -> None:
    log.warning("%s: %s; games and collections are kept in memory only", path, why)


def _is_locked(error: SQLAlchemyError) -> bool:
    code = getattr(error.orig, "sqlite_errorcode", 0) if isinstance(error, DBAPIError) else 0
    return code & 0xFF in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED)


def _engine(path: Path) -> Engine:
    engine = create_engine(
        f"sqlite:///{path}",
        poolclass=StaticPool,
        connect_args={"check_same_thread": False, "timeout": PATIENCE_S},
    )

    def prepare(connection: object, _: object) -> None:
        cursor = connection.cursor()  # type: ignore[attr-defined] # pyright: ignore
        for pragma in ("journal_mode=WAL", "synchronous=FULL", "foreign_keys=ON"):
            cursor.execute(f"PRAGMA {pragma}")  # pyright: ignore
        cursor.close()  # pyright: ignore

    event.listen(engine, "connect", prepare)
    return engine


def _set_aside(path: Path) -> Path:
    """Rename a damaged file, and what belongs to it, to the first name that is free."""
    number = 1
    while (aside := path.with_name(f"{path.name}.damaged-{number}")).exists():
        number += 1
    for ending in ("-wal", "-shm", ""):
        part = path.with_name(path.name + ending)
        if part.exists():
            part.rename(aside.with_name(aside.name + ending))
    return aside


class _NewerError(Exception):
    """A database that a newer version of this program has changed."""


def _migrate(engine: Engine) -> None:
    """Bring a database to this program's version, in one step that no other process shares."""
    with _autocommit(engine) as connection:
        if _version(connection) == len(MIGRATIONS):
            return
        connection.exec_driver_sql("BEGIN IMMEDIATE")
        version = _version(connection)  # another process may have been first
        if version > len(MIGRATIONS):
            connection.exec_driver_sql("ROLLBACK")
            raise _NewerError(f"it is of version {version}, this program knows {len(MIGRATIONS)}")
        for statements in MIGRATIONS[version:]:
            for statement in statements:
                connection.exec_driver_sql(statement)
        connection.exec_driver_sql(f"PRAGMA user_version = {len(MIGRATIONS)}")
        connection.exec_driver_sql("COMMIT")


def _version(connection: Connection) -> int:
    return int(connection.exec_driver_sql("PRAGMA user_version").scalar_one())
