"""What one seat, or a spectator, may know of a game of Smash&Clash.

A View keeps a copy of the position in which every card that the seat cannot know is blank (0), so
whatever is computed from it, moves, texts, errors, samples, cannot leak.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from ..base import Dice, Move, Outcome, Played, Seat
from . import data, evaluate, notation, text
from .cards import DECK

if TYPE_CHECKING:
    from .position import Position


class View:
    """One seat's knowledge; made by `Position.view`."""

    __slots__ = ("gone", "recent", "seat", "shown")

    def __init__(self, position: Position, seat: Seat | None, recent: Sequence[Played]) -> None:
        self.seat = seat
        self.recent = tuple(recent)
        self.gone = position.gone()
        """The cards that have left the game, in id order."""
        self.shown = _blanked(position, seat, self.gone)
        """The position with blanks (0) for the cards this seat does not know."""

    @property
    def to_move(self) -> Seat | None:
        """The seat to move, None when the game is over."""
        return self.shown.to_move

    @property
    def ply(self) -> int:
        """How many entries the record holds so far."""
        return self.shown.ply

    def outcome(self) -> Outcome | None:
        """Return how the game ended, None while it runs."""
        return self.shown.outcome()

    def legal_moves(self) -> list[Move]:
        """Return this seat's legal moves in canonical order; empty when it is not to move."""
        if self.seat is None or self.to_move != self.seat:
            return []
        return self.shown.legal_moves()

    def read_move(self, typed: str) -> Move:
        """Read one move as a person or model types it (smashclash 7).

        Raises InvalidMoveError, AmbiguousMoveError, IllegalMoveError, NotYourTurnError or
        GameOverError, whose text is the reason of this very move.
        """
        return notation.read_move(self, typed)

    def text(self, title: str = "", *, legend: bool = False, hints: bool = False) -> str:
        """Return the state block of design section 4; `title` opens it, `legend` adds a line."""
        return text.block(self, title, legend=legend, hints=hints)

    def legal_text(self) -> str:
        """Return the legal moves, factored: card lists and tile lists."""
        return text.legal(self)

    def data(self, *, hints: bool = False) -> dict[str, Any]:
        """Return the facts of `text` as JSON values."""
        return data.facts(self, hints=hints)

    def sample(self, dice: Dice) -> Position:
        """Deal the unseen cards at random over the blanks: a full position this seat may be in.

        Every deal that agrees with all the seat has seen is equally likely. What the other seat
        knows of this seat's hand is kept.
        """
        position = self.shown.copy()
        unseen = unseen_cards(position, self.gone)
        dice.shuffle(unseen)
        for hand in position.hands:
            for i, card in enumerate(hand):
                if not card:
                    hand[i] = unseen.pop()
        position.deck = (0,) * position.top + tuple(unseen)
        return position

    def gain(self, move: Move) -> tuple[int, ...]:
        """Return what a greedy player maximises: the swing in cards, then the fewest open sides."""
        return evaluate.gain(self.shown, move)

    def __str__(self) -> str:
        return self.text()


def unseen_cards(position: Position, gone: Sequence[int]) -> list[int]:
    """Return the cards that are in blanks of a blanked position, in id order."""
    seen = {piece & 63 for piece in position.board}
    seen.update(gone, *position.hands)
    return [card for card in DECK if card not in seen]


def _blanked(position: Position, seat: Seat | None, gone: Sequence[int]) -> Position:
    """Return a copy without the cards that `seat` does not know.

    A card of the other hand is known once it has been through a SWAP, and by elimination when the
    deck is empty; in a spectator's eyes no hand is open.
    """
    shown = position.copy()
    shown.deck = (0,) * len(position.deck)
    for owner, hand in enumerate(position.hands):
        if owner != seat:
            known = 0 if seat is None else position.known
            shown.hands[owner] = [card if known >> card & 1 else 0 for card in hand]
    if seat is None:
        shown.known = 0
    elif shown.top == len(shown.deck):
        rest = iter(unseen_cards(shown, gone))
        shown.hands[1 - seat] = [card or next(rest) for card in shown.hands[1 - seat]]
    return shown
