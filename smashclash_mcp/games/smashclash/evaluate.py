"""What a player may reckon with: what a move takes, and what it leaves open."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..base import Move
from .board import CROSSES, NEIGHBOURS, attacked
from .cards import BOULDER, COLOUR, FLIP, RECRUIT
from .moves import EFFECT, HOP, MOVES, PLACE, STAY

if TYPE_CHECKING:
    from .position import Position


def takes(position: Position, move: Move) -> list[int]:
    """Return the tiles that a placement, overrun, hop or RECRUIT captures where it lands."""
    decoded = MOVES[move]
    seat = position.seat
    board = position.board
    if decoded.kind == HOP:
        piece, tile = board[position.hop], decoded.tile
        board = board.copy()
        board[position.hop] = 0
    elif decoded.kind == EFFECT:
        piece, tile = board[decoded.tile] ^ 64, decoded.to
        board = board.copy()
        board[decoded.tile] = 0
    else:
        piece, tile = decoded.card | seat << 6, decoded.tile
    bonus = sum(
        power[2] for power in position.power if power[0] == tile and power[1] == COLOUR[piece & 63]
    )
    return attacked(board, position.frozen, piece, tile, bonus)


def gain(position: Position, move: Move) -> tuple[int, int]:
    """Return the swing in cards of a move for its seat, and minus the sides it leaves open.

    The swing is own cards minus theirs, after minus before. A side is open when the tile it faces
    is empty. Effects that place nothing leave nothing open.
    """
    decoded = MOVES[move]
    if decoded.kind == STAY:
        return 0, -_open_sides(position, position.hop)
    if decoded.kind != EFFECT:
        placed = 1 if decoded.kind == PLACE else 0
        open_sides = _open_sides(position, decoded.tile, position.hop)
        return placed + 2 * len(takes(position, move)), -open_sides
    if decoded.card == RECRUIT:
        open_sides = _open_sides(position, decoded.to, decoded.tile)
        return 2 + 2 * len(takes(position, move)), -open_sides
    seats = [piece >> 6 for piece in position.board if piece]
    theirs = seats.count(1 - position.seat)
    if decoded.card == FLIP:
        return 2 * (2 * theirs - len(seats)), 0
    if decoded.card == BOULDER:
        removed = [
            position.board[tile] >> 6
            for tile in CROSSES[decoded.tile]
            if position.board[tile] and not position.frozen >> tile & 1
        ]
        return 2 * removed.count(1 - position.seat) - len(removed), 0
    return 0, 0


def _open_sides(position: Position, tile: int, left: int = -1) -> int:
    """Count the neighbours of a tile that are empty; `left` is a tile the move empties."""
    return sum(not position.board[other] or other == left for other, _ in NEIGHBOURS[tile])
