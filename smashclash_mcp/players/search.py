"""A player that searches: whole turns, its own and the reply, in worlds dealt from its view."""

from __future__ import annotations

from dataclasses import dataclass

from ..games.base import Dice, Move, Position, Seat, View


@dataclass(frozen=True, slots=True)
class SearchPlayer:
    """Plays the move with the best worst case over sampled worlds, within a budget of nodes.

    The same worlds are dealt for every move. In each, all ways to go on with the own turn are
    held against all turns that the other seat has in reply, and `Position.standing` judges what
    is then left. `nodes` bounds the positions looked at for one move, so that the same view and
    dice give the same move on any machine.
    """

    nodes: int

    def choose(self, view: View, dice: Dice) -> Move:
        """Return a legal move of `view`, whose seat is to move."""
        legal = view.legal_moves()
        if len(legal) == 1:
            return legal[0]
        seat = view.seat
        assert seat is not None, "a spectator does not move"
        totals = dict.fromkeys(legal, 0.0)
        worlds = 0
        search = _Search(seat, self.nodes, dice)
        while True:
            world = view.sample(dice)
            try:
                values = {move: search.after(world, move, -_ENDLESS) for move in legal}
            except _SpentError:
                break
            worlds += 1
            for move, value in values.items():
                totals[move] += value
        if not worlds:  # the budget is too small for one world
            return max(legal, key=view.gain)
        return max(legal, key=totals.__getitem__)


class _SpentError(Exception):
    """The budget of nodes is used up."""


_ENDLESS = float("inf")


class _Search:
    """One move's search: counts its nodes, and stops by an exception at the last one."""

    def __init__(self, seat: Seat, nodes: int, dice: Dice) -> None:
        self.seat = seat
        self.left = nodes
        self.dice = dice

    def after(self, position: Position, move: Move, best: float) -> float:
        """Return the worst case of the best turn that goes on with `move`.

        `best` is what another way already reaches: below it the exact value does not matter.
        """
        position = self._played(position, move)
        if position.to_move != self.seat:
            return self._reply(position, best)
        for following in position.legal_moves():
            best = max(best, self.after(position, following, best))
        return best

    def _reply(self, position: Position, best: float) -> float:
        """Return the standing after the reply that is worst for the own seat."""
        if position.to_move is None or position.to_move == self.seat:
            return position.standing(self.seat)
        worst = _ENDLESS
        for move in position.legal_moves():
            worst = min(worst, self._reply(self._played(position, move), best))
            if worst <= best:
                break
        return worst

    def _played(self, position: Position, move: Move) -> Position:
        if not self.left:
            raise _SpentError
        self.left -= 1
        after = position.copy()
        after.play(move, self.dice)
        return after
