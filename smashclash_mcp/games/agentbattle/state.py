"""A position as JSON values for records, and as one line of text that can be read back."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, TypeVar

from ..base import SEAT_NAMES, STOPS, Seat
from .abilities import attack_now
from .cards import BY_PLAIN, CLASS, FULL, NAMES, plain
from .moves import MOVE_NAMES

if TYPE_CHECKING:
    from .position import Agent, Position

P = TypeVar("P", bound="Position")

RULESETS = ("standard", "all_cards")
REASONS = ("", "core destroyed", "turn 16", *STOPS.values())


def snapshot(position: Position) -> dict[str, Any]:
    """Return every fact of a position as JSON values; cards by name, agents as they were played."""
    by_seat = {
        "cores": list(position.cores),
        "hands": [[NAMES[card] for card in hand] for hand in position.hands],
        "decks": [position.deck_size(seat) for seat in (0, 1)],
        "boards": [
            [agent_facts(position, seat, a) for a in position.boards[seat]] for seat in (0, 1)
        ],
        "out": [[NAMES[card] for card in cards] for cards in position.out],
        "blocked": list(position.blocks),
    }
    return {
        "turn": position.turn,
        "to_move": None if position.to_move is None else SEAT_NAMES[position.to_move],
        "energy": position.energy,
        **{key: dict(zip(SEAT_NAMES, values, strict=True)) for key, values in by_seat.items()},
        "legal": [MOVE_NAMES[move] for move in position.legal_moves()],
    }


def agent_facts(position: Position, seat: Seat, agent: Agent) -> dict[str, Any]:
    """Return an agent's facts: attack now, health, its full health, shield, whether it is new."""
    return {
        "card": NAMES[agent.card],
        "class": CLASS[agent.card],
        "attack": attack_now(position.boards, seat, agent),
        "health": agent.health,
        "full_health": FULL[agent.card],
        "shield": agent.shield,
        "new": agent.since == position.turn,
    }


def to_text(position: Position) -> str:
    """Return the position as one line of `field=value`; cards by name in small letters.

    An agent is `card:health:buff:turn it was played`, with `*` for a shield.
    """
    fields: dict[str, object] = {
        "ruleset": position.ruleset,
        "lesson": int(position.lesson),
        "turn": position.turn,
        "ply": position.ply,
        "energy": position.energy,
        "cores": _numbers(position.cores),
        "start": _numbers(position.start),
        "hand_a": _cards(position.hands[0]),
        "hand_b": _cards(position.hands[1]),
        "deck_a": _cards(position.decks[0][position.tops[0] :]),
        "deck_b": _cards(position.decks[1][position.tops[1] :]),
        "board_a": ",".join(map(_agent, position.boards[0])),
        "board_b": ",".join(map(_agent, position.boards[1])),
        "out_a": _cards(position.out[0]),
        "out_b": _cards(position.out[1]),
        "blocks": _numbers(position.blocks),
        "end": position.reason.replace(" ", "_"),
        "loser": SEAT_NAMES[position.loser] if position.loser >= 0 else "",
    }
    return " ".join(f"{name}={value}" for name, value in fields.items())


def _numbers(values: Sequence[int]) -> str:
    return ",".join(map(str, values))


def _cards(cards: Sequence[int]) -> str:
    return ",".join(plain(NAMES[card]) or "?" for card in cards)


def _agent(agent: Agent) -> str:
    shield = "*" if agent.shield else ""
    return f"{plain(NAMES[agent.card])}:{agent.health}:{agent.buff}:{agent.since}{shield}"


