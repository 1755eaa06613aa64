"""What one seat, or a spectator, may know of a match of Agent Battle.

A View keeps a copy of the position in which every card that the seat cannot know is blank (0), so
whatever is computed from it, moves, texts, errors, samples, cannot leak.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from ..base import Dice, Move, Outcome, Played, Seat
from . import data, evaluate, notation, text
from .cards import CARDS

if TYPE_CHECKING:
    from .position import Position


class View:
    """One seat's knowledge; made by `Position.view`."""

    __slots__ = ("own_deck", "recent", "seat", "shown")

    def __init__(self, position: Position, seat: Seat | None, recent: Sequence[Played]) -> None:
        self.seat = seat
        self.recent = tuple(recent)
        self.own_deck = [] if seat is None else sorted(position.decks[seat][position.tops[seat] :])
        """The cards the seat has still to draw, in the order of the set: it built the deck."""
        self.shown = _blanked(position, seat)
        """The position with blanks (0) for the cards this seat does not know."""

    @property
    def to_move(self) -> Seat | None:
        """The seat to move, None when the match is over."""
        return self.shown.to_move

    @property
    def ply(self) -> int:
        """How many entries the record holds so far."""
        return self.shown.ply

    def outcome(self) -> Outcome | None:
        """Return how the match ended, None while it runs."""
        return self.shown.outcome()

    def legal_moves(self) -> list[Move]:
        """Return this seat's legal moves in canonical order; empty when it is not to move."""
        if self.seat is None or self.to_move != self.seat:
            return []
        return self.shown.legal_moves()

    def read_move(self, typed: str) -> Move:
        """Read one move as a person or model types it (agentbattle 2).

        Raises InvalidMoveError, AmbiguousMoveError, IllegalMoveError, NotYourTurnError or
        GameOverError, whose text is the reason of this very move.
        """
        return notation.read_move(self, typed)

    def text(self, title: str = "", *, legend: bool = False, hints: bool = False) -> str:
        """Return the state block of design section 4; `title` opens it, `legend` adds a line."""
        return text.block(self, title, legend=legend, hints=hints)

    def legal_text(self) -> str:
        """Return the legal moves on one line."""
        return text.legal(self)

    def data(self, *, hints: bool = False) -> dict[str, Any]:
        """Return the facts of `text` as JSON values."""
        return data.facts(self, hints=hints)

    def sample(self, dice: Dice) -> Position:
        """Deal the unseen cards at random over the blanks: a full position this seat may be in.

        The own deck is shuffled. Of the other seat's deck nothing is known but what was played, so
        its unseen cards are different ones of the set, every choice equally likely.
        """
        position = self.shown.copy()
        decks = list(position.decks)
        for owner in (0, 1):
            if owner == self.seat:
                unseen = self.own_deck.copy()
            else:
                seen = {agent.card for agent in position.boards[owner]}
                seen.update(position.out[owner])
                unseen = [card.number for card in CARDS if card.number not in seen]
            dice.shuffle(unseen)
            hand = position.hands[owner]
            for i, card in enumerate(hand):
                if not card:
                    hand[i] = unseen.pop()
            top = position.tops[owner]
            decks[owner] = (0,) * top + tuple(unseen[: len(decks[owner]) - top])
        position.decks = (decks[0], decks[1])
        return position

    def gain(self, move: Move) -> tuple[float, ...]:
        """Return what a greedy player maximises: the best standing this turn can still reach."""
        return evaluate.gain(self.shown, move)

    def __str__(self) -> str:
        return self.text()


def _blanked(position: Position, seat: Seat | None) -> Position:
    """Return a copy without the cards that `seat` does not know."""
    shown = position.copy()
    shown.decks = ((0,) * len(position.decks[0]), (0,) * len(position.decks[1]))
    for owner in (0, 1):
        if owner != seat:
            shown.hands[owner] = [0] * len(shown.hands[owner])
    return shown
