"""What a model sees: the state block, the legal moves, the match log, and cards as lines.

Design section 4. Everything is printed from a view's blanked position, in ASCII.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

from ..base import SEAT_NAMES, STOPS, Dice, Event, Played, Seat, stop_text
from . import tutorial
from .abilities import ABILITY, attack_now
from .cards import CARDS, CLASS, FULL, NAMES, STATS
from .combat import attack_order
from .moves import END_MOVE, MOVE_NAMES

if TYPE_CHECKING:
    from .position import Agent, Position
    from .view import View

LEGEND = (
    "Agents in attack order: name class attack/health (full health if damaged), marks. taunt: hit "
    "first; new: attacks from its next turn on. At most 3 agents a board."
)


def block(view: View, title: str, *, legend: bool, hints: bool) -> str:
    """Return the state block: header, boards, hand, legal moves, what happened last."""
    shown = view.shown
    lines = [f"{title} {_header(view)}" if title else _header(view)]
    if legend:
        lines.append(LEGEND)
    own = view.seat or 0
    for seat in (own, 1 - own):
        whose = "Yours" if seat == view.seat else f"{SEAT_NAMES[seat]}'s"
        lines.append(f"{whose}: {_board(shown, seat)}")
    if view.seat is not None and view.to_move is not None:
        lines.append(f"Hand: {_hand(shown, view.seat)}")
    outcome = view.outcome()
    if outcome:
        lines.append(f"Result: {outcome}.")
    elif view.to_move == view.seat:
        lines.append(legal(view))
        if shown.lesson:
            lines.append(f"Lesson: {tutorial.lesson(shown.ply)}")
        if hints:
            lines.append(hints_text(view))
    if view.recent:
        lines.append("Last:")
        lines += log(view.recent)
    return "\n".join(lines)


def _header(view: View) -> str:
    shown = view.shown
    at = f"move {shown.ply + 1}"
    if view.to_move is None:
        count = shown.ply - (shown.reason in STOPS.values())
        at = f"over after {count} move{'s' * (count != 1)}"
    parts = [f"{shown.ruleset}, turn {shown.turn} of 16, {at}."]
    a, b = shown.cores
    if view.seat is None:
        if view.to_move is not None:
            parts.append(f"{SEAT_NAMES[view.to_move]} to move.")
        parts.append(f"Cores A {a}, B {b}.")
    else:
        you = SEAT_NAMES[view.seat]
        if view.to_move is None:
            parts.append(f"You were {you}.")
        elif view.to_move == view.seat:
            parts.append(f"You are {you}, to move.")
        else:
            parts.append(f"You are {you}; {SEAT_NAMES[view.to_move]} to move.")
        other = SEAT_NAMES[1 - view.seat]
        parts.append(f"Cores you {shown.cores[view.seat]}, {other} {shown.cores[1 - view.seat]}.")
    if view.to_move is not None:
        parts.append(f"Energy {shown.energy}.")
        if view.seat is not None:
            deck = ", ".join(NAMES[card] for card in view.own_deck) or "empty"
            parts.append(f"Your deck (shuffled): {deck}.")
        parts += [_hidden(shown, seat) for seat in (0, 1) if seat != view.seat]
        parts += [_blocked(view, seat) for seat in (0, 1) if shown.blocks[seat]]
    out = [_out(view, seat) for seat in (0, 1) if shown.out[seat]]
    if out:
        parts.append(f"Out: {'; '.join(out)}.")
    return " ".join(parts)


def _hidden(shown: Position, seat: Seat) -> str:
    return f"{SEAT_NAMES[seat]} hand {len(shown.hands[seat])}, deck {shown.deck_size(seat)}."


def _blocked(view: View, seat: Seat) -> str:
    whose = "Your" if seat == view.seat else f"{SEAT_NAMES[seat]}'s"
    count = view.shown.blocks[seat]
    return f"{whose} next {'ability is' if count == 1 else f'{count} abilities are'} blocked."


def _out(view: View, seat: Seat) -> str:
    whose = "yours" if seat == view.seat else f"{SEAT_NAMES[seat]}'s"
    return f"{whose} {', '.join(NAMES[card] for card in view.shown.out[seat])}"


def _board(shown: Position, seat: Seat) -> str:
    agents = attack_order(shown.boards[seat])
    return "; ".join(_agent(shown, seat, agent) for agent in agents) if agents else "none"


def _agent(shown: Position, seat: Seat, agent: Agent) -> str:
    card = agent.card
    full = f"({FULL[card]})" if agent.health < FULL[card] else ""
    attack = attack_now(shown.boards, seat, agent)
    said = f"{NAMES[card]} {CLASS[card]} {attack}/{agent.health}{full}"
    return ", ".join([said, *marks(shown, agent)])


def marks(shown: Position, agent: Agent) -> list[str]:
    """Return what stands beside an agent: taunt, shield, new, and its passive."""
    found: list[str] = []
    if CLASS[agent.card] == "Guardian":
        found.append("taunt")
    if agent.shield:
        found.append("shield")
    ability = ABILITY[agent.card]
    if ability and ability.passive:
        found.append(ability.mark())
    if agent.since == shown.turn:
        found.append("new")
    return found


def _hand(shown: Position, seat: Seat) -> str:
    if not shown.hands[seat]:
        return "empty"
    cards = "; ".join(in_hand(card) for card in shown.hands[seat])
    return f"2 energy each: {cards}"


def in_hand(card: int) -> str:
    """Return a card as it stands in a hand: `Pi Guardian 5/14, heal your core 3`."""
    facts = CARDS[card - 1]
    said = f"{facts.name} {facts.klass} {facts.attack}/{facts.health}"
    return f"{said}, {facts.ability.text()}"


def legal(view: View) -> str:
    """Return the legal moves on one line, or one that says why there are none."""
    if view.to_move is None:
        return "No legal moves: the game is over."
    if view.to_move != view.seat:
        return f"No legal moves for you now: {SEAT_NAMES[view.to_move]} is to move."
    return "Legal: " + ", ".join(MOVE_NAMES[move] for move in view.legal_moves())


def hints_text(view: View) -> str:
    """Return what would be hit by whom if the turn ended now."""
    after = view.shown.copy()
    seat = after.seat
    events = after.play(END_MOVE, Dice(0)).public
    lines = _lines([event for event in events if event[0] not in ("turn", "draw")])
    own = f"{SEAT_NAMES[seat]} "
    return "If you end now: " + ("; ".join(line.removeprefix(own) for line in lines) or "no attack")


# --- the match log -----------------------------------------------------------------------------


def log(entries: Iterable[Played]) -> list[str]:
    """Return entries of the record and all that they did, a short line each."""
    lines: list[str] = []
    for entry in entries:
        if entry.name == "end":
            lines.append(f"{SEAT_NAMES[entry.seat]} end")
        lines += _lines(entry.public)
    return lines


def _lines(events: Sequence[Event]) -> list[str]:
    """Return events as lines; what a trait or an ability did stands on its line."""
    lines: list[str] = []
    joined = False
    turn = ""
    for event in events:
        kind = event[0]
        if turn and kind != "draw":
            lines.append(turn)
        if kind == "turn":
            turn = f"Turn {event[2]}: {_seat(event[1])}"
            continue
        if turn and kind == "draw":
            lines.append(f"{turn} draws {event[2]}")
            turn = ""
            continue
        turn = ""
        text = _told(event)
        if joined and kind in _RESULTS:
            first = lines[-1].endswith(":")
            lines[-1] += f" {text}" if first else f"; {text}"
        else:
            lines.append(text)
            joined = kind in ("trait", "ability")
    if turn:
        lines.append(turn)
    return lines


def _seat(seat: str | int) -> str:
    return SEAT_NAMES[int(seat)]


def _name(seat: str | int, card: str | int) -> str:
    """Return an agent as the log names it, or a seat's core for card 0."""
    return f"{_seat(seat)} {NAMES[int(card)] if card else 'core'}"


