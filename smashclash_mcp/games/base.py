"""What every game owes the rest of the project: the protocols, the seats, the dice, the errors.

Everything above `games/` knows a game only through this file. Moves are small integers: a game's
moves are numbered `0 .. len(game.move_names) - 1`, and each number has one canonical name.
"""

from __future__ import annotations

import hashlib
import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, Protocol

Seat = int
"""0 is seat A, 1 is seat B; `1 - seat` is the other one."""

Move = int
"""The number of a move; `game.move_names[move]` is its canonical name."""

Event = tuple[str | int, ...]
"""A plain fact: its kind, then its values; each game's position module lists its kinds.

Two kinds mean the same in every game: `("turn", seat)` opens a seat's turn, and `("pass", seat)`
opens an entry of its own in the record.
"""

SEAT_NAMES = ("A", "B")

PASS = "pass"
"""The entry in a record for a seat that had no legal move; nobody plays it."""

RESIGN = "resign"
"""The entry in a record for a seat that gave up; it ends the game."""

TIMEOUT = "timeout"
"""The entry for the seat to move that has not moved in time, and so has lost."""

LAPSE = "lapse"
"""The entry, of the seat to move, for a game that was left; it then has no result."""

STOPS: Mapping[str, str] = {RESIGN: "resignation", TIMEOUT: "timeout", LAPSE: "lapsed"}
"""The entries that end a game from outside its rules, each with the reason that it gives."""

_STOP_TEXTS = {
    RESIGN: "{} resigned",
    TIMEOUT: "{} ran out of time",
    LAPSE: "the game lapsed: nobody moved for too long",
}


def stop_text(name: str, seat: Seat) -> str:
    """Return one of `STOPS` in a few words."""
    return _STOP_TEXTS[name].format(SEAT_NAMES[seat])


class Events(NamedTuple):
    """What a move did, in order: what all may see, and what only one seat may."""

    public: list[Event]
    private: tuple[list[Event], list[Event]]


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a game ended: `winner` is None for a draw, `score` counts for seats A and B.

    A game that lapsed has no winner either, and is no draw.
    """

    winner: Seat | None
    reason: str
    score: tuple[int, int]

    @property
    def lapsed(self) -> bool:
        """Whether the game was left and so has no result."""
        return self.reason == STOPS[LAPSE]

    def __str__(self) -> str:
        if self.lapsed:
            return f"none, A {self.score[0]} B {self.score[1]} ({self.reason})"
        who = "draw" if self.winner is None else f"{SEAT_NAMES[self.winner]} wins"
        return f"{who}, A {self.score[0]} B {self.score[1]} ({self.reason})"


@dataclass(frozen=True, slots=True)
class Level:
    """How strong a built-in opponent is: which player (`players.PLAYERS`), with what settings.

    `nodes` bounds a search, in positions a move; `random_share` is the share of its moves, 0 to 1,
    that it draws at random.
    """

    player: str
    nodes: int = 0
    random_share: float = 0.0


Decks = tuple[str, str]
"""What seats A and B play with, as text that the game reads; empty: as the game has it."""


@dataclass(frozen=True, slots=True)
class Played:
    """One entry of a game's record: a move, a `pass` or one of `STOPS`, and what it did."""

    ply: int
    seat: Seat
    name: str
    public: tuple[Event, ...] = ()


class MoveError(ValueError):
    """A move that is not played; `code` is the short reason a client can branch on."""

    code = "illegal"


class InvalidMoveError(MoveError):
    """The text cannot be read as a move."""

    code = "format"


class AmbiguousMoveError(InvalidMoveError):
    """The text can be read as more than one move, so none is played."""


class IllegalMoveError(MoveError):
    """The move is well-formed but against the rules in this position."""


class NotYourTurnError(MoveError):
    """The other seat is to move."""

    code = "not_your_turn"


class GameOverError(MoveError):
    """The game has ended."""

    code = "game_over"


