"""Matches by hand, for tests, told from the seat to move: `position(own=["Pi 7*"], hand="Claude")`.

An agent is `NAME`, then in any order its health (`7`), `@5` for an attack of 5 before synergy and
auras, `*` for a shield, `new`. Without them it stands unhurt, with its base attack, since an
earlier turn. `bare` takes every printed ability off, `give` prints one for a test.
"""

from __future__ import annotations

import re
from collections.abc import Generator, Sequence
from contextlib import contextmanager

from smashclash_mcp import Dice
from smashclash_mcp.games.agentbattle import AgentBattle, Position, abilities, text
from smashclash_mcp.games.agentbattle.abilities import attack_now
from smashclash_mcp.games.agentbattle.cards import BASE, FULL, NAMES, NUMBERS, plain
from smashclash_mcp.games.agentbattle.moves import MOVES_BY_NAME
from smashclash_mcp.games.agentbattle.vocabulary import Ability
from smashclash_mcp.games.base import SEAT_NAMES, Played, Seat

GAME = AgentBattle()
_AGENT = re.compile(r"(.+?)((?: \d+| @-?\d+| new|\*)*)")


def position(
    own: Sequence[str] = (),
    enemy: Sequence[str] = (),
    *,
    seat: Seat = 0,
    hand: str = "",
    enemy_hand: str = "",
    deck: str = "",
    enemy_deck: str = "",
    cores: tuple[int, int] = (30, 30),
    start: tuple[int, int] = (30, 30),
    turn: int = 7,
    energy: int = 6,
    blocks: tuple[int, int] = (0, 0),
) -> Position:
    """Return a match in which `seat` is to move in the turn after `turn` - 1, an odd number.

    Pairs are (own, enemy). Hands and decks are card names by commas, decks from the top.
    """
    turn += seat
    fields: dict[str, object] = {
        "ruleset": "all_cards",
        "lesson": 0,
        "turn": turn,
        "ply": 0,
        "energy": energy,
        "cores": _pair(cores, seat),
        "start": _pair(start, seat),
        "blocks": _pair(blocks, seat),
        "end": "",
        "loser": "",
    }
    for owner, agents, in_hand, rest in (
        (seat, own, hand, deck),
        (1 - seat, enemy, enemy_hand, enemy_deck),
    ):
        side = SEAT_NAMES[owner].lower()
        fields[f"board_{side}"] = ",".join(_agent(agent, turn) for agent in agents)
        fields[f"hand_{side}"] = _cards(in_hand)
        fields[f"deck_{side}"] = _cards(rest)
        fields[f"out_{side}"] = ""
    return Position.from_text(" ".join(f"{name}={value}" for name, value in fields.items()))


def _pair(values: tuple[int, int], seat: Seat) -> str:
    return ",".join(map(str, values if seat == 0 else values[::-1]))


def _cards(names: str) -> str:
    return ",".join(plain(name) for name in names.split(",") if name)


def _agent(described: str, turn: int) -> str:
    found = _AGENT.fullmatch(described)
    assert found, described
    card, marks = NUMBERS[found[1]], found[2].replace("*", " *").split()
    health = next((mark for mark in marks if mark.isdigit()), FULL[card])
    attack = next((int(mark[1:]) for mark in marks if mark[0] == "@"), BASE[card])
    since = turn if "new" in marks else turn - 2
    shield = "*" if "*" in marks else ""
    return f"{plain(found[1])}:{health}:{attack - BASE[card]}:{since}{shield}"


def play(at: Position, *moves: str) -> list[str]:
    """Play moves by their canonical names; return the lines of the match log."""
    lines: list[str] = []
    for name in moves:
        move = MOVES_BY_NAME[name]
        assert move in at.legal_moves(), f"{name} is not legal"
        entry = Played(at.ply + 1, at.seat, name, tuple(at.play(move, Dice(0)).public))
        lines += text.log([entry])
    return lines


def board(at: Position, seat: Seat) -> dict[str, int]:
    """Return the health of each agent of a seat by its name, the earlier played first."""
    return {NAMES[agent.card]: agent.health for agent in at.boards[seat]}


def attacks(at: Position, seat: Seat) -> dict[str, int]:
    """Return the attack now of each agent of a seat by its name."""
    boards = at.boards
    return {NAMES[agent.card]: attack_now(boards, seat, agent) for agent in boards[seat]}


def shields(at: Position, seat: Seat) -> list[str]:
    """Return the agents of a seat that have a shield."""
    return [NAMES[agent.card] for agent in at.boards[seat] if agent.shield]


def hand(at: Position, seat: Seat) -> list[str]:
    """Return the cards in a seat's hand."""
    return [NAMES[card] for card in at.hands[seat]]


def health(name: str) -> int:
    """Return the health a card enters with."""
    return FULL[NUMBERS[name]]


def attack(name: str) -> int:
    """Return a card's base attack."""
    return BASE[NUMBERS[name]]


def give(name: str, effect: str, target: str = "", amount: int = 1) -> None:
    """Print an ability on a card; to be used within `bare`."""
    abilities.install(NUMBERS[name], Ability(f"Test of {name}", effect, target, amount))


@contextmanager
def bare() -> Generator[None]:
    """Take every printed ability off the cards for a while; class traits stay."""
    tables: list[list[object]] = [
        abilities.ABILITY,
        abilities.AURA,
        abilities.PER,
        abilities.FIRST,
        abilities.REDUCE,
        abilities.BONUS,
        abilities.IGNORES_TAUNT,
    ]  # type: ignore[assignment]
    kept = [table.copy() for table in tables]
    for card in NUMBERS.values():
        abilities.install(card, Ability("none", "heal_core"))
        abilities.ABILITY[card] = None
    try:
        yield
    finally:
        for table, values in zip(tables, kept, strict=True):
            table[:] = values
