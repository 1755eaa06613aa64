"""One game being played, whoever calls: one lock; check, move and journal entry are one step.

A table may be open in several processes. What this one knows of the game may then be out of date:
the journal has the truth, and refuses an entry that another process has written first.
"""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import TypeVar

from ..games.base import (
    LAPSE,
    PASS,
    RESIGN,
    SEAT_NAMES,
    TIMEOUT,
    GameOverError,
    IllegalMoveError,
    InvalidMoveError,
    Move,
    MoveError,
    NotYourTurnError,
    Played,
    Seat,
    View,
)
from ..players import GreedyPlayer, Player, get_level
from ..record import Match, Record, RecordError
from .database import StoreError
from .journal import ConflictError, DamagedError, Entry, Journal

log = logging.getLogger(__name__)

T = TypeVar("T")

MAX_TEXT = 1000
"""The longest text `play` reads, in characters."""
UNKEPT = "the game cannot be read or kept now (a full or locked disk?); call get_state, then go on"
"""It claims nothing: the first moves of a list, or the one before a reply, may have been kept."""
UNREWARDED = "your collection cannot be read or written now, so this win has earned nothing yet"
UNREADABLE = "what is kept of this game cannot be read, so it cannot go on; start a new one"


class CallError(Exception):
    """A call that changed nothing: a short code, the reason, and the view it was refused in."""

    def __init__(self, code: str, reason: str, view: View | None = None) -> None:
        super().__init__(f"{code}: {reason}")
        self.code = code
        self.reason = reason
        self.view = view


class ConflictingMoveError(IllegalMoveError):
    """A `move_no` that is not the coming move's, with a move that was not played as it."""


@dataclass(frozen=True, slots=True)
class Limits:
    """How long a game may be left before it lapses, in seconds: without an opponent, or a move."""

    unjoined_s: float = 3600
    idle_s: float = 24 * 3600


@dataclass(frozen=True, slots=True)
class Reply:
    """What a seat sees after its call; `note` says what was unusual about it.

    There is no view while a seat is free: nobody sees a hand before the game begins.
    """

    view: View | None
    note: str = ""