class Dice:
    """The only source of chance: the same seed gives the same draws on any machine.

    Built on `random.Random(seed).random()` alone, the one method whose sequence Python guarantees
    across versions. Seeds are whole numbers 0 .. 2**53 - 1, so that a JSON number holds them.
    """

    MAX_SEED = 2**53 - 1

    __slots__ = ("random", "seed")

    def __init__(self, seed: int) -> None:
        if not 0 <= seed <= self.MAX_SEED:
            raise ValueError(f"seed must be a whole number from 0 to {self.MAX_SEED}, not {seed}")
        self.seed = seed
        self.random: Callable[[], float] = random.Random(seed).random

    def below(self, n: int) -> int:
        """Return a whole number 0 .. n - 1, each equally likely (n up to a few millions)."""
        return int(self.random() * n)

    def shuffle(self, items: list[Any]) -> None:
        """Shuffle a list in place, from its end (Fisher-Yates)."""
        random = self.random
        for i in range(len(items) - 1, 0, -1):
            j = int(random() * (i + 1))
            items[i], items[j] = items[j], items[i]

    def derive(self, *labels: str | int) -> Dice:
        """Return dice of their own for one purpose, fixed by this seed and the labels.

        A house that rolls derived dice neither uses up nor foresees the game's own draws.
        """
        text = ":".join(map(str, (self.seed, *labels)))
        return Dice(int.from_bytes(hashlib.sha256(text.encode()).digest()[:7]) >> 3)


class Position(Protocol):
    """The full truth of a game, hidden cards and all. Holds no dice, so copies foresee nothing."""

    @property
    def to_move(self) -> Seat | None:
        """The seat to move, None when the game is over."""
        ...

    @property
    def ply(self) -> int:
        """How many entries (moves, hops, passes ...) the record holds so far."""
        ...

    def copy(self) -> Position:
        """Return an independent copy."""
        ...

    def legal_moves(self) -> list[Move]:
        """Return the legal moves of the seat to move, in canonical order; empty when over."""
        ...

    def play(self, move: Move, dice: Dice, before_pass: Callable[[], None] | None = None) -> Events:
        """Play a legal move (not checked) and whatever follows by itself; return what happened.

        `before_pass` is called each time a seat is about to pass by itself, for those who record
        the position between.
        """
        ...

    def stop(self, name: str, seat: Seat) -> Events:
        """End the game by one of `STOPS`, an entry of its own in the record.

        `seat` loses, unless the game lapses.
        """
        ...

    def outcome(self) -> Outcome | None:
        """Return how the game ended, None while it runs."""
        ...

    def score(self) -> tuple[int, int]:
        """Return what counts now for seats A and B."""
        ...

    def standing(self, seat: Seat) -> float:
        """Return how it stands for a seat, as a search weighs it: the more, the better."""
        ...

    def view(self, seat: Seat | None, recent: Sequence[Played] = ()) -> View:
        """Return what `seat` (None: a spectator) may know; `recent` is what it has not yet seen."""
        ...

    def snapshot(self) -> dict[str, Any]:
        """Return every fact as JSON values, for records that others can check without our dice."""
        ...

    def to_text(self) -> str:
        """Return one line that `Game.from_text` reads back."""
        ...


