"""What a model sees: the state block, the factored legal moves, and cards as lines.

Design section 4. Everything is printed from a view's blanked position, in ASCII but for `→`.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, cast

from ..base import PASS, SEAT_NAMES, STOPS, Move, Played, Seat, stop_text
from .board import PIECES, TILES
from .cards import COLOUR, IDS, NAMES, RECRUIT, SIDES
from .evaluate import takes
from .moves import EFFECT, HOP, MOVES, OVERRUN, PLACE, STAY

if TYPE_CHECKING:
    from .position import Position
    from .view import View


def block(view: View, title: str, *, legend: bool, hints: bool) -> str:
    """Return the state block: header, board, hand, legal moves, what happened last."""
    lines = [f"{title} {_header(view)}" if title else _header(view)]
    if legend:
        lines.append(_legend(view))
    lines += _board(view)
    if view.seat is not None and view.to_move is not None:
        lines.append(f"Hand: {_hand(view.shown, view.seat)}")
    outcome = view.outcome()
    if outcome:
        lines.append(f"Result: {outcome}.")
    elif view.to_move == view.seat:
        lines.append(legal(view))
        if hints:
            lines.append(hints_text(view))
    if view.recent:
        lines.append("Last: " + "; ".join(map(told, view.recent)))
    return "\n".join(lines)


def _header(view: View) -> str:
    shown = view.shown
    ruleset = "mutators" if shown.mutators else "classic"
    parts: list[str] = []
    if view.to_move is None:
        count = shown.ply - (shown.reason in STOPS.values())
        parts.append(f"{ruleset}, over after {count} move{'s' * (count != 1)}.")
    else:
        parts.append(f"{ruleset}, move {shown.ply + 1}.")
    a, b = shown.score()
    if view.seat is None:
        if view.to_move is not None:
            parts.append(f"{SEAT_NAMES[view.to_move]} to {_to_do(shown)}.")
        parts.append(f"A {a}, B {b}.")
        holds = [f"{SEAT_NAMES[seat]} holds {_other_hand(shown, seat)}." for seat in (0, 1)]
    else:
        other = 1 - view.seat
        if view.to_move is None:
            parts.append(f"You were {SEAT_NAMES[view.seat]}.")
        elif view.to_move == view.seat:
            parts.append(f"You are {SEAT_NAMES[view.seat]}, to {_to_do(shown)}.")
        else:
            to_do = f"{SEAT_NAMES[view.to_move]} to {_to_do(shown)}"
            parts.append(f"You are {SEAT_NAMES[view.seat]}; {to_do}.")
        own, theirs = (a, b) if view.seat == 0 else (b, a)
        parts.append(f"You {own}, {SEAT_NAMES[other]} {theirs}.")
        holds = [f"{SEAT_NAMES[other]} holds {_other_hand(shown, other)}."]
    if view.to_move is not None:
        parts.append(f"Deck {len(shown.deck) - shown.top}.")
        parts += holds
        if view.gone:
            parts.append(f"Gone: {', '.join(NAMES[card] for card in view.gone)}.")
    return " ".join(parts)


def _to_do(shown: Position) -> str:
    if shown.hop < 0:
        return "move"
    return f"hop {NAMES[shown.board[shown.hop] & 63]} from {TILES[shown.hop]}, or stay"


def _other_hand(shown: Position, seat: Seat) -> str:
    hand = shown.hands[seat]
    known = [NAMES[card] for card in hand if card]
    if not known:
        return str(len(hand))
    unknown = len(hand) - len(known)
    return f"{len(hand)}: {', '.join(known)}" + (f", {unknown} unknown" if unknown else "")


def _legend(view: View) -> str:
    who = "+ A's, - B's" if view.seat is None else "+ yours, - theirs"
    line = f"{who}, * frozen; sides N/E/S/W, N is up"
    if view.shown.mutators:
        line += "; then any chess tile or power (colour+bonus, this turn only) under it"
    return line + "."


def _board(view: View) -> list[str]:
    own = view.seat or 0
    return [
        " ".join(_cell(view.shown, row * 5 + column, own) for column in range(5))
        for row in (2, 1, 0)
    ]


def _cell(shown: Position, tile: int, own: Seat) -> str:
    piece = shown.board[tile]
    parts = [TILES[tile]]
    if piece:
        mark = "+" if piece >> 6 == own else "-"
        frozen = "*" if shown.frozen >> tile & 1 else ""
        parts.append(f"{mark}{frozen}{NAMES[piece & 63]} {_sides(piece)}")
    if shown.chess[tile]:
        used = " (used)" if shown.used >> tile & 1 else ""
        parts.append(PIECES[shown.chess[tile]] + used)
    parts += [f"{colour}+{bonus}" for place, colour, bonus in shown.power if place == tile]
    return " ".join(parts) if len(parts) > 1 else f"{TILES[tile]} ."


def _sides(piece: int) -> str:
    return "/".join(map(str, SIDES[piece]))


def _hand(shown: Position, seat: Seat) -> str:
    cards: list[str] = []
    for card in shown.hands[seat]:
        if card > 46:
            cards.append(NAMES[card])
        else:
            colour = f" {COLOUR[card]}" if shown.mutators else ""
            cards.append(f"{NAMES[card]} {_sides(card | seat << 6)}{colour}")
    return "; ".join(cards) if cards else "empty"


# --- legal moves -------------------------------------------------------------------------------


def legal(view: View) -> str:
    """Return the legal moves, factored into card lists and tile lists, one kind a line."""
    if view.to_move is None:
        return "No legal moves: the game is over."
    if view.to_move != view.seat:
        return f"No legal moves for you now: {SEAT_NAMES[view.to_move]} is to move."
    factored = factor(view.legal_moves())
    lines: list[str] = []
    if "hop" in factored:
        lines.append(f"hop→{' '.join(factored['hop'])}, or hop: stay")
    if "place" in factored:
        line = f"{', '.join(factored['cards'])} @ any empty"
        if "overrun" in factored:
            line += f", or ! {' '.join(factored['overrun'])}"
        lines.append(line)
    for effect in ("BOULDER", "FREEZE"):
        if effect in factored:
            lines.append(f"{effect}({' '.join(factored[effect])})")
    lines += [effect for effect in ("FLIP", "SWAP") if effect in factored]
    if "RECRUIT" in factored:
        lines.append(f"RECRUIT({' '.join(factored['RECRUIT'])} > any empty)")
    return "Legal: " + "\n".join(lines)


def factor(moves: Sequence[Move]) -> dict[str, list[str]]:
    """Return a legal list as its factors, by kind.

    `cards` go on every tile of `place` and `overrun`; `hop` are destinations, beside staying;
    `BOULDER` and `FREEZE` targets; `RECRUIT` sources, to every tile of `empty`.
    """
    # Values are kept as the keys of dicts: in order, each once.
    factors: dict[str, dict[str, None]] = {}

    def add(kind: str, value: str) -> None:
        factors.setdefault(kind, {})[value] = None

    for move in moves:
        kind, card, tile, to, _ = MOVES[move]
        if kind == PLACE:
            add("cards", NAMES[card])
            add("place", TILES[tile])
        elif kind == OVERRUN:
            add("overrun", TILES[tile])
        elif kind == HOP:
            add("hop", TILES[tile])
        elif kind == EFFECT:
            if tile < 0:
                factors[NAMES[card]] = {}
            else:
                add(NAMES[card], TILES[tile])
            if card == RECRUIT:
                add("empty", TILES[to])
    return {kind: list(values) for kind, values in factors.items()}


def hints_text(view: View) -> str:
    """Return what each placement, overrun or hop on offer would take, those that take a card."""
    by_card: dict[str, list[str]] = {}
    for move in view.legal_moves():
        decoded = MOVES[move]
        if decoded.kind in (EFFECT, STAY):
            continue
        count = len(takes(view.shown, move))
        if count:
            name = NAMES[decoded.card] if decoded.card else "hop"
            sign = "!" if decoded.kind == OVERRUN else ""
            by_card.setdefault(name, []).append(f"{sign}{TILES[decoded.tile]} {count}")
    if not by_card:
        return "Takes: nothing anywhere"
    return "Takes: " + "; ".join(f"{name} {', '.join(at)}" for name, at in by_card.items())


# --- what happened -----------------------------------------------------------------------------


def told(played: Played) -> str:
    """Return one entry of the record and what it did, in a few words."""
    seat = SEAT_NAMES[played.seat]
    if played.name == PASS:
        return f"{seat} passed, no legal move"
    if played.name in STOPS:
        return stop_text(played.name, played.seat)
    line = f"{seat} {played.name}"
    if played.name == "hop: stay":
        return line
    taken = _cards(played, "capture")
    removed = _cards(played, "remove")
    recruited = [NAMES[cast(int, event[4])] for event in played.public if event[0] == "recruit"]
    if recruited:
        line += f" got {recruited[0]},"
    attacked = any(event[0] in ("place", "overrun", "hop", "recruit") for event in played.public)
    if taken or attacked:
        line += f" took {', '.join(taken) or 'nothing'}"
    if removed:
        line += f" removed {', '.join(removed)}"
    return line


def _cards(played: Played, kind: str) -> list[str]:
    return [NAMES[cast(int, event[2])] for event in played.public if event[0] == kind]


# --- cards -------------------------------------------------------------------------------------


def cards(numbers: Iterable[int]) -> str:
    """Return cards as lines: `1 Pengu pink, top 5 right 4 bottom 3 left 2`."""
    lines: list[str] = []
    for number in numbers:
        line = f"{IDS[number]} {NAMES[number]}"
        if number < 47:
            line += f" {COLOUR[number]}, " + " ".join(
                f"{side} {value}"
                for side, value in zip(
                    ("top", "right", "bottom", "left"), SIDES[number], strict=True
                )
            )
        else:
            line += f": {EFFECT_TEXT[NAMES[number]]}"
        lines.append(line)
    return "\n".join(lines)


EFFECT_TEXT = {
    "BOULDER": "remove a non-frozen card and every non-frozen card in its row and column",
    "FLIP": "turn the board 180 degrees; every card changes sides; nothing attacks",
    "FREEZE": "freeze a card of yours for good: nothing takes or removes it, it never attacks",
    "RECRUIT": "take a non-frozen enemy card and place it on an empty tile, where it attacks",
    "SWAP": "exchange hands, then draw up to five",
}
