"""The full state of a match of Agent Battle and the course of a turn (agentbattle 1, 2, 5, 7).

Events: ("turn", seat, number), ("draw", seat, count), ("play", seat, card), ("trait", seat, card),
("ability", seat, card), ("blocked", seat, card), ("hit", seat, card, owner, target, damage, left)
with target 0 for the core, ("damage", owner, card, damage, left), ("core", seat, damage, left),
("heal", owner, card, amount, health), ("heal core", seat, amount, health), ("shield", owner, card),
("shield broken", owner, card), ("attack", owner, card, change), ("block", seat, pending),
("nothing",), ("out", owner, card), ("resign", seat), ("end", reason). Private to one seat:
("drew", card, ...). What a trait or an ability did follows it. Cards are the numbers of cards.py.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NoReturn

from ..base import LAPSE, STOPS, Dice, Event, Events, Move, Outcome, Played, Seat
from . import evaluate, tutorial
from .abilities import ABILITY, fire, heal, most_damaged
from .cards import CLASS, FULL
from .combat import attack_all
from .moves import END_MOVE
from .state import from_text, snapshot, to_text
from .view import View

CORE = 30
EASY_CORE = 20
"""The health of an `easy` opponent's core."""
FIRST_HAND = 3
BOARD = 3
COST = 2
LAST_TURN = 16
TRAITS_ON_PLAY = ("Creator", "Coder", "Researcher")


class Agent:
    """A card on the board: its health now, and what it gained there.

    `buff` is the sum of attack given and taken for good, `since` the turn in which it was played.
    """

    __slots__ = ("buff", "card", "health", "shield", "since")

    def __init__(
        self, card: int, health: int, since: int, buff: int = 0, shield: bool = False
    ) -> None:
        self.card = card
        self.health = health
        self.since = since
        self.buff = buff
        self.shield = shield


