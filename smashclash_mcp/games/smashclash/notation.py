"""Reading moves as people and models type them (smashclash 7).

A text is first read for what it says, whatever the position: one move of the 1101, or an error.
Only then is it held against the legal list, so a move is never bent into another that is legal.
"""

from __future__ import annotations

import re
import unicodedata
from difflib import get_close_matches
from typing import TYPE_CHECKING

from ..base import (
    SEAT_NAMES,
    AmbiguousMoveError,
    GameOverError,
    IllegalMoveError,
    InvalidMoveError,
    Move,
    NotYourTurnError,
)
from .board import LINES, PIECES, TILE_NUMBERS, TILES, ZONES
from .cards import BOULDER, CARDS, CHARACTERS, FLIP, FREEZE, NAMES, RECRUIT, SWAP
from .moves import (
    BOULDERS,
    FLIP_MOVE,
    FREEZES,
    HOP,
    HOPS,
    MOVES,
    OVERRUN,
    OVERRUNS,
    PLACE,
    PLACES,
    RECRUITS,
    STAY,
    STAY_MOVE,
    SWAP_MOVE,
)

if TYPE_CHECKING:
    from .position import Position
    from .view import View

MAX_LENGTH = 100
EXAMPLES = "`Pengu@C2`, `Pengu!C2`, `hop→E3`, `hop: stay`, `BOULDER(D2)`, `RECRUIT(A3→B1)`, `FLIP`"

_WRAPPING = " \t\r\n'\"`*.“”‘’«»"
_ARROW = re.compile(r"\s*(?:-+>|=+>|[→⇒➔➜➡⟶]\N{VARIATION SELECTOR-16}?)\s*")
_QUOTES = re.compile("['\"`*“”‘’«»]")
_DASH = re.compile("[\u2010-\u2015\u2212]")
_TILE = r"([a-e])\s?([1-3])"
_HOP = re.compile(rf"hop\s*(?:[>:@(]|\bto\b|\s)\s*{_TILE}\)?")
_STAY = re.compile(r"(?:hop\s*[:>(]?\s*)?(?:stay|decline)\)?")
_EFFECT = re.compile(r"(boulder|flip|freeze|recruit|swap)\s*!?\s*(?:#\s?(\d+))?\s*(.*)")
_TARGETS = re.compile(
    rf"(?:[@:(\[]|(?:at|on)\s)?\s*{_TILE}(?:(?:\s*[>,]\s*|\s+to\s+|\s+){_TILE})?\s*[)\]]?"
)
_CARD = re.compile(
    r"(?:(?:place|play)\s+)?"
    r"(?P<name>[a-z][a-z .'’_-]*?)?\s*"
    r"(?:#\s?(?P<id>\d+))?"
    rf"(?P<sign>\s*[@!>:(]\s*|\s+(?:at|on|to|@)\s+|\s+){_TILE}\)?"
)
_SEVERAL = re.compile(r"[;,\n/|&+]+|\s(?:or|and|then)\s")


def plain(name: str) -> str:
    """Return a card's name as it is compared: lower case, letters only."""
    return re.sub(r"[^a-z]", "", name.lower())


_BY_PLAIN = {plain(card.name): card.number for card in CARDS}
_BY_ID = {card.id: card for card in CARDS}


def read_move(view: View, typed: str) -> Move:
    """Return the legal move that `typed` means in this view.

    Raises InvalidMoveError or AmbiguousMoveError when it cannot be read as one move,
    IllegalMoveError when the move is against the rules here, NotYourTurnError, GameOverError.
    """
    if view.to_move is None:
        raise GameOverError("the game is over")
    if view.seat is None:
        raise NotYourTurnError("a spectator does not move")
    if view.to_move != view.seat:
        raise NotYourTurnError(f"{SEAT_NAMES[view.to_move]} is to move")
    move = parse(typed)
    if move not in view.legal_moves():
        raise IllegalMoveError(_why_illegal(view.shown, move))
    return move


def parse(typed: str) -> Move:
    """Return the one move that a text names, legal or not.

    Raises InvalidMoveError for a text that is no move, AmbiguousMoveError for several moves.
    """
    if len(typed) > MAX_LENGTH:
        raise InvalidMoveError(f"a move is at most {MAX_LENGTH} characters; write like {EXAMPLES}")
    text = unicodedata.normalize("NFKC", typed).strip(_WRAPPING).lower()
    if any(unicodedata.category(c) == "Cc" and c not in "\t\r\n" for c in text):
        raise InvalidMoveError("a move has no control characters")
    text = _DASH.sub("-", _QUOTES.sub("", text))
    text = _ARROW.sub(">", text)
    move = _parse_one(text)
    if move is not None:
        return move
    parts = [part.strip(_WRAPPING) for part in _SEVERAL.split(text)]
    if len(parts) > 1 and all(_TILE_ONLY.fullmatch(p) or _readable(p) for p in parts):
        raise AmbiguousMoveError(
            "that names several moves; name one, or join the moves of one turn by `;`"
        )
    raise InvalidMoveError(_why_unreadable(text))


_TILE_ONLY = re.compile(_TILE)


def _readable(text: str) -> bool:
    try:
        return _parse_one(text) is not None
    except InvalidMoveError:
        return False