def _ability_name(card: str | int) -> str:
    ability = ABILITY[int(card)]
    return ability.name if ability else ""


_RESULTS = frozenset(
    {
        "core",
        "damage",
        "heal",
        "heal core",
        "shield",
        "shield broken",
        "attack",
        "block",
        "draw",
        "nothing",
    }
)
"""Events that belong to the line of the trait or ability before them."""


def _told(event: Event) -> str:
    """Return one event in the words of the log."""
    match event:
        case ("play", s, c):
            return f"{_seat(s)} play {NAMES[int(c)]}"
        case ("trait", s, c):
            return f"{_name(s, c)} trait:"
        case ("ability", s, c):
            return f"{_name(s, c)}, {_ability_name(c)}:"
        case ("blocked", s, c):
            return f"{_name(s, c)}, {_ability_name(c)}: blocked"
        case ("hit", s, c, owner, target, n, left):
            return f"{_name(s, c)} hits {_name(owner, target)} for {n}, {left} left"
        case ("damage", owner, c, n, left):
            return f"{n} to {_name(owner, c)}, {left} left"
        case ("core", s, n, left):
            return f"{n} to {_seat(s)} core, {left} left"
        case ("heal", owner, c, n, now):
            return f"{_name(owner, c)} +{n} health, {now} now"
        case ("heal core", s, n, now):
            return f"{_seat(s)} core +{n}, {now} now"
        case ("shield", owner, c):
            return f"{_name(owner, c)} shield"
        case ("shield broken", owner, c):
            return f"{_name(owner, c)} shield broken"
        case ("attack", owner, c, n):
            return f"{_name(owner, c)} {n:+} attack"
        case ("block", s, n):
            return f"{_seat(s)}'s next {'ability is' if n == 1 else f'{n} abilities are'} blocked"
        case ("draw", s, n):
            return f"{_seat(s)} draws {n}"
        case ("out", owner, c):
            return f"{_name(owner, c)} out"
        case (str(name), int(s)) if name in STOPS:
            return stop_text(name, s)
        case ("end", reason):
            return f"Over: {reason}"
        case _:
            return str(event[0])


# --- cards -------------------------------------------------------------------------------------


def cards(numbers: Iterable[int], owned: Mapping[str, int]) -> str:
    """Return cards as lines: name, class, rarity, attack/health, the stats, the ability.

    With a profile's `owned` cards, how many copies it has stands at the end.
    """
    return "\n".join(_card(number, owned) for number in numbers)


def _card(number: int, owned: Mapping[str, int]) -> str:
    card = CARDS[number - 1]
    ability = card.ability
    kind = "passive" if ability.passive else "on play"
    stats = " ".join(f"{stat[:3]} {value}" for stat, value in zip(STATS, card.stats, strict=True))
    line = (
        f"{card.name}: {card.klass}, {card.rarity}, {card.attack}/{card.health}, {stats}. "
        f"{ability.name} ({kind}): {ability.text()}"
    )
    copies = owned.get(card.name, 0)
    if copies:
        line += " - owned" + (f" x{copies}" if copies > 1 else "")
    return line