class Table:
    """A match, who sits at it, and the one lock that makes each call a single step.

    `now` is the clock. `reward` is called with id and record when a client has won against the
    house; what it returns is told in the answer of the winning move, and in every later one. When
    it raises StoreError that is told instead, and it is called again by the next call.
    """

    def __init__(
        self,
        entry: Entry,
        journal: Journal,
        now: Callable[[], datetime],
        reward: Callable[[str, Record], str],
        limits: Limits | None = None,
    ) -> None:
        self.id = entry.id
        self._limits = limits or Limits()
        self._sit(entry)
        self.house_seat = entry.setup.house
        self._house: Player | None = None
        if self.house_seat is not None:
            self._house = get_level(self.match.game, entry.setup.level)
        self._journal = journal
        self._now = now
        self._reward = reward
        self._earned = entry.earned
        self._unrewarded = ""
        self._lost = False
        """Whether the match has moved on without the journal and must be rebuilt."""
        self._tried: tuple[Seat, str] | None = None
        """Who sent what was refused of the call under way, and why: a field of `Tries`."""
        self._lock = threading.RLock()

    def _sit(self, entry: Entry) -> None:
        """Begin with a game as the journal has it, before its moves."""
        self.match = Match(entry.setup)
        self.open_seat = entry.open
        """The seat that waits for whoever joins; until then there is no play."""
        self.move_timeout_s = entry.move_timeout_s
        self.joined = entry.joined is not None
        """Whether two clients sit here that need not know each other."""
        self._latest = entry.joined or entry.created
        """When something happened last, in seconds since 1970."""

    # --- who is asking ---------------------------------------------------------------------

    @property
    def client_seat(self) -> Seat | None:
        """The only seat that a client holds, None when clients hold both."""
        return None if self.house_seat is None else 1 - self.house_seat

    def view(self, seat: Seat | None = None) -> View:
        """Return a seat's view; without a seat that of the client: its own or whose turn it is.

        Raises CallError while a seat is free.
        """

        def view() -> View:
            self._check_begun()
            return self._view(seat)

        return self._step(view, reading=True)

    def watch(self) -> Reply:
        """Return what a spectator sees."""

        def watch() -> Reply:
            return self._open_reply() or Reply(self.match.view(None))

        return self._step(watch, reading=True)

    def _open_reply(self) -> Reply | None:
        if self.open_seat is None or self.match.to_move is None:
            return None
        seat = SEAT_NAMES[self.open_seat]
        minutes = round(self._limits.unjoined_s / 60)
        return Reply(
            None,
            f"seat {seat} is free: the game begins when somebody takes it with "
            f"join_game(game_id={self.id}). Untaken for {minutes} minutes, it lapses.",
        )

    def _check_begun(self) -> None:
        waiting = self._open_reply()
        if waiting is not None:
            raise CallError("not_your_turn", waiting.note)

    @property
    def changes(self) -> tuple[int, bool]:
        """A value that is another one once this process knows of more."""
        return len(self.match.played), self.open_seat is None

    @property
    def due(self) -> bool:
        """Whether the time is up of the seat to move, or of the game."""
        return self._due() is not None

    def _view(self, seat: Seat | None) -> View:
        if seat is None:
            seat = self.client_seat if self.house_seat is not None else self.match.to_move
        return self.match.view(seat)

    # --- what a client does ----------------------------------------------------------------

    def play(self, typed: str, seat: Seat | None = None, move_no: int = 0) -> Reply:
        """Play one move, or several of one turn joined by `;`, then the house's reply.

        `seat` None acts for the client's seat or, when clients hold both, for the one to move.
        `move_no` (0: not given) is the number of the coming move: with it a repeated call is
        recognised and never played twice. Raises CallError, and then nothing has changed.
        """
        with self._lock:
            self._tried = None
            try:
                return self._step(lambda: self._play(typed, seat, move_no))
            finally:
                self._count_try()

    def _note_try(self, seat: Seat | None, error: MoveError) -> None:
        """Note what a seat sent at its turn that was no legal move."""
        to_move = self.match.to_move
        if (
            to_move is None
            or seat not in (None, to_move)
            or isinstance(error, ConflictingMoveError)
        ):
            return
        kind = "unreadable" if isinstance(error, InvalidMoveError) else "illegal"
        self._tried = to_move, kind

    def _count_try(self) -> None:
        if self._tried is None:
            return
        try:
            self._journal.tried(self.id, *self._tried)
        except StoreError as error:  # it is refused all the same
            log.error("%s: a refused try is not counted: %s", self.id, error)

    def _play(self, typed: str, seat: Seat | None, move_no: int) -> Reply:
        self._tried = None  # the step may be taken twice
        self._check_begun()
        caller = self.client_seat if seat is None else seat
        acting = caller if caller is not None else self.match.to_move
        try:
            texts = _split(typed)
            played = self._repeated(texts, caller, move_no)
            if played is not None:
                return played
            note = self._play_moves(texts, acting, 0)
        except MoveError as error:
            self._note_try(acting, error)
            raise CallError(error.code, str(error), self._view(acting)) from None
        return self._reply(caller, note)

    def _reply(self, seat: Seat | None, note: str = "") -> Reply:
        """Return what a seat sees; what the client's win has earned is told with it."""
        earned = self._earned or self._unrewarded
        if earned and seat == self.client_seat:
            note = f"{note}\n{earned}" if note else earned
        return Reply(self._view(seat), note)

    def state(self, seat: Seat | None = None) -> Reply:
        """Return what a seat sees now; without a seat as `view` does."""
        own = self.client_seat if seat is None else seat
        return self._step(lambda: self._open_reply() or self._reply(own), reading=True)

    def record(self) -> Record:
        """Return the record so far, with how often each seat was refused. Raises CallError."""

        def record() -> Record:
            return replace(self.match.record(), tries=self._entry().tries)

        return self._step(record, reading=True)

    def resign(self, seat: Seat | None = None) -> Reply:
        """Give the game up for a seat; while the other one is free, close it without a result.

        Raises CallError when it is over.
        """
        return self._step(lambda: self._resign(seat))

    def _resign(self, seat: Seat | None) -> Reply:
        caller = self.client_seat if seat is None else seat
        acting = caller if caller is not None else self.match.to_move
        if self.match.to_move is None or acting is None:
            raise CallError("game_over", "the game is over", self._view(caller))
        if self.open_seat is None:
            self._land(self.match.resign(acting))
        else:
            self._land(self.match.stop(LAPSE, self.match.to_move))
        return Reply(self._view(acting))

    def _play_moves(self, texts: Sequence[str], seat: Seat | None, done: int) -> str:
        """Play `texts[done:]`; return a note when not all of them were played."""
        note = ""
        for index in range(done, len(texts)):
            try:
                move = self._view(seat).read_move(texts[index])
                entries = self._land(self.match.play(move))
            except MoveError as error:
                if not index:
                    raise
                self._note_try(seat, error)
                note = (
                    f"played {index} of {len(texts)}; number {index + 1} refused: "
                    f"{error.code}: {error}"
                )
                break
            except (ConflictError, StoreError) as error:
                if not index:
                    raise
                self._rebuild()
                why = "another call came first" if isinstance(error, ConflictError) else UNKEPT
                note = f"played {index} of {len(texts)}; number {index + 1} refused: {why}"
                break
            if _turn_over(entries) and index + 1 < len(texts):
                note = f"played {index + 1} of {len(texts)}; your turn ended, the rest was not read"
                break
        self._settle()
        return note

    # --- the journal -----------------------------------------------------------------------

    def _step(self, step: Callable[[], T], *, reading: bool = False) -> T:
        """Take a step under the lock: on what is known or, if that is out of date, once more.

        A call that only reads catches up with the journal first; one that would write need not,
        since the journal refuses what comes too late. The house plays what it owes before either.
        """
        with self._lock:
            try:
                if self._lost:
                    self._rebuild()
                caught_up = reading
                if reading:
                    self._catch_up()
                while True:
                    try:
                        self._settle()
                        return step()
                    except ConflictError:
                        self._rebuild()
                        caught_up = True
                    except CallError:
                        if caught_up or not self._catch_up():
                            raise
                        caught_up = True
            except StoreError as error:
                log.error("%s: %s", self.id, error)
                raise CallError("unavailable", UNKEPT) from None
            except RecordError as error:
                log.error("%s: %s", self.id, error)
                raise CallError("unavailable", UNREADABLE) from None

    def _land(self, entries: list[Played]) -> list[Played]:
        """Write entries that the match has just made into the journal.

        Raises ConflictError when another call has written first, StoreError when the journal
        cannot be written: then nothing of them has landed.
        """
        outcome = self.match.outcome()
        moves = [(entry.seat, entry.name) for entry in entries]
        at = self._now().timestamp()
        self._lost = True
        self._journal.append(
            self.id,
            entries[0].ply,
            moves,
            at,
            str(outcome) if outcome else "",
            unjoined=self.open_seat is not None,
        )
        self._lost = False
        self._latest = at
        return entries

    def _catch_up(self) -> bool:
        """Play what the journal has and the match has not; say whether there was anything."""
        joined = self.open_seat is not None and self._reload()
        rows = self._journal.moves(self.id, len(self.match.played))
        self._lost = bool(rows)
        for ply, seat, name, at in rows:
            self.match.follow(ply, seat, name)
            self._latest = at
        self._lost = False
        return joined or bool(rows)

    def _reload(self) -> bool:
        """Begin again with what the journal has of a game; say whether its free seat is taken."""
        was_open = self.open_seat is not None
        self._sit(self._entry())
        return was_open and self.open_seat is None

    def _entry(self) -> Entry:
        try:
            entry = self._journal.find(self.id)
        except DamagedError as error:
            raise RecordError(str(error)) from None
        assert entry is not None, "games are never deleted"
        return entry

    def _rebuild(self) -> None:
        """Build the match anew from the journal."""
        self._reload()
        self._catch_up()

    def _due(self) -> str | None:
        """Return by which of `STOPS` the game is over now that nobody has moved for so long."""
        if self.match.to_move in (None, self.house_seat):
            return None
        idle = self._now().timestamp() - self._latest
        if self.open_seat is not None:
            return LAPSE if idle >= self._limits.unjoined_s else None
        if self.move_timeout_s and idle >= self.move_timeout_s:
            return TIMEOUT
        return LAPSE if idle >= self._limits.idle_s else None

    # --- the house -------------------------------------------------------------------------

    def _settle(self) -> None:
        """Play what the house owes, and give what the client's win earns, once.

        Before that: a seat whose time is up has lost, and a game that was left lapses.
        """
        stop = self._due()
        if stop:
            assert self.match.to_move is not None
            self._land(self.match.stop(stop, self.match.to_move))
        house = self._house
        if house is None:
            return
        while self.match.to_move == self.house_seat:
            try:
                self._land(self.match.play(self._house_move(house)))
            except ConflictError:
                self._rebuild()
        outcome = self.match.outcome()
        if self._earned is None and outcome and outcome.winner == self.client_seat:
            self._unrewarded = ""
            try:
                self._earned = self._reward(self.id, self.match.record())
            except StoreError as error:
                log.error("%s: a reward is not kept: %s", self.id, error)
                self._unrewarded = UNREWARDED

    def _house_move(self, house: Player) -> Move:
        """Return the house's move; a house that fails plays as a greedy one."""
        view = self.match.view(self.house_seat)
        try:
            move = house.choose(view, self.match.dice.derive("house", view.ply))
            if move in view.legal_moves():
                return move
            log.error("%s: the house chose no legal move; it plays greedily instead", self.id)
        except Exception:
            log.exception("%s: the house failed; it plays greedily instead", self.id)
        return GreedyPlayer().choose(view, self.match.dice.derive("house", view.ply))

    # --- repeated calls --------------------------------------------------------------------

    def _repeated(self, texts: Sequence[str], seat: Seat | None, move_no: int) -> Reply | None:
        """Return the answer to a call whose moves have landed already, None for a new call.

        Raises MoveError when `move_no` is not the coming move and the call is no repetition.
        """
        played = self.match.played
        coming = len(played) + 1
        if move_no > coming:
            raise ConflictingMoveError(f"move_no {move_no} is ahead: the coming move is {coming}")
        if move_no in (0, coming):
            return None if move_no else self._repeated_last(texts, seat)
        first = played[move_no - 1]
        if seat is not None and first.seat != seat:
            raise NotYourTurnError(f"move {move_no} was {_said(first)}; the coming one is {coming}")
        same = self._matching(texts, move_no, first.seat)
        if not same:
            raise ConflictingMoveError(
                f"move {move_no} was already played: {_said(first)}; the coming one is {coming}"
            )
        note = _already(move_no, same)
        if same < len(texts):
            following = played[move_no + same - 1 : move_no + same]
            if following and not _turn_over(played[move_no - 1 : move_no + same - 1]):
                raise ConflictingMoveError(
                    f"move {move_no + same} was already played: {_said(following[0])}; "
                    f"the coming one is {coming}"
                )
            if not following and self.match.to_move == first.seat:
                rest = self._play_moves(texts, first.seat, same)
                return self._reply(seat, f"{note}; {rest or 'the rest was played now'}")
            note += "; that turn is over, the rest was not read"
        return self._reply(seat, note)

    def _repeated_last(self, texts: Sequence[str], seat: Seat | None) -> Reply | None:
        """Recognise, without a number, the caller's last moves sent again: legal no more."""
        own = [entry for entry in self.match.played if entry.name != PASS]
        if seat is not None:
            own = [entry for entry in own if entry.seat == seat]
        if len(own) < len(texts):
            return None
        first = own[-len(texts)]
        if self._matching(texts, first.ply, first.seat) < len(texts):
            return None
        to_move = self.match.to_move if seat is None else seat
        try:
            self._view(to_move).read_move(texts[0])
        except (IllegalMoveError, NotYourTurnError, GameOverError):
            return self._reply(seat, _already(first.ply, len(texts)))
        return None

    def _matching(self, texts: Sequence[str], ply: int, seat: Seat) -> int:
        """Count how many of the texts are what `seat` played from `ply` on."""
        count = 0
        for text, entry in zip(texts, self.match.played[ply - 1 :], strict=False):
            if entry.seat != seat or self._parsed(text) != entry.name:
                break
            count += 1
        return count

    def _parsed(self, text: str) -> str:
        try:
            move: Move = self.match.game.parse_move(text)
        except MoveError:
            return ""
        return self.match.game.move_names[move]


def _split(typed: str) -> list[str]:
    if len(typed) > MAX_TEXT:
        raise InvalidMoveError(f"a move list is at most {MAX_TEXT} characters")
    texts = [text.strip() for text in typed.split(";")]
    while texts and not texts[-1]:
        texts.pop()
    if texts and not all(texts):
        raise InvalidMoveError("the list has an empty move; join moves by one `;` each")
    if not texts:
        raise InvalidMoveError("no move given; write one move, or several joined by `;`")
    if any(text.strip("`'\".! ").lower() == RESIGN for text in texts):
        raise InvalidMoveError("resign is no move but a tool of its own: call resign")
    return texts


def _turn_over(entries: Sequence[Played]) -> bool:
    return any(event[0] in ("turn", "end") for entry in entries for event in entry.public)


def _said(entry: Played) -> str:
    return f"{SEAT_NAMES[entry.seat]} {entry.name}"


def _already(ply: int, count: int) -> str:
    if count == 1:
        return f"already played as move {ply}"
    return f"already played as moves {ply}-{ply + count - 1}"
