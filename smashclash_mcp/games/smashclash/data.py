"""The facts of the state block as JSON values; their shape is data.schema.json."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from ..base import SEAT_NAMES, Seat
from .board import TILES
from .cards import COLOUR, FILES, NAMES, SIDES
from .state import board_facts, chess_tiles
from .text import factor, hints_text, told

if TYPE_CHECKING:
    from .view import View

DATA_SCHEMA: dict[str, Any] = json.loads(
    FILES.joinpath("data.schema.json").read_text(encoding="utf-8")
)


def facts(view: View, *, hints: bool) -> dict[str, Any]:
    """Return the facts of the state block as JSON values; `hints` adds a line."""
    shown = view.shown
    outcome = view.outcome()
    values: dict[str, Any] = {
        "ruleset": "mutators" if shown.mutators else "classic",
        "move": shown.ply + 1,
        "you": _seat_name(view.seat),
        "to_move": _seat_name(view.to_move),
        "score": dict(zip(SEAT_NAMES, shown.score(), strict=True)),
        "deck": len(shown.deck) - shown.top,
        "board": board_facts(shown),
        "chess": chess_tiles(shown),
        "chess_used": [TILES[tile] for tile in range(15) if shown.used >> tile & 1],
        "power": {TILES[t]: {"colour": colour, "bonus": n} for t, colour, n in shown.power},
        "hop": TILES[shown.hop] if shown.hop >= 0 else "",
        "hands": {SEAT_NAMES[seat]: _hand_data(view, seat) for seat in (0, 1)},
        "gone": [NAMES[card] for card in view.gone],
        "legal": factor(view.legal_moves()),
        "last": [told(played) for played in view.recent],
    }
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


def _hand_data(view: View, seat: Seat) -> dict[str, Any]:
    hand = view.shown.hands[seat]
    cards: list[dict[str, Any]] = []
    for card in hand:
        if card > 46:
            cards.append({"card": NAMES[card]})
        elif card:
            cards.append(
                {
                    "card": NAMES[card],
                    "sides": list(SIDES[card | seat << 6]),
                    "colour": COLOUR[card],
                }
            )
    return {"count": len(hand), "known": cards}