class Position:
    """Everything about a match at one moment, hidden cards included.

    Built by `Game.new` or `Position.from_text`; `play` changes it in place.
    """

    __slots__ = (
        "blocks",
        "boards",
        "cores",
        "decks",
        "energy",
        "hands",
        "lesson",
        "loser",
        "out",
        "ply",
        "reason",
        "ruleset",
        "start",
        "tops",
        "turn",
    )

    ruleset: str
    lesson: bool
    """Whether this is the tutorial, in which one move is on offer at a time."""
    turn: int
    """The turn that is played, 1 .. 16; odd ones are seat A's."""
    ply: int
    energy: int
    """What the seat to move can still spend."""
    cores: list[int]
    start: tuple[int, int]
    """The health that each core began with."""
    hands: list[list[int]]
    decks: tuple[tuple[int, ...], tuple[int, ...]]
    """Each seat's whole shuffled deck; `tops` counts what it has drawn of it."""
    tops: list[int]
    boards: list[list[Agent]]
    """Each seat's agents, the earlier played first."""
    out: list[list[int]]
    """Each seat's cards that were knocked out, in order."""
    blocks: list[int]
    """How many of each seat's coming on-play abilities are blocked."""
    reason: str
    """Why the match ended; empty while it runs."""
    loser: int
    """The seat that lost by resignation or timeout, -1 for none."""

    @classmethod
    def new(
        cls,
        ruleset: str,
        decks: tuple[tuple[int, ...], tuple[int, ...]],
        dice: Dice,
        *,
        start: tuple[int, int] = (CORE, CORE),
        lesson: bool = False,
    ) -> Position:
        """Shuffle A's deck, then B's (a lesson's lie in order), draw 3 each, begin turn 1."""
        shuffled = [list(deck) for deck in decks]
        if not lesson:
            for deck in shuffled:
                dice.shuffle(deck)
        self = cls.__new__(cls)
        self.ruleset = ruleset
        self.lesson = lesson
        self.turn = self.ply = self.energy = 0
        self.cores = list(start)
        self.start = start
        self.decks = (tuple(shuffled[0]), tuple(shuffled[1]))
        self.tops = [FIRST_HAND, FIRST_HAND]
        self.hands = [deck[:FIRST_HAND] for deck in shuffled]
        self.boards = [[], []]
        self.out = [[], []]
        self.blocks = [0, 0]
        self.reason = ""
        self.loser = -1
        self._begin_turn(Events([], ([], [])))
        return self

    def copy(self) -> Position:
        """Return an independent copy."""
        new = Position.__new__(Position)
        new.ruleset = self.ruleset
        new.lesson = self.lesson
        new.turn = self.turn
        new.ply = self.ply
        new.energy = self.energy
        new.cores = self.cores[:]
        new.start = self.start
        hands = self.hands
        new.hands = [hands[0][:], hands[1][:]]
        new.decks = self.decks
        new.tops = self.tops[:]
        boards = self.boards
        new.boards = [
            [Agent(a.card, a.health, a.since, a.buff, a.shield) for a in boards[0]],
            [Agent(a.card, a.health, a.since, a.buff, a.shield) for a in boards[1]],
        ]
        out = self.out
        new.out = [out[0][:], out[1][:]]
        new.blocks = self.blocks[:]
        new.reason = self.reason
        new.loser = self.loser
        return new

    # --- what can be asked -----------------------------------------------------------------

    @property
    def seat(self) -> Seat:
        """The seat whose turn it is, or was when the match ended."""
        return 1 - self.turn % 2

    @property
    def to_move(self) -> Seat | None:
        """The seat to move, None when the match is over."""
        return None if self.reason else 1 - self.turn % 2

    def score(self) -> tuple[int, int]:
        """Return the health of A's core and of B's."""
        return self.cores[0], self.cores[1]

    def outcome(self) -> Outcome | None:
        """Return how the match ended, None while it runs (agentbattle 7)."""
        if not self.reason:
            return None
        a, b = self.cores
        winner = None if a == b else int(b > a)
        if self.reason in STOPS.values():
            winner = 1 - self.loser if self.loser >= 0 else None
        return Outcome(winner, self.reason, (a, b))

    def standing(self, seat: Seat) -> float:
        """Return how it stands for a seat, in points of core health, as a search weighs it."""
        return evaluate.standing(self, seat)

    def deck_size(self, seat: Seat) -> int:
        """Return how many cards a seat has not drawn yet."""
        return len(self.decks[seat]) - self.tops[seat]

    def legal_moves(self) -> list[Move]:
        """Return the playable cards in hand order, then the end of the turn (agentbattle 2)."""
        if self.reason:
            return []
        if self.lesson and self.ply < len(tutorial.SCRIPT):
            return [tutorial.SCRIPT[self.ply]]
        seat = 1 - self.turn % 2
        if self.energy < COST or len(self.boards[seat]) >= BOARD:
            return [END_MOVE]
        legal = [card for card in self.hands[seat] if card]
        legal.append(END_MOVE)
        return legal

    # --- what changes it -------------------------------------------------------------------

    def play(self, move: Move, dice: Dice, before_pass: Callable[[], None] | None = None) -> Events:
        """Play a legal move: an agent with its trait and ability, or the end of the turn.

        Legality is not checked here: take moves from `legal_moves` or `View.read_move`. No dice
        are rolled after the decks are shuffled, and nobody ever passes by itself.
        """
        events = Events([], ([], []))
        self.ply += 1
        seat = 1 - self.turn % 2
        if move != END_MOVE:
            self._play_agent(seat, move, events)
            return events
        public = events.public
        attack_all(self, seat, public)
        if not self.reason:
            if self.turn == LAST_TURN:
                self._end("turn 16", public)
            else:
                self._begin_turn(events)
        return events

    def _play_agent(self, seat: Seat, card: int, events: Events) -> None:
        """Enter the board, then the class trait, then the printed ability (agentbattle 2)."""
        public = events.public
        self.energy -= COST
        self.hands[seat].remove(card)
        agent = Agent(card, FULL[card], self.turn)
        self.boards[seat].append(agent)
        public.append(("play", seat, card))
        if CLASS[card] in TRAITS_ON_PLAY:
            public.append(("trait", seat, card))
            self._fire_trait(seat, CLASS[card], events)
            if self.reason:
                return
        ability = ABILITY[card]
        if ability is None or ability.passive:
            return
        if self.blocks[seat]:
            self.blocks[seat] -= 1
            public.append(("blocked", seat, card))
            return
        public.append(("ability", seat, card))
        fire(self, seat, agent, ability, events)

    def _fire_trait(self, seat: Seat, klass: str, events: Events) -> None:
        """Apply the on-play trait of a class (agentbattle 5)."""
        public = events.public
        before = len(public)
        if klass == "Creator":
            self.hurt_core(1 - seat, 2, public)
            self.check_cores(public)
        elif klass == "Coder":
            damaged = most_damaged(self.boards[seat])
            if damaged:
                heal(damaged, seat, 4, public)
        else:
            self.draw(seat, 1, events)
        if len(public) == before:
            public.append(("nothing",))

    def _begin_turn(self, events: Events) -> None:
        """Hand the turn over: its energy, and one card (agentbattle 2)."""
        self.turn += 1
        seat = 1 - self.turn % 2
        self.energy = min(6, (self.turn + 1) // 2 + 1)
        events.public.append(("turn", seat, self.turn))
        self.draw(seat, 1, events)

    def draw(self, seat: Seat, count: int, events: Events) -> None:
        """Move up to `count` cards from a deck to its seat's hand; an empty deck gives none."""
        top = self.tops[seat]
        drawn = self.decks[seat][top : top + count]
        if drawn:
            self.tops[seat] = top + len(drawn)
            self.hands[seat].extend(drawn)
            events.public.append(("draw", seat, len(drawn)))
            events.private[seat].append(("drew", *drawn))

    def hurt_core(self, seat: Seat, damage: int, public: list[Event]) -> None:
        """Damage a core, down to 0; `check_cores` then says whether the match is over."""
        left = max(0, self.cores[seat] - damage)
        self.cores[seat] = left
        public.append(("core", seat, damage, left))

    def check_cores(self, public: list[Event]) -> None:
        """End the match if a core is at 0; both at 0 is a draw (agentbattle 4, 6)."""
        if 0 in self.cores:
            self._end("core destroyed", public)

    def stop(self, name: str, seat: Seat) -> Events:
        """End the match by one of `STOPS`; `seat` loses, unless the match lapses."""
        self.ply += 1
        self.loser = -1 if name == LAPSE else seat
        public: list[Event] = [(name, seat)]
        self._end(STOPS[name], public)
        return Events(public, ([], []))

    def _end(self, reason: str, public: list[Event]) -> None:
        self.reason = reason
        public.append(("end", reason))

    # --- how others see it -----------------------------------------------------------------

    def view(self, seat: Seat | None, recent: Sequence[Played] = ()) -> View:
        """Return what `seat` (None: a spectator) may know; `recent` is what it has not yet seen."""
        return View(self, seat, recent)

    def snapshot(self) -> dict[str, Any]:
        """Return every fact as JSON values, for records that others can check without our dice."""
        return snapshot(self)

    def to_text(self) -> str:
        """Return the position as one line, which `from_text` reads back."""
        return to_text(self)

    @classmethod
    def from_text(cls, text: str) -> Position:
        """Read what `to_text` wrote. Raises ValueError that names the field at fault."""
        return from_text(cls, Agent, text)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Position) and self.to_text() == other.to_text()

    def __hash__(self) -> NoReturn:
        raise TypeError("a Position changes as it is played; hash its to_text() instead")

    def __str__(self) -> str:
        return self.view(None).text()

    def __repr__(self) -> str:
        return f"Position.from_text({self.to_text()!r})"
