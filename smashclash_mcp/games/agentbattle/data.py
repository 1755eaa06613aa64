"""The facts of the state block as JSON values; their shape is data.schema.json."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from ..base import SEAT_NAMES, Seat
from . import tutorial
from .cards import CARDS, FILES, NAMES
from .combat import attack_order
from .moves import MOVE_NAMES
from .state import agent_facts
from .text import hints_text, log, marks

if TYPE_CHECKING:
    from .position import Position
    from .view import View

DATA_SCHEMA: dict[str, Any] = json.loads(
    FILES.joinpath("data.schema.json").read_text(encoding="utf-8")
)


def facts(view: View, *, hints: bool) -> dict[str, Any]:
    """Return the facts of the state block as JSON values; `hints` adds a line."""
    shown = view.shown
    outcome = view.outcome()
    by_seat = {
        "cores": list(shown.cores),
        "boards": [_board(shown, seat) for seat in (0, 1)],
        "hands": [_hand(shown, seat) for seat in (0, 1)],
        "decks": [_deck(view, seat) for seat in (0, 1)],
        "out": [[NAMES[card] for card in cards] for cards in shown.out],
        "blocked": list(shown.blocks),
    }
    values: dict[str, Any] = {
        "ruleset": shown.ruleset,
        "turn": shown.turn,
        "turns": 16,
        "move": shown.ply + 1,
        "you": _seat_name(view.seat),
        "to_move": _seat_name(view.to_move),
        "energy": shown.energy,
        **{key: dict(zip(SEAT_NAMES, pair, strict=True)) for key, pair in by_seat.items()},
        "legal": [MOVE_NAMES[move] for move in view.legal_moves()],
        "last": log(view.recent),
    }
    if shown.lesson and view.legal_moves():
        values["lesson"] = tutorial.lesson(shown.ply)
    if outcome:
        values["result"] = {
            "winner": _seat_name(outcome.winner),
            "reason": outcome.reason,
            "score": dict(zip(SEAT_NAMES, outcome.score, strict=True)),
        }
    if hints and view.legal_moves():
        values["hints"] = hints_text(view)
    return values


def _seat_name(seat: Seat | None) -> str:
    return "" if seat is None else SEAT_NAMES[seat]


def _board(shown: Position, seat: Seat) -> list[dict[str, Any]]:
    """Return a seat's agents in the order they attack."""
    return [
        agent_facts(shown, seat, agent) | {"marks": marks(shown, agent)}
        for agent in attack_order(shown.boards[seat])
    ]


def _hand(shown: Position, seat: Seat) -> dict[str, Any]:
    hand = shown.hands[seat]
    return {"count": len(hand), "known": [_card(card) for card in hand if card]}


def _card(number: int) -> dict[str, Any]:
    card = CARDS[number - 1]
    return {
        "card": card.name,
        "class": card.klass,
        "cost": 2,
        "attack": card.attack,
        "health": card.health,
        "ability": card.ability.text(),
    }


def _deck(view: View, seat: Seat) -> dict[str, Any]:
    known = [NAMES[card] for card in view.own_deck] if seat == view.seat else []
    return {"count": view.shown.deck_size(seat), "known": known}
