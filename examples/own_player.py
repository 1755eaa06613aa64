"""A player of your own: one-ply search on dealt worlds, against the greedy house.

    python examples/own_player.py [GAMES]

It sees only its View, deals the hidden cards with `View.sample`, tries each move on a copy of the
dealt position and keeps the one with the best average score after the other seat's greedy reply.
"""

from __future__ import annotations

import sys

from smashclash_mcp import Dice, GreedyPlayer, Match, Player, Setup, View

WORLDS = 3


class Lookahead:
    """Chooses by the score after the move and the other seat's greedy reply."""

    def choose(self, view: View, dice: Dice) -> int:
        """Return a legal move of `view`."""
        totals = dict.fromkeys(view.legal_moves(), 0)
        for _ in range(WORLDS):
            world = view.sample(dice)
            for move in totals:
                after = world.copy()
                after.play(move, dice)
                if after.to_move is not None and after.to_move != view.seat:
                    reply = GreedyPlayer().choose(after.view(after.to_move), dice)
                    after.play(reply, dice)
                a, b = after.score()
                totals[move] += a - b if view.seat == 0 else b - a
        return max(totals, key=totals.__getitem__)


def main(games: int) -> None:
    """Play some deals, each twice with the seats changed, and print the result."""
    points = 0.0
    for seed in range(games // 2):
        for seat in (0, 1):
            players: list[Player] = [GreedyPlayer(), GreedyPlayer()]
            players[seat] = Lookahead()
            match = Match(Setup("smashclash", "mutators", seed))
            while match.to_move is not None:
                view = match.view(match.to_move)
                dice = match.dice.derive("player", view.ply)
                match.play(players[match.to_move].choose(view, dice))
            outcome = match.outcome()
            assert outcome is not None
            points += 0.5 if outcome.winner is None else outcome.winner == seat
    print(f"Lookahead against greedy: {points:g} of {games // 2 * 2} points")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 20)
