"""The tutorial: a scripted first match that teaches one idea a turn (agentbattle 7, 8.1).

Both decks lie in a fixed order and one move at a time is on offer to either seat, so that the
match always goes the same way: seat A wins it. The texts are for seat A.
"""

from __future__ import annotations

SCRIPT: tuple[int, ...] = ()
DECKS = ((1, 2, 3, 4, 5, 6, 7, 8), (9, 10, 11, 12, 13, 14, 15, 16))


def lesson(ply: int) -> str:
    """Return what the coming move teaches."""
    return ""


def not_yet(ply: int) -> str:
    """Return what to play instead of a move that is not the lesson's."""
    return ""
