"""The moves of Smash&Clash as numbers 0-1100, and their canonical names (smashclash 7).

Blocks of numbers, in this order: placements (card, tile), overruns (card, zone), BOULDER (tile),
FLIP, FREEZE (tile), RECRUIT (from, to), SWAP, hops (tile), and the hop declined.
"""

from __future__ import annotations

from typing import NamedTuple

from .board import TILES, ZONES
from .cards import BOULDER, CHARACTERS, FLIP, FREEZE, NAMES, RECRUIT, SWAP

PLACE, OVERRUN, EFFECT, HOP, STAY = range(5)


class Decoded(NamedTuple):
    """What a move's number stands for; `tile` and `to` are -1 where the move has none."""

    kind: int
    card: int
    tile: int
    to: int
    name: str


def _decoded() -> tuple[Decoded, ...]:
    moves: list[Decoded] = []
    for card in CHARACTERS:
        for tile in range(15):
            moves.append(Decoded(PLACE, card, tile, -1, f"{NAMES[card]}@{TILES[tile]}"))
    for card in CHARACTERS:
        for tile in ZONES:
            moves.append(Decoded(OVERRUN, card, tile, -1, f"{NAMES[card]}!{TILES[tile]}"))
    for tile in range(15):
        moves.append(Decoded(EFFECT, BOULDER, tile, -1, f"BOULDER({TILES[tile]})"))
    moves.append(Decoded(EFFECT, FLIP, -1, -1, "FLIP"))
    for tile in range(15):
        moves.append(Decoded(EFFECT, FREEZE, tile, -1, f"FREEZE({TILES[tile]})"))
    for tile in range(15):
        for to in range(15):
            moves.append(Decoded(EFFECT, RECRUIT, tile, to, f"RECRUIT({TILES[tile]}→{TILES[to]})"))
    moves.append(Decoded(EFFECT, SWAP, -1, -1, "SWAP"))
    for tile in range(15):
        moves.append(Decoded(HOP, 0, tile, -1, f"hop→{TILES[tile]}"))
    moves.append(Decoded(STAY, 0, -1, -1, "hop: stay"))
    return tuple(moves)


MOVES = _decoded()
MOVE_NAMES = tuple(move.name for move in MOVES)
MOVES_BY_NAME = {name: number for number, name in enumerate(MOVE_NAMES)}


def _first(kind: int, card: int = 0) -> int:
    return next(n for n, m in enumerate(MOVES) if m.kind == kind and (not card or m.card == card))


PLACES = (0, *(_first(PLACE, card) for card in CHARACTERS))
"""The move that places each card on A1; the tile's number is added."""
OVERRUNS = (0, *(_first(OVERRUN, card) - ZONES[0] for card in CHARACTERS))
"""What a zone's tile number is added to."""
BOULDERS = _first(EFFECT, BOULDER)
FLIP_MOVE = _first(EFFECT, FLIP)
FREEZES = _first(EFFECT, FREEZE)
RECRUITS = _first(EFFECT, RECRUIT)
SWAP_MOVE = _first(EFFECT, SWAP)
HOPS = _first(HOP)
STAY_MOVE = _first(STAY)
