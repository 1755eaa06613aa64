"""Positions by hand, for tests: `position(board={"C3": "B Luna*"}, a="Pengu, FLIP")`."""

from __future__ import annotations

from collections.abc import Mapping

from smashclash_mcp import Dice, get_game
from smashclash_mcp.games.base import Events, Move
from smashclash_mcp.games.smashclash import Position
from smashclash_mcp.games.smashclash.board import TILES
from smashclash_mcp.games.smashclash.cards import IDS, NAMES, NUMBERS

GAME = get_game("smashclash")


def position(
    board: Mapping[str, str] | None = None,
    *,
    a: str = "",
    b: str = "",
    deck: str | None = None,
    to_move: str = "A",
    ruleset: str = "mutators",
    chess: Mapping[str, str] | None = None,
    power: Mapping[str, str] | None = None,
    gone: str = "",
) -> Position:
    """Return a position.

    `board` holds `"A Pengu"` (owner, card) or `"B Luna*"` (frozen) by tile; hands, deck and gone
    are card names by commas. Without a deck it is every card not named elsewhere.
    """
    board = board or {}
    hands = [_names(a), _names(b)]
    on_board = [text[2:].rstrip("*") for text in board.values()]
    named = {*on_board, *hands[0], *hands[1], *_names(gone)}
    rest = [name for name in NUMBERS if name not in named] if deck is None else _names(deck)
    cells = [
        f"{_id(text[2:].rstrip('*'))}{text[0]}{'*' * text.endswith('*')}"
        if (text := board.get(tile))
        else "."
        for tile in TILES
    ]
    fields = {
        "ruleset": ruleset,
        "to_move": to_move,
        "ply": 0,
        "board": ",".join(cells),
        "hand_a": _ids(hands[0]),
        "hand_b": _ids(hands[1]),
        "deck": _ids(rest),
        "dealt": 0,
        "chess": ",".join(f"{tile}:{piece}" for tile, piece in (chess or {}).items()),
        "power": ",".join(f"{tile}:{boost}" for tile, boost in (power or {}).items()),
        "hop": "",
        "used": "",
        "known": "",
        "end": "",
        "loser": "",
    }
    return Position.from_text(" ".join(f"{name}={value}" for name, value in fields.items()))


def play(at: Position, *moves: str, seed: int = 1) -> Events:
    """Play legal moves by their canonical names; return the last one's events."""
    dice = Dice(seed)
    events = Events([], ([], []))
    for name in moves:
        move = GAME.moves_by_name[name]
        assert move in at.legal_moves(), f"{name} is not legal: {legal(at)}"
        events = at.play(move, dice)
    return events


def legal(at: Position) -> list[str]:
    """Return the legal moves' names."""
    return [GAME.move_names[move] for move in at.legal_moves()]


def cards(at: Position) -> dict[str, str]:
    """Return the board as `position` takes it."""
    return {
        TILES[tile]: f"{'AB'[piece >> 6]} {NAMES[piece & 63]}{'*' * (at.frozen >> tile & 1)}"
        for tile, piece in enumerate(at.board)
        if piece
    }


def hand(at: Position, seat: int) -> list[str]:
    """Return a hand as card names, in order."""
    return [NAMES[card] for card in at.hands[seat]]


def number(name: str) -> Move:
    """Return a move's number by its canonical name."""
    return GAME.moves_by_name[name]


def _names(text: str) -> list[str]:
    return [name.strip() for name in text.split(",") if name.strip()]


def _id(name: str) -> int:
    return IDS[NUMBERS[name]]


def _ids(names: list[str]) -> str:
    return ",".join(str(_id(name)) for name in names)
