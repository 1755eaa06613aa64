"""A game in which a seat has to pass: rare, so it is played for it."""

from __future__ import annotations

from smashclash_mcp import Dice, Match, Setup
from smashclash_mcp.games.base import Move
from smashclash_mcp.games.smashclash.moves import MOVE_NAMES, MOVES, OVERRUN

SEED = 236


def play_out_with_a_pass(seed: int = SEED) -> Match:
    """Return a finished game of mutators; by default one with every kind of move and a pass.

    Overruns, BOULDER and SWAP come first: they use up the deck while tiles stay empty.
    """
    dice = Dice(seed).derive("choices")
    match = Match(Setup("smashclash", "mutators", seed))
    while match.to_move is not None:
        legal = match.view(match.to_move).legal_moves()
        moves = [move for move in legal if _eager(move)] or legal
        match.play(moves[dice.below(len(moves))])
    return match


def _eager(move: Move) -> bool:
    return MOVES[move].kind == OVERRUN or MOVE_NAMES[move].startswith(("BOULDER", "SWAP"))
