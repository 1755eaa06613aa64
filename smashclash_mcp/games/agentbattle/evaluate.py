"""What a player may reckon with: how a position stands, and what a turn can reach."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..base import Dice, Move, Seat
from .abilities import attack_now
from .moves import END_MOVE

if TYPE_CHECKING:
    from .position import Position

WON = 1000.0
_ATTACK = 0.9
_HEALTH = 0.3
_SHIELD = 1.5
_HAND = 1.0
_NO_DICE = Dice(0)
"""No dice are rolled once the decks are shuffled."""


def standing(position: Position, seat: Seat) -> float:
    """Return how a position stands for a seat, in points of core health; over: WON or -WON.

    Agents count while their side has turns left to attack in.
    """
    cores = position.cores
    if position.reason:
        outcome = position.outcome()
        assert outcome is not None
        if outcome.winner is None:
            return 0.0
        return WON + cores[seat] if outcome.winner == seat else -WON - cores[1 - seat]
    value = float(cores[seat] - cores[1 - seat])
    return value + _board(position, seat) - _board(position, 1 - seat)


def _board(position: Position, seat: Seat) -> float:
    """Return what a seat's agents and hand are worth: attacks they have left, and health."""
    # Turns of this seat that still end in attacks, the running one included.
    turns = (17 - position.turn + (position.turn % 2 == 1 - seat)) // 2
    boards = position.boards
    attacks = min(turns, 3)
    value = 0.0
    for agent in boards[seat]:
        attack = attack_now(boards, seat, agent)
        value += _ATTACK * attack * attacks + (_HEALTH * agent.health if turns else 0.0)
        if agent.shield:
            value += _SHIELD
    if turns > 1:
        value += _HAND * len(position.hands[seat])
    return value


def gain(position: Position, move: Move) -> tuple[float, ...]:
    """Return the best standing, after its attacks, of any turn that goes on with this move.

    Cards that the turn itself would draw are unknown and are not played in it.
    """
    return (_best_after(position, move),)


def _best_after(position: Position, move: Move) -> float:
    seat = position.seat
    after = position.copy()
    after.play(move, _NO_DICE)
    if move == END_MOVE or after.reason:
        return standing(after, seat)
    return max(_best_after(after, following) for following in after.legal_moves())
