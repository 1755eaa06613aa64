"""The full state of a game of Smash&Clash and its rules (smashclash 1-6).

Hot code: tuples made once, flat loops, local names. `tests/check_record.py` is a second, readable
implementation of the same rules, and the tests hold the two together.

Events: ("turn", seat), ("power", tile, colour, bonus), ("place", seat, card, tile),
("overrun", seat, card, tile, old card), ("hop", seat, from, to), ("stay", seat),
("capture", tile, card), ("boulder", seat, tile), ("remove", tile, card), ("flip", seat),
("freeze", seat, tile), ("recruit", seat, from, to, card), ("swap", seat), ("draw", seat, count),
("pass", seat), ("resign", seat), ("end", reason). Private to one seat: ("drew", card, ...) and,
after a SWAP, ("hand", card, ...). Cards are the numbers of cards.py, tiles those of board.py.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NoReturn

from ..base import LAPSE, STOPS, Dice, Event, Events, Move, Outcome, Played, Seat
from . import moves as m
from .board import BEATEN, CROSSES, NEIGHBOURS, ZONES, by_row, destinations, empty_tiles
from .cards import BOULDER, COLOUR, COLOURS, DECK, FLIP, FREEZE, RECRUIT, SWAP
from .state import from_text, snapshot, to_text
from .view import View

HAND = 5
FULL = 0x7FFF
_TILES = range(15)
_POWERS = tuple((tile, c, bonus) for tile in _TILES for c in COLOURS for bonus in (1, 2))
_POWER_EVENTS: tuple[Event, ...] = tuple(("power", *power) for power in _POWERS)
_CROSSES = tuple((t, 1 << t | 1 << t - 5 | 1 << t + 5 | 1 << t - 1 | 1 << t + 1) for t in ZONES)
_PLACES = tuple(by_row([first + tile for tile in _TILES]) for first in m.PLACES)
_DECODED = tuple((d.kind, d.card, d.tile, d.to) for d in m.MOVES)

Power = tuple[tuple[int, str, int], ...]
"""This turn's power tiles: tile, colour, bonus."""


