"""Reading moves as people and models type them (agentbattle 2).

A text is first read for what it says, whatever the position: one card to play or the end of the
turn, or an error. Only then is it held against the legal list.
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
from . import tutorial
from .cards import BY_PLAIN, NAMES, plain
from .moves import END_MOVE

if TYPE_CHECKING:
    from .position import Position
    from .view import View

MAX_LENGTH = 100
EXAMPLES = "`play Pi` or `end`"

_WRAPPING = " \t\r\n'\"`*.,:?!#_-“”‘’«»()[]"
_QUOTES = re.compile("['\"`*“”‘’«»]")
_DASH = re.compile("[\u2010-\u2015\u2212]")
_END = re.compile(r"(?:end|finish)(?:[ ._-]*(?:my|the))?(?:[ ._-]*turn)?|pass")
_PLAY = re.compile(r"^(?:play|deploy)(?:[\s:>=(.,_-]+|$)")
_SEVERAL = re.compile(r"[;,\n/|&]+|(?:\s(?:or|and|then))+\s")
_WRITTEN = re.compile(r"[a-z0-9 .,:'’_+-]+")
"""What a card's name may be written with; anything more is prose or a mark of another kind."""
_WORDS = max(len(name.split()) for name in NAMES)
"""The most words that a card's name has."""


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
        raise InvalidMoveError(f"a move is at most {MAX_LENGTH} characters; write {EXAMPLES}")
    text = unicodedata.normalize("NFKC", typed).strip(_WRAPPING).lower()
    if any(unicodedata.category(c) == "Cc" and c not in "\t\r\n" for c in text):
        raise InvalidMoveError("a move has no control characters")
    text = _DASH.sub("-", _QUOTES.sub("", text))
    move = _parse_one(text)
    if move is not None:
        return move
    parts = [part.strip(_WRAPPING) for part in _SEVERAL.split(text)]
    if len(parts) > 1 and all(_parse_one(part) is not None for part in parts):
        raise AmbiguousMoveError(
            "that names several moves; name one, or join the moves of one turn by `;`"
        )
    raise InvalidMoveError(_why_unreadable(text))


def _parse_one(text: str) -> Move | None:
    if _END.fullmatch(text):
        return END_MOVE
    name = _card_of(text)
    return BY_PLAIN.get(plain(name)) if _WRITTEN.fullmatch(name) else None


def _card_of(text: str) -> str:
    return _PLAY.sub("", text, count=1).strip(_WRAPPING).replace(" plus", "+")


def _why_unreadable(text: str) -> str:
    name = _card_of(text)
    if not name:
        return f"name the card to play, like {EXAMPLES}" if text else f"write {EXAMPLES}"
    close = get_close_matches(plain(name), BY_PLAIN, 1) if len(name) < 30 else []
    if close:
        return f"no such card; did you mean `play {NAMES[BY_PLAIN[close[0]]]}`?"
    if len(name.split()) <= _WORDS and _WRITTEN.fullmatch(name):
        return f"no card has that name; get_cards lists them. Write {EXAMPLES}"
    return f"that is not one move; write {EXAMPLES}"


def _why_illegal(position: Position, move: Move) -> str:
    """Return why a move is not legal here, in the words of the rule it breaks."""
    if position.lesson:
        return tutorial.not_yet(position.ply)
    name = NAMES[move]
    seat = position.seat
    if any(agent.card == move for agent in position.boards[seat]):
        return f"{name} is on your board already"
    if move in position.out[seat]:
        return f"{name} was knocked out"
    if move not in position.hands[seat]:
        return f"{name} is not in your hand"
    if len(position.boards[seat]) >= 3:
        return "your board is full: 3 agents at most"
    return f"{name} costs 2 energy, you have {position.energy} left this turn: end it"
