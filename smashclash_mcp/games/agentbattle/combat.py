"""The attacks at the end of a turn: who attacks when, whom, and for how much (agentbattle 2-4)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..base import Event, Seat
from .abilities import BONUS, FIRST, IGNORES_TAUNT, attack_now, clear, hurt, lowest_health
from .cards import CARDS, CLASS, FULL

if TYPE_CHECKING:
    from .position import Agent, Position

_SPEED = (0, *(card.speed for card in CARDS))
_GUARDIAN = tuple(klass == "Guardian" for klass in CLASS)
_REASONER = tuple(klass == "Reasoner" for klass in CLASS)
_MULTIMODAL = tuple(klass == "Multimodal" for klass in CLASS)


def attack_order(board: list[Agent]) -> list[Agent]:
    """Return agents, given as they were played, in the order in which they attack.

    Those that attack first, then by Speed, then the earlier played.
    """
    return sorted(board, key=_haste, reverse=True)  # stable: equals stay as they were played


def _haste(agent: Agent) -> int:
    return FIRST[agent.card] * 1000 + _SPEED[agent.card]


def attack_target(enemies: list[Agent], card: int) -> Agent | None:
    """Return the agent that a card's hit goes to, None for the core (agentbattle 4)."""
    if len(enemies) < 2:
        return enemies[0] if enemies else None
    if not IGNORES_TAUNT[card]:
        guardians = [enemy for enemy in enemies if _GUARDIAN[enemy.card]]
        if guardians:
            return lowest_health(guardians)
    return lowest_health(enemies)


def attack_all(position: Position, seat: Seat, public: list[Event]) -> None:
    """Let a seat's agents that stood when its turn began attack once each, fastest first."""
    turn = position.turn
    ready = [agent for agent in position.boards[seat] if agent.since < turn]
    for agent in attack_order(ready) if len(ready) > 1 else ready:
        halved = _MULTIMODAL[agent.card]
        hit(position, seat, agent, halved, public)
        if halved and not position.reason:
            hit(position, seat, agent, halved, public)
        if position.reason:
            return


def hit(position: Position, seat: Seat, agent: Agent, halved: bool, public: list[Event]) -> None:
    """Hit once: the lowest-health enemy agent that may be hit, or the core (agentbattle 3, 4)."""
    card = agent.card
    damage = attack_now(position.boards, seat, agent)
    if halved:
        damage = (damage + 1) // 2
    bonus_vs, bonus = BONUS[card]
    owner = 1 - seat
    target = attack_target(position.boards[owner], card)
    if target is None:
        if bonus_vs == "core":
            damage += bonus
        left = max(0, position.cores[owner] - damage)
        position.cores[owner] = left
        public.append(("hit", seat, card, owner, 0, damage, left))
        if not left:
            position.check_cores(public)
        return
    if _REASONER[card]:
        damage += 2
    if (bonus_vs == "guardian" and _GUARDIAN[target.card]) or (
        bonus_vs == "damaged" and target.health < FULL[target.card]
    ):
        damage += bonus
    happened: list[Event] = []
    lost = hurt(target, owner, damage, happened)
    public.append(("hit", seat, card, owner, target.card, lost, max(0, target.health)))
    public += happened
    if target.health <= 0:
        clear(position, owner, public)