def _parse_one(text: str) -> Move | None:
    if _STAY.fullmatch(text):
        return STAY_MOVE
    if match := _HOP.fullmatch(text):
        return HOPS + _tile(match, 1)
    if match := _EFFECT.fullmatch(text):
        return _parse_effect(match)
    if (match := _CARD.fullmatch(text)) and (match["name"] or match["id"]):
        card = _card(match["name"] or "", match["id"])
        tile = _tile(match, 4)
        if card is None or card not in CHARACTERS:
            return None
        if match["sign"].strip() != "!":
            return PLACES[card] + tile
        if tile in ZONES:
            return OVERRUNS[card] + tile
        raise IllegalMoveError("only B2, C2 and D2 can be overrun")
    return None


def _tile(match: re.Match[str], group: int) -> int:
    return TILE_NUMBERS[(match[group] + match[group + 1]).upper()]


def _card(name: str, card_id: str | None) -> int | None:
    """Return the card that a name, an id or both give; None when the name is unknown."""
    number = _BY_PLAIN.get(plain(name))
    if card_id is None:
        return number
    card = _BY_ID.get(int(card_id))
    if card is None:
        raise InvalidMoveError(f"no card has the id #{card_id[:6]}")
    if name and card.number != number:
        raise InvalidMoveError(f"#{card.id} is {card.name}, another card than the name says")
    return card.number


def _parse_effect(match: re.Match[str]) -> Move | None:
    card = _card(match[1], match[2])
    rest = match[3].strip()
    if card in (FLIP, SWAP):
        return (FLIP_MOVE if card == FLIP else SWAP_MOVE) if rest in ("", "()") else None
    targets = _TARGETS.fullmatch(rest)
    if not targets or (card == RECRUIT) != bool(targets[3]):
        return None
    tile = _tile(targets, 1)
    if card == RECRUIT:
        return RECRUITS + tile * 15 + _tile(targets, 3)
    return (BOULDERS if card == BOULDER else FREEZES) + tile


def _why_unreadable(text: str) -> str:
    effect = _EFFECT.fullmatch(text)
    if effect:
        usage = {
            "boulder": "BOULDER needs one tile: `BOULDER(D2)`",
            "freeze": "FREEZE needs one tile: `FREEZE(B1)`",
            "recruit": "RECRUIT needs two tiles: `RECRUIT(A3→B1)`",
        }
        return usage.get(effect[1], f"write `{effect[1].upper()}` alone")
    name = re.split(r"[@!>:(#]|\s(?:at|on|to)\s|\s[a-e]\s?\d$", text)[0].strip()
    if name == "hop":
        return "write a hop as `hop→E3` or `hop: stay`"
    if _BY_PLAIN.get(plain(name), 0) > 46:
        return f"{name.upper()} is an effect; write like {EXAMPLES}"
    if plain(name) in _BY_PLAIN:
        return f"write {NAMES[_BY_PLAIN[plain(name)]]} with a tile A1-E3, like `Pengu@C2`"
    close = get_close_matches(plain(name), _BY_PLAIN, 1) if len(name) < 30 else []
    if close:
        return f"no such card; did you mean {NAMES[_BY_PLAIN[close[0]]]}?"
    if _CARD.fullmatch(text):
        return "no card has that name; get_cards lists them"
    return f"that is not one move; write like {EXAMPLES}"


def _why_illegal(position: Position, move: Move) -> str:
    """Return why a move is not legal here, in the words of the rule it breaks."""
    decoded = MOVES[move]
    hand = position.hands[position.seat]
    if decoded.kind in (HOP, STAY):
        return _why_no_hop(position, decoded.tile)
    if position.hop >= 0:
        return f"the hop from {TILES[position.hop]} must be decided first"
    if decoded.card not in hand:
        return f"{NAMES[decoded.card]} is not in your hand"
    tile = TILES[decoded.tile]
    piece = position.board[decoded.tile]
    if decoded.kind == PLACE:
        overrun = OVERRUNS[decoded.card] + decoded.tile
        if decoded.tile in ZONES and overrun in position.legal_moves():
            return f"{tile} is not empty; to play on top write {NAMES[decoded.card]}!{tile}"
        return f"{tile} is not empty"
    if decoded.kind == OVERRUN:
        return _why_no_overrun(position, decoded.card, decoded.tile)
    if decoded.card == FLIP:
        return "FLIP needs a card on the board"
    if decoded.card == SWAP:
        return "SWAP needs a card in either hand"
    if not piece:
        return f"{tile} holds no card"
    if decoded.card == FREEZE and piece >> 6 != position.seat:
        return f"{tile} is not your card"
    if decoded.card == RECRUIT and piece >> 6 == position.seat:
        return f"{tile} is your own card"
    if position.frozen >> decoded.tile & 1:
        return f"{tile} is frozen"
    return f"{TILES[decoded.to]} is not empty"


def _why_no_hop(position: Position, tile: int) -> str:
    if position.hop < 0:
        return "no hop is on offer"
    piece = position.chess[position.hop]
    start = TILES[position.hop]
    if position.board[tile]:
        return f"{TILES[tile]} is not empty"
    if any(tile in line for line in LINES[piece][position.hop]):
        return f"the {PIECES[piece]}'s way from {start} to {TILES[tile]} is blocked"
    return f"a {PIECES[piece]} does not move from {start} to {TILES[tile]}"


def _why_no_overrun(position: Position, card: int, tile: int) -> str:
    piece = position.board[tile]
    name = TILES[tile]
    if not piece:
        return f"{name} is empty; place there with {NAMES[card]}@{name}"
    if not position.mutators:
        return "classic has no overruns"
    if piece >> 6 != position.seat:
        return f"{name} is not your card"
    if position.frozen >> tile & 1:
        return f"{name} is frozen"
    return f"not all four neighbours of {name} are occupied"
