"""The board: tiles, neighbours, captures and how chess pieces move (smashclash 1, 2, 6).

A tile is a number 0-14 in tile order: A1, B1, ..., E1, A2, ..., E3. A direction is 0-3: north,
east, south, west.
"""

from __future__ import annotations

from collections.abc import Sequence

from .cards import SIDES

TILES = tuple(f"{column}{row}" for row in "123" for column in "ABCDE")
TILE_NUMBERS = {name: tile for tile, name in enumerate(TILES)}
ZONES = (6, 7, 8)
"""The overrun zones B2, C2, D2: the only tiles with four neighbours."""
PIECES = ("", "knight", "bishop", "rook", "queen")
"""The chess tiles' pieces by their number; 0 is a plain tile."""

_STRAIGHT = ((0, 1), (1, 0), (0, -1), (-1, 0))
_DIAGONAL = ((1, 1), (1, -1), (-1, -1), (-1, 1))
_JUMPS = tuple((x, y) for x in (-2, -1, 1, 2) for y in (-2, -1, 1, 2) if abs(x) != abs(y))


def _line(tile: int, step: tuple[int, int], length: int) -> tuple[int, ...]:
    x, y = tile % 5, tile // 5
    line: list[int] = []
    for _ in range(length):
        x, y = x + step[0], y + step[1]
        if not (0 <= x < 5 and 0 <= y < 3):
            break
        line.append(y * 5 + x)
    return tuple(line)


def _lines(
    steps: Sequence[tuple[int, int]], length: int = 4
) -> tuple[tuple[tuple[int, ...], ...], ...]:
    return tuple(
        tuple(line for step in steps if (line := _line(tile, step, length))) for tile in range(15)
    )


NEIGHBOURS = tuple(
    tuple((line[0], d) for d, step in enumerate(_STRAIGHT) if (line := _line(tile, step, 1)))
    for tile in range(15)
)
"""For each tile, its orthogonal neighbours and the direction in which each lies."""

CROSSES = tuple(
    tuple(t for t in range(15) if t % 5 == tile % 5 or t // 5 == tile // 5) for tile in range(15)
)
"""For each tile, every tile of its row and its column, itself included, in tile order."""

LINES = (
    (),
    _lines(_JUMPS, 1),
    _lines(_DIAGONAL),
    _lines(_STRAIGHT),
    _lines(_STRAIGHT + _DIAGONAL),
)
"""For each piece and tile, the lines along which it moves, nearest tile first."""


def _beaten(seat: int, direction: int, side: int) -> bytes:
    """Return a 1 for each piece that a card of `seat` captures in a direction with such a side."""
    facing = direction ^ 2
    return bytes(target >> 6 != seat and 0 < SIDES[target][facing] <= side for target in range(128))


_STRONGEST = 7 + 2
_BEATEN = tuple(
    tuple(
        tuple(_beaten(seat, direction, side) for side in range(_STRONGEST + 1))
        for direction in range(4)
    )
    for seat in (0, 1)
)

BEATEN = tuple(
    tuple(
        tuple(_BEATEN[piece >> 6][d][side + bonus] for d, side in enumerate(sides))
        for piece, sides in enumerate(SIDES)
    )
    for bonus in (0, 1, 2)
)
"""For each bonus, attacker and direction, a 1 for each piece captured there (smashclash 2).

Ties go to the attacker; the bonus raises every side of the attacker alone; 0 for an empty tile.
"""

Rows = tuple[tuple[tuple[int, ...], ...], ...]
"""For each row and each mask of the row's occupied tiles, what belongs to its empty tiles."""


def by_row(entries: Sequence[int]) -> Rows:
    """Sort one entry per tile for being looked up by what is empty, in 3 * 32 tuples."""
    return tuple(
        tuple(
            tuple(entries[row + column] for column in range(5) if not occupied >> column & 1)
            for occupied in range(32)
        )
        for row in (0, 5, 10)
    )


_EMPTY = by_row(range(15))


def empty_tiles(occupied: int) -> tuple[int, ...]:
    """Return the tiles that a mask of occupied ones leaves empty, in tile order."""
    row1, row2, row3 = _EMPTY
    return row1[occupied & 31] + row2[occupied >> 5 & 31] + row3[occupied >> 10]


def destinations(piece: int, tile: int, board: Sequence[int]) -> list[int]:
    """Return the empty tiles that a chess piece on `tile` reaches, in tile order (smashclash 6)."""
    found: list[int] = []
    for line in LINES[piece][tile]:
        for step in line:
            if board[step]:
                break
            found.append(step)
    found.sort()
    return found


def attacked(board: Sequence[int], frozen: int, piece: int, tile: int, bonus: int = 0) -> list[int]:
    """Return the tiles that `piece` would capture by arriving on `tile` (smashclash 2).

    Frozen cards hold; `bonus` raises every side of the attacker alone.
    """
    beaten = BEATEN[bonus][piece]
    return [
        other
        for other, direction in NEIGHBOURS[tile]
        if beaten[direction][board[other]] and not frozen >> other & 1
    ]