class View(Protocol):
    """What one seat, or a spectator, may know, and nothing else. Players get Views only."""

    @property
    def seat(self) -> Seat | None:
        """Whose view it is, None for a spectator."""
        ...

    @property
    def to_move(self) -> Seat | None:
        """The seat to move, None when the game is over."""
        ...

    @property
    def ply(self) -> int:
        """How many entries the record holds so far."""
        ...

    def outcome(self) -> Outcome | None:
        """Return how the game ended, None while it runs."""
        ...

    def legal_moves(self) -> list[Move]:
        """Return this seat's legal moves, in canonical order; empty when it is not to move."""
        ...

    def read_move(self, typed: str) -> Move:
        """Read one move as a person or model types it.

        Raises InvalidMoveError, AmbiguousMoveError or IllegalMoveError with the reason of this
        very move, NotYourTurnError or GameOverError.
        """
        ...

    def text(self, title: str = "", *, legend: bool = False, hints: bool = False) -> str:
        """Return the state block; `title` (a game's id) opens it, `legend` explains the marks."""
        ...

    def legal_text(self) -> str:
        """Return the legal moves, factored; one line that says why when there are none."""
        ...

    def data(self, *, hints: bool = False) -> dict[str, Any]:
        """Return the facts of `text` as JSON values."""
        ...

    def sample(self, dice: Dice) -> Position:
        """Deal the cards this seat cannot see at random, as far as all it has seen allows."""
        ...

    def gain(self, move: Move) -> tuple[float, ...]:
        """Return what a greedy player maximises for a legal move, most important first."""
        ...


class Game(Protocol):
    """One game: how to start it, name its moves, print its rules and cards."""

    name: str
    title: str
    rules_version: int
    rulesets: tuple[str, ...]
    """The first is the default."""
    owned_rulesets: frozenset[str]
    """Those in which clients play with what their profile owns."""
    deck_help: str
    """What to send as a deck; empty where no deck is brought."""
    reading: str
    """How to read its state block and write its moves, for the server's instructions."""
    topics: tuple[str, ...]
    """What `rules` can tell in full."""
    levels: Mapping[str, Level]
    """The built-in opponents by name."""
    default_level: str
    house_seats: tuple[Seat, ...]
    """Where a built-in opponent may sit against a client; the first is the default."""
    move_names: Sequence[str]
    """The canonical name of each move, by its number."""
    moves_by_name: Mapping[str, Move]
    data_schema: Mapping[str, Any]
    """JSON Schema of `View.data`."""

    def new(
        self,
        ruleset: str,
        dice: Dice,
        decks: Decks = ("", ""),
        level: str = "",
        house: Seat | None = None,
    ) -> Position:
        """Deal a new game, `house` being the seat of the opponent of this level, if there is one.

        Raises ValueError for an unknown ruleset, or as `read_decks` does.
        """
        ...

    def read_decks(
        self,
        typed: Decks,
        ruleset: str,
        dice: Dice,
        level: str = "",
        house: Seat | None = None,
        profile: Mapping[str, Any] | None = None,
    ) -> Decks:
        """Return both decks in full, as they are recorded, whatever of them chance decides drawn.

        With a profile, the seats that are not the house's must own what they play with. Raises
        ValueError that names the rule a deck breaks.
        """
        ...

    def new_profile(self) -> dict[str, Any]:
        """Return what a player has before the first game, as JSON values; {}: nothing is kept."""
        ...

    def read_profile(self, facts: object) -> dict[str, Any]:
        """Return what was kept of a player, JSON values, once it is a profile of this game.

        Raises ValueError that says what is wrong with it.
        """
        ...

    def reward(
        self, profile: Mapping[str, Any], day: str, dice: Dice
    ) -> tuple[dict[str, Any], str] | None:
        """Return the profile after a win on a UTC day (`2026-01-31`), and what was earned.

        None when the win earns nothing.
        """
        ...

    def from_text(self, line: str) -> Position:
        """Read what `Position.to_text` wrote. Raises ValueError that says what is wrong."""
        ...

    def opening(self, position: Any) -> dict[str, Any]:
        """Return what chance fixed at the start of a game (its deck ...), as JSON values."""
        ...

    def parse_move(self, typed: str) -> Move:
        """Read one move, legal or not. Raises InvalidMoveError or AmbiguousMoveError."""
        ...

    def rules(self, topic: str = "") -> str:
        """Return the short rules, or one topic in full."""
        ...

    def cards(self, names: Sequence[str] = (), profile: Mapping[str, Any] | None = None) -> str:
        """Return the named cards (all when none is named), a line each.

        With a profile, what it owns is marked. Raises ValueError that names the unknown card
        and the nearest known ones.
        """
        ...
