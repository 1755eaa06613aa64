"""A position as JSON values for records, and as one line of text that can be read back."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any, TypeVar

from ..base import SEAT_NAMES, STOPS
from .board import PIECES, TILE_NUMBERS, TILES
from .cards import CHARACTERS, COLOURS, DECK, IDS, NAMES, SIDES
from .moves import MOVE_NAMES

if TYPE_CHECKING:
    from .position import Position

P = TypeVar("P", bound="Position")

_BY_ID = {card_id: number for number, card_id in enumerate(IDS)}


def snapshot(position: Position) -> dict[str, Any]:
    """Return every fact of a position as JSON values; cards by name, tiles as `C2`."""
    return {
        "to_move": None if position.to_move is None else SEAT_NAMES[position.to_move],
        "board": board_facts(position),
        "hands": {
            seat: [NAMES[card] for card in hand]
            for seat, hand in zip(SEAT_NAMES, position.hands, strict=True)
        },
        "deck": len(position.deck) - position.top,
        "gone": [NAMES[card] for card in position.gone()],
        "score": dict(zip(SEAT_NAMES, position.score(), strict=True)),
        "chess": chess_tiles(position),
        "power": {TILES[tile]: [colour, bonus] for tile, colour, bonus in position.power},
        "hop": TILES[position.hop] if position.hop >= 0 else None,
        "legal": [MOVE_NAMES[move] for move in position.legal_moves()],
    }


def board_facts(position: Position) -> dict[str, Any]:
    """Return the cards on the board by tile; sides are north, east, south, west."""
    return {
        TILES[tile]: {
            "card": NAMES[piece & 63],
            "owner": SEAT_NAMES[piece >> 6],
            "frozen": bool(position.frozen >> tile & 1),
            "sides": list(SIDES[piece]),
        }
        for tile, piece in enumerate(position.board)
        if piece
    }


def chess_tiles(position: Position) -> dict[str, str]:
    """Return the chess tiles by name, in tile order."""
    return {TILES[tile]: PIECES[piece] for tile, piece in enumerate(position.chess) if piece}


def to_text(position: Position) -> str:
    """Return the position as one line of `field=value`; cards by id, seats as A and B."""
    board = ",".join(
        f"{IDS[piece & 63]}{SEAT_NAMES[piece >> 6]}{'*' * (position.frozen >> tile & 1)}"
        if piece
        else "."
        for tile, piece in enumerate(position.board)
    )
    fields = {
        "ruleset": "mutators" if position.mutators else "classic",
        "to_move": SEAT_NAMES[position.seat],
        "ply": position.ply,
        "board": board,
        "hand_a": ",".join(str(IDS[card]) for card in position.hands[0]),
        "hand_b": ",".join(str(IDS[card]) for card in position.hands[1]),
        "deck": ",".join(str(IDS[card]) for card in position.deck),
        "dealt": position.top,
        "chess": ",".join(f"{tile}:{piece}" for tile, piece in chess_tiles(position).items()),
        "power": ",".join(f"{TILES[t]}:{colour}+{bonus}" for t, colour, bonus in position.power),
        "hop": TILES[position.hop] if position.hop >= 0 else "",
        "used": ",".join(TILES[tile] for tile in range(15) if position.used >> tile & 1),
        "known": ",".join(str(IDS[card]) for card in DECK if position.known >> card & 1),
        "end": position.reason.replace(" ", "_"),
        "loser": SEAT_NAMES[position.loser] if position.loser >= 0 else "",
    }
    return " ".join(f"{name}={value}" for name, value in fields.items())


_REASONS = ("", "board full", "no moves left", *STOPS.values())


def from_text(cls: type[P], text: str) -> P:
    """Read what `to_text` wrote.

    Raises ValueError that names the field at fault: unknown or missing fields, unknown cards or
    tiles, a card in two places.
    """
    pairs = [part.partition("=") for part in text.split()]
    fields = {name: value for name, _, value in pairs}
    names = [name for name, _, _ in pairs]
    if sorted(names) != sorted(_READERS):
        wrong = sorted({n for n in {*names, *_READERS} if names.count(n) != 1 or n not in _READERS})
        raise ValueError(f"position: fields missing, unknown or twice: {', '.join(wrong)}")
    position = cls.__new__(cls)
    position.hands = [[], []]
    for name, read in _READERS.items():
        try:
            read(position, fields[name])
        except (ValueError, KeyError, IndexError):
            raise ValueError(f"position: cannot read {name}={fields[name]}") from None
    here = [piece & 63 for piece in position.board if piece]
    here += [*position.hands[0], *position.hands[1], *position.deck[position.top :]]
    if len(set(here)) != len(here) or not all(here):
        raise ValueError("position: a card is in two places, or unknown")
    return position


def _items(value: str) -> list[str]:
    return value.split(",") if value else []


def _cards(value: str) -> list[int]:
    return [_BY_ID[int(item)] for item in _items(value)]


def _bits(numbers: Iterable[int]) -> int:
    return sum(1 << number for number in numbers)


def _seat(value: str) -> int:
    return SEAT_NAMES.index(value)


def _read_ruleset(position: Position, value: str) -> None:
    position.mutators = ("classic", "mutators").index(value) == 1


def _read_to_move(position: Position, value: str) -> None:
    position.seat = _seat(value)


def _read_ply(position: Position, value: str) -> None:
    position.ply = int(value)
    if position.ply < 0:
        raise ValueError(value)


def _read_board(position: Position, value: str) -> None:
    cells = value.split(",")
    if len(cells) != 15:
        raise ValueError(value)
    position.board = [_piece(cell.removesuffix("*")) for cell in cells]
    position.occupied = _bits(tile for tile, cell in enumerate(cells) if cell != ".")
    position.frozen = _bits(tile for tile, cell in enumerate(cells) if cell.endswith("*"))


def _piece(cell: str) -> int:
    if cell == ".":
        return 0
    card = _BY_ID[int(cell[:-1])]
    if card not in CHARACTERS:
        raise ValueError(cell)
    return card | _seat(cell[-1]) << 6


def _read_hand_a(position: Position, value: str) -> None:
    position.hands[0] = _cards(value)


def _read_hand_b(position: Position, value: str) -> None:
    position.hands[1] = _cards(value)


def _read_deck(position: Position, value: str) -> None:
    position.deck = tuple(_cards(value))


def _read_dealt(position: Position, value: str) -> None:
    position.top = int(value)
    if not 0 <= position.top <= len(position.deck):
        raise ValueError(value)


def _read_chess(position: Position, value: str) -> None:
    chess = [0] * 15
    for item in _items(value):
        tile, piece = item.split(":")
        chess[TILE_NUMBERS[tile]] = PIECES.index(piece, 1)
    position.chess = tuple(chess)


def _read_power(position: Position, value: str) -> None:
    power: list[tuple[int, str, int]] = []
    for item in _items(value):
        tile, boost = item.split(":")
        colour, bonus = boost.split("+")
        power.append(
            (TILE_NUMBERS[tile], COLOURS[COLOURS.index(colour)], (1, 2)[("1", "2").index(bonus)])
        )
    position.power = tuple(power)


def _read_hop(position: Position, value: str) -> None:
    position.hop = TILE_NUMBERS[value] if value else -1
    if value and not (position.board[position.hop] and position.chess[position.hop]):
        raise ValueError(value)


def _read_used(position: Position, value: str) -> None:
    position.used = _bits(TILE_NUMBERS[item] for item in _items(value))


def _read_known(position: Position, value: str) -> None:
    position.known = _bits(_cards(value))


def _read_end(position: Position, value: str) -> None:
    position.reason = _REASONS[_REASONS.index(value.replace("_", " "))]


def _read_loser(position: Position, value: str) -> None:
    position.loser = _seat(value) if value else -1


_READERS: dict[str, Callable[[Position, str], None]] = {
    "ruleset": _read_ruleset,
    "to_move": _read_to_move,
    "ply": _read_ply,
    "board": _read_board,
    "hand_a": _read_hand_a,
    "hand_b": _read_hand_b,
    "deck": _read_deck,
    "dealt": _read_dealt,
    "chess": _read_chess,
    "power": _read_power,
    "hop": _read_hop,
    "used": _read_used,
    "known": _read_known,
    "end": _read_end,
    "loser": _read_loser,
}