def from_text(cls: type[P], agent: type[Agent], text: str) -> P:
    """Read what `to_text` wrote.

    Raises ValueError that names the field at fault: unknown or missing fields, unknown cards,
    impossible numbers, a card in two places of one seat.
    """
    pairs = [part.partition("=") for part in text.split()]
    fields = {name: value for name, _, value in pairs}
    names = [name for name, _, _ in pairs]
    if sorted(names) != sorted(_READERS):
        wrong = sorted({n for n in {*names, *_READERS} if names.count(n) != 1 or n not in _READERS})
        raise ValueError(f"position: fields missing, unknown or twice: {', '.join(wrong)}")
    values: dict[str, Any] = {}
    for name, read in _READERS.items():
        try:
            values[name] = read(fields[name])
        except (ValueError, KeyError, IndexError):
            raise ValueError(f"position: cannot read {name}={fields[name]}") from None
    position = cls.__new__(cls)
    for name in ("ruleset", "lesson", "turn", "ply", "energy", "cores", "blocks", "loser"):
        setattr(position, name, values[name])
    position.start = (values["start"][0], values["start"][1])
    position.hands = [values["hand_a"], values["hand_b"]]
    position.decks = (tuple(values["deck_a"]), tuple(values["deck_b"]))
    position.tops = [0, 0]
    position.out = [values["out_a"], values["out_b"]]
    position.boards = [
        [agent(*facts) for facts in values[board]] for board in ("board_a", "board_b")
    ]
    position.reason = values["end"]
    for seat in (0, 1):
        _check_cards(position, seat)
        if position.cores[seat] > position.start[seat]:
            raise ValueError(f"position: cores: {SEAT_NAMES[seat]} has more than at the start")
    return position


def _check_cards(position: Position, seat: Seat) -> None:
    here = [agent.card for agent in position.boards[seat]]
    here += [*position.hands[seat], *position.decks[seat], *position.out[seat]]
    known = [card for card in here if card]
    if len(set(known)) != len(known) or len(known) != len(here):
        raise ValueError(f"position: {SEAT_NAMES[seat]} has a card in two places, or unknown")


def _items(value: str) -> list[str]:
    return value.split(",") if value else []


def _read_cards(value: str) -> list[int]:
    return [BY_PLAIN[item] for item in _items(value)]


def _read_board(value: str) -> list[tuple[int, int, int, int, bool]]:
    agents: list[tuple[int, int, int, int, bool]] = []
    for item in _items(value):
        name, health, buff, since = item.removesuffix("*").split(":")
        card = BY_PLAIN[name]
        if not 0 < int(health) <= FULL[card] or not 0 < int(since) <= 16:
            raise ValueError(value)
        agents.append((card, int(health), int(since), int(buff), item.endswith("*")))
    if len(agents) > 3:
        raise ValueError(value)
    return agents


def _whole(least: int, most: int) -> Callable[[str], int]:
    def read(value: str) -> int:
        if not value.isascii() or not value.isdigit() or not least <= int(value[:9]) <= most:
            raise ValueError(value)
        return int(value[:9])

    return read


def _two(least: int, most: int) -> Callable[[str], list[int]]:
    def read(value: str) -> list[int]:
        first, second = value.split(",")
        return [_whole(least, most)(first), _whole(least, most)(second)]

    return read


def _one_of(values: Sequence[str]) -> Callable[[str], str]:
    return lambda value: values[values.index(value.replace("_", " "))]


_READERS: dict[str, Callable[[str], Any]] = {
    "ruleset": lambda value: RULESETS[RULESETS.index(value)],
    "lesson": lambda value: bool(_whole(0, 1)(value)),
    "turn": _whole(1, 16),
    "ply": _whole(0, 999_999),
    "energy": _whole(0, 6),
    "cores": _two(0, 99),
    "start": _two(1, 99),
    "hand_a": _read_cards,
    "hand_b": _read_cards,
    "deck_a": _read_cards,
    "deck_b": _read_cards,
    "board_a": _read_board,
    "board_b": _read_board,
    "out_a": _read_cards,
    "out_b": _read_cards,
    "blocks": _two(0, 99),
    "end": _one_of(REASONS),
    "loser": lambda value: SEAT_NAMES.index(value) if value else -1,
}