class Position:
    """Everything about a game at one moment, hidden cards included.

    Built by `Game.new` or `Position.from_text`; `play` changes it in place.
    """

    __slots__ = (
        "board",
        "chess",
        "deck",
        "frozen",
        "hands",
        "hop",
        "known",
        "loser",
        "mutators",
        "occupied",
        "ply",
        "power",
        "reason",
        "seat",
        "top",
        "used",
    )

    mutators: bool
    board: list[int]
    """The piece on each tile (cards.py), 0 where empty."""
    occupied: int
    """Bit `tile` is set where a card stands; always in step with `board`."""
    frozen: int
    """Bit `tile` is set for a frozen card."""
    hands: list[list[int]]
    deck: tuple[int, ...]
    """The whole shuffled deck, dealt cards too; `top` counts what has been dealt."""
    top: int
    seat: Seat
    """The seat to move while the game runs."""
    ply: int
    chess: tuple[int, ...]
    """The chess piece of each tile (board.py), 0 for none."""
    power: Power
    hop: int
    """The tile whose hop is on offer, -1 for none."""
    used: int
    """Bit `tile` is set for a chess tile that has granted its hop this turn."""
    known: int
    """Bit `card` is set for cards that went through a SWAP: the other seat has seen them."""
    reason: str
    """Why the game ended; empty while it runs."""
    loser: int
    """The seat that lost by resignation or timeout, -1 for none."""

    @classmethod
    def new(cls, mutators: bool, dice: Dice) -> Position:
        """Deal a new game: deck, first seat, chess tiles, power tiles, in this order of draws."""
        deck = list(DECK)
        dice.shuffle(deck)
        self = cls.__new__(cls)
        self.mutators = mutators
        self.board = [0] * 15
        self.occupied = self.frozen = self.used = self.known = self.ply = 0
        self.hands = [deck[:HAND], deck[HAND : 2 * HAND]]
        self.deck = tuple(deck)
        self.top = 2 * HAND
        self.seat = dice.below(2)
        self.hop = self.loser = -1
        self.power = ()
        self.reason = ""
        chess = [0] * 15
        if mutators:
            first = dice.below(15)
            second = dice.below(14)
            second += second >= first
            chess[first] = 1 + dice.below(4)
            chess[second] = 1 + dice.below(4)
        self.chess = tuple(chess)
        if mutators:
            self._draw_power(dice)
        return self

    def copy(self) -> Position:
        """Return an independent copy."""
        new = Position.__new__(Position)
        new.mutators = self.mutators
        new.board = self.board[:]
        new.occupied = self.occupied
        new.frozen = self.frozen
        hands = self.hands
        new.hands = [hands[0][:], hands[1][:]]
        new.deck = self.deck
        new.top = self.top
        new.seat = self.seat
        new.ply = self.ply
        new.chess = self.chess
        new.power = self.power
        new.hop = self.hop
        new.used = self.used
        new.known = self.known
        new.reason = self.reason
        new.loser = self.loser
        return new

    # --- what can be asked -----------------------------------------------------------------

    @property
    def to_move(self) -> Seat | None:
        """The seat to move, None when the game is over."""
        return None if self.reason else self.seat

    def score(self) -> tuple[int, int]:
        """Return how many cards face seats A and B (smashclash 4)."""
        a = b = 0
        for piece in self.board:
            if piece > 64:
                b += 1
            elif piece:
                a += 1
        return a, b

    def outcome(self) -> Outcome | None:
        """Return how the game ended, None while it runs (smashclash 4)."""
        if not self.reason:
            return None
        a, b = score = self.score()
        winner = None if a == b else int(b > a)
        if self.reason in STOPS.values():
            winner = 1 - self.loser if self.loser >= 0 else None
        return Outcome(winner, self.reason, score)

    def standing(self, seat: Seat) -> float:
        """Return the cards that face a seat less those that face the other; 100 more if it won."""
        a, b = self.score()
        value = float(a - b if seat == 0 else b - a)
        outcome = self.outcome()
        if outcome is None or outcome.winner is None:
            return value
        return value + (100 if outcome.winner == seat else -100)

    def gone(self) -> list[int]:
        """Return the cards that have left the game, in id order."""
        here = {piece & 63 for piece in self.board}
        here.update(self.hands[0], self.hands[1], self.deck[self.top :])
        return [card for card in DECK if card not in here]

    def legal_moves(self) -> list[Move]:
        """Return the legal moves in canonical order (smashclash 7); empty when over."""
        if self.reason:
            return []
        if self.hop >= 0:
            hops = destinations(self.chess[self.hop], self.hop, self.board)
            return [*(m.HOPS + tile for tile in hops), m.STAY_MOVE]
        occupied = self.occupied
        row1, row2, row3 = occupied & 31, occupied >> 5 & 31, occupied >> 10
        legal: list[Move] = []
        effects: list[int] = []
        hand = self.hands[self.seat]
        for card in hand:
            if card < 47:
                first, second, third = _PLACES[card]
                legal += first[row1]
                legal += second[row2]
                legal += third[row3]
            else:
                effects.append(card)
        if self.mutators:
            zones = self._overrun_zones()
            if zones:
                legal += [m.OVERRUNS[card] + tile for card in hand if card < 47 for tile in zones]
        if effects:
            effects.sort()
            for card in effects:
                legal += self._effect_moves(card, self.seat)
        return legal

    def _overrun_zones(self) -> list[int]:
        occupied = self.occupied
        return [
            tile
            for tile, cross in _CROSSES
            if occupied & cross == cross
            and self.board[tile] >> 6 == self.seat
            and not self.frozen >> tile & 1
        ]

    def _effect_moves(self, card: int, seat: Seat) -> list[Move]:
        """Return the moves of one effect in a seat's hand (smashclash 5), in order."""
        board = self.board
        frozen = self.frozen
        if card == SWAP:
            return [m.SWAP_MOVE] if len(self.hands[seat]) > 1 or self.hands[1 - seat] else []
        if card == FLIP:
            return [m.FLIP_MOVE] if self.occupied else []
        free = self.occupied & ~frozen
        targets = [tile for tile in _TILES if free >> tile & 1]
        if card == BOULDER:
            return [m.BOULDERS + tile for tile in targets]
        if card == FREEZE:
            return [m.FREEZES + tile for tile in targets if board[tile] >> 6 == seat]
        empty = empty_tiles(self.occupied)
        return [
            m.RECRUITS + tile * 15 + to
            for tile in targets
            if board[tile] >> 6 != seat
            for to in empty
        ]

    def _can_move(self, seat: Seat) -> bool:
        """Say whether `seat` could move if it were its turn; the board is known not to be full."""
        hand = self.hands[seat]
        if not hand:
            return False
        if min(hand) < 47:
            return True
        return any(self._effect_moves(card, seat) for card in hand)

    # --- what changes it -------------------------------------------------------------------

    def play(self, move: Move, dice: Dice, before_pass: Callable[[], None] | None = None) -> Events:
        """Play a legal move and what follows by itself: captures, draws, passes, the next turn.

        Legality is not checked here: take moves from `legal_moves` or `View.read_move`.
        """
        kind, card, tile, to = _DECODED[move]
        seat = self.seat
        board = self.board
        public: list[Event] = []
        events = Events(public, ([], []))
        self.ply += 1
        if kind == m.PLACE:
            hand = self.hands[seat]
            hand.remove(card)
            public.append(("place", seat, card, tile))
            self._arrive(card | seat << 6, tile, public)
            if self.occupied == FULL:
                self._end("board full", public)
                return events
        elif kind == m.HOP:
            start = self.hop
            piece = board[start]
            board[start] = 0
            self.occupied ^= 1 << start
            self.used |= 1 << start
            public.append(("hop", seat, start, tile))
            self._arrive(piece, tile, public)
        elif kind == m.STAY:
            self.hop = -1
            public.append(("stay", seat))
        elif kind == m.OVERRUN:
            self.hands[seat].remove(card)
            public.append(("overrun", seat, card, tile, board[tile] & 63))
            self._arrive(card | seat << 6, tile, public)
        else:
            self._play_effect(card, tile, to, events)
        if self.hop < 0:
            self._end_turn(dice, events, before_pass)
        return events

    def stop(self, name: str, seat: Seat) -> Events:
        """End the game by one of `STOPS`; `seat` loses, unless the game lapses."""
        self.ply += 1
        self.loser = -1 if name == LAPSE else seat
        public: list[Event] = [(name, seat)]
        self._end(STOPS[name], public)
        return Events(public, ([], []))

    def _arrive(self, piece: int, tile: int, public: list[Event]) -> None:
        """Put a card on a tile, attack, and offer the hop of a chess tile (smashclash 2, 6)."""
        board = self.board
        board[tile] = piece
        self.occupied |= 1 << tile
        bonus = 0
        for power in self.power:
            if power[0] == tile and power[1] == COLOUR[piece & 63]:
                bonus = power[2]
        beaten = BEATEN[bonus][piece]
        for other, direction in NEIGHBOURS[tile]:
            target = board[other]
            if beaten[direction][target] and not self.frozen >> other & 1:
                board[other] = target ^ 64
                public.append(("capture", other, target & 63))
        chess = self.chess[tile]
        if chess and not self.used >> tile & 1 and destinations(chess, tile, board):
            self.hop = tile
        else:
            self.hop = -1

    def _play_effect(self, card: int, tile: int, to: int, events: Events) -> None:
        """Spend an effect card (smashclash 5)."""
        board = self.board
        seat = self.seat
        public = events.public
        self.hands[seat].remove(card)
        if card == RECRUIT:
            piece = board[tile] ^ 64
            board[tile] = 0
            self.occupied ^= 1 << tile
            public.append(("recruit", seat, tile, to, piece & 63))
            self._arrive(piece, to, public)
        elif card == BOULDER:
            public.append(("boulder", seat, tile))
            for other in CROSSES[tile]:
                if board[other] and not self.frozen >> other & 1:
                    public.append(("remove", other, board[other] & 63))
                    board[other] = 0
                    self.occupied ^= 1 << other
        elif card == FREEZE:
            self.frozen |= 1 << tile
            public.append(("freeze", seat, tile))
        elif card == FLIP:
            board.reverse()
            self.board = [piece and piece ^ 64 for piece in board]
            self.occupied = _turned(self.occupied)
            self.frozen = _turned(self.frozen)
            self.chess = self.chess[::-1]
            public.append(("flip", seat))
        else:
            hands = self.hands
            hands.reverse()
            for cards in hands:
                for known in cards:
                    self.known |= 1 << known
            public.append(("swap", seat))
            for owner, cards in enumerate(hands):
                events.private[owner].append(("hand", *cards))

    def _end_turn(self, dice: Dice, events: Events, before_pass: Callable[[], None] | None) -> None:
        """Draw, hand the turn over, and let a seat that cannot move pass (smashclash 3)."""
        public = events.public
        while True:
            seat = self.seat
            hand = self.hands[seat]
            missing = HAND - len(hand)
            if missing > 0 and self.top < len(self.deck):
                drawn = self.deck[self.top : self.top + missing]
                self.top += len(drawn)
                hand.extend(drawn)
                public.append(("draw", seat, len(drawn)))
                events.private[seat].append(("drew", *drawn))
            self.used = 0
            self.power = ()
            self.seat = seat = 1 - seat
            hand = self.hands[seat]
            can_move = (hand and hand[0] < 47) or self._can_move(seat)
            if not can_move and not self._can_move(1 - seat):
                self._end("no moves left", public)
                return
            public.append(("turn", seat))
            if self.mutators:
                public += self._draw_power(dice)
            if can_move:
                return
            if before_pass:
                before_pass()
            self.ply += 1
            public.append(("pass", seat))

    def _draw_power(self, dice: Dice) -> tuple[Event, ...]:
        """Draw this turn's power tiles: two different empty ones, or the only one."""
        random = dice.random
        empty = empty_tiles(self.occupied)
        count = len(empty)
        first = int(random() * count)
        one = empty[first] * 14 + int(random() * 14)
        if count == 1:
            self.power = (_POWERS[one],)
            return (_POWER_EVENTS[one],)
        second = int(random() * (count - 1))
        second += second >= first
        two = empty[second] * 14 + int(random() * 14)
        self.power = (_POWERS[one], _POWERS[two])
        return _POWER_EVENTS[one], _POWER_EVENTS[two]

    def _end(self, reason: str, public: list[Event]) -> None:
        self.reason = reason
        self.hop = -1
        self.used = 0
        self.power = ()
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
        return from_text(cls, text)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Position) and self.to_text() == other.to_text()

    def __hash__(self) -> NoReturn:
        raise TypeError("a Position changes as it is played; hash its to_text() instead")

    def __str__(self) -> str:
        return self.view(None).text()

    def __repr__(self) -> str:
        return f"Position.from_text({self.to_text()!r})"


def _turned(tiles: int) -> int:
    """Return a mask of tiles as the board turned by 180 degrees has it."""
    return sum(1 << 14 - tile for tile in _TILES if tiles >> tile & 1)
