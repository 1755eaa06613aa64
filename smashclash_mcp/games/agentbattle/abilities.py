"""What printed abilities do: every effect of the vocabulary, interpreted here (agentbattle 6).

Passives are tables by card, read wherever a hit is computed; on-play effects are functions by
name. Hot code: plain loops over the at most three agents of a board.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from ..base import Event, Events, Seat
from . import vocabulary as v
from .cards import BASE, CARDS, CLASS, FULL
from .vocabulary import Ability

if TYPE_CHECKING:
    from .position import Agent, Position

_COUNT = len(CARDS) + 1
ABILITY: list[Ability | None] = [None] * _COUNT
"""The ability of each card."""
AURA = [0] * _COUNT
"""The attack that each card gives to its side's other agents: Orchestrator trait and printed."""
PER: list[tuple[str, int] | None] = [None] * _COUNT
"""`attack_per`: what is counted, and the attack for each."""
FIRST = [0] * _COUNT
"""1 for cards that attack before all others."""
REDUCE = [0] * _COUNT
"""What each card takes off any damage to it, down to 1."""
BONUS = [("", 0)] * _COUNT
"""`bonus_vs`: what is hit, and the damage added."""
IGNORES_TAUNT = [False] * _COUNT


def install(card: int, ability: Ability) -> None:
    """Give a card its ability in every table; done for the whole set when it is loaded."""
    effect, target, n = ability.effect, ability.target, ability.amount
    ABILITY[card] = ability
    AURA[card] = (CLASS[card] == "Orchestrator") + (n if effect == "aura_attack" else 0)
    PER[card] = (target, n) if effect == "attack_per" else None
    FIRST[card] = int(effect == "attacks_first")
    REDUCE[card] = n if effect == "reduce_damage" else 0
    BONUS[card] = (target, n) if effect == "bonus_vs" else ("", 0)
    IGNORES_TAUNT[card] = effect == "ignore_taunt"


for _card in CARDS:
    install(_card.number, _card.ability)


# --- always on ---------------------------------------------------------------------------------


def attack_now(boards: list[list[Agent]], seat: Seat, agent: Agent) -> int:
    """Return an agent's attack at this moment, from the agents that stand (agentbattle 3)."""
    card = agent.card
    attack = BASE[card] + agent.buff
    klass = CLASS[card]
    for other in boards[seat]:
        if other is not agent:
            attack += AURA[other.card]
            if CLASS[other.card] == klass:
                attack += 1
    per = PER[card]
    if per is not None:
        attack += per[1] * _counted(boards, seat, per[0])
    return attack if attack > 0 else 0


def _counted(boards: list[list[Agent]], seat: Seat, what: str) -> int:
    if what == v.ANY_ALLY:
        return len(boards[seat])
    if what == v.DAMAGED_ENEMY:
        return sum(agent.health < FULL[agent.card] for agent in boards[1 - seat])
    return sum(CLASS[agent.card] == what for agent in boards[seat])


def hurt(target: Agent, owner: Seat, damage: int, public: list[Event]) -> int:
    """Damage an agent: reduced, stopped by a shield, or taken (agentbattle 3). Return the loss.

    An agent at 0 health or less is left standing: `clear` takes the fallen away.
    """
    if damage <= 0:
        return 0
    reduce = REDUCE[target.card]
    if reduce:
        damage = damage - reduce if damage > reduce else 1
    if target.shield:
        target.shield = False
        public.append(("shield broken", owner, target.card))
        return 0
    target.health -= damage
    return damage


def clear(position: Position, owner: Seat, public: list[Event]) -> None:
    """Take all agents at 0 health or less off a board, together (agentbattle 4, 6)."""
    board = position.boards[owner]
    fallen = [agent for agent in board if agent.health <= 0]
    if fallen:
        position.boards[owner] = [agent for agent in board if agent.health > 0]
        for agent in fallen:
            position.out[owner].append(agent.card)
            public.append(("out", owner, agent.card))


# --- fired once --------------------------------------------------------------------------------


def most_damaged(board: list[Agent]) -> Agent | None:
    """Return the agent that lacks the most health, the earlier played of equals; None if none."""
    lost = 0
    found = None
    for agent in board:
        if FULL[agent.card] - agent.health > lost:
            lost = FULL[agent.card] - agent.health
            found = agent
    return found


def lowest_health(agents: list[Agent]) -> Agent:
    """Return the agent with the least current health, the earlier played of equals."""
    found = agents[0]
    for agent in agents:
        if agent.health < found.health:
            found = agent
    return found


def targets(position: Position, seat: Seat, agent: Agent, target: str) -> list[Agent]:
    """Return the agents that a target of the vocabulary means now; none: no effect."""
    own, enemies = position.boards[seat], position.boards[1 - seat]
    if target == v.SELF:
        return [agent]
    if target == v.OTHER_ALLIES:
        return [other for other in own if other is not agent]
    if target == v.MOST_DAMAGED_ALLY:
        found = most_damaged(own)
        return [found] if found else []
    if target == v.ALL_ENEMIES or not enemies:
        return enemies
    if target == v.LOWEST_HEALTH_ENEMY:
        return [lowest_health(enemies)]
    if target == v.NEWEST_ENEMY:
        return [enemies[-1]]
    attacks = [attack_now(position.boards, 1 - seat, enemy) for enemy in enemies]
    return [enemies[attacks.index(max(attacks))]]


def fire(position: Position, seat: Seat, agent: Agent, ability: Ability, events: Events) -> None:
    """Apply an on-play ability to all its targets; then the fallen leave, then cores are checked.

    What happened is appended to `events`, `("nothing",)` if nothing did.
    """
    public = events.public
    before = len(public)
    _EFFECTS[ability.effect](position, seat, agent, ability, events)
    if len(public) == before:
        public.append(("nothing",))
    clear(position, 1 - seat, public)
    position.check_cores(public)


def _core_damage(
    position: Position, seat: Seat, agent: Agent, ability: Ability, events: Events
) -> None:
    position.hurt_core(1 - seat, ability.amount, events.public)
    if ability.target == v.BOTH_CORES:
        position.hurt_core(seat, ability.amount, events.public)


def _damage(position: Position, seat: Seat, agent: Agent, ability: Ability, events: Events) -> None:
    public = events.public
    wanted = ability.target or v.ALL_ENEMIES
    for target in list(targets(position, seat, agent, wanted)):
        lost = hurt(target, 1 - seat, ability.amount, public)
        if lost:
            public.append(("damage", 1 - seat, target.card, lost, max(0, target.health)))


def _heal(position: Position, seat: Seat, agent: Agent, ability: Ability, events: Events) -> None:
    if ability.effect == "heal_all":
        healed = position.boards[seat]
    else:
        healed = targets(position, seat, agent, ability.target)
    for target in healed:
        heal(target, seat, ability.amount, events.public)


def heal(target: Agent, owner: Seat, amount: int, public: list[Event]) -> None:
    """Heal an agent, never above its full health (agentbattle 5)."""
    gained = min(amount, FULL[target.card] - target.health)
    if gained > 0:
        target.health += gained
        public.append(("heal", owner, target.card, gained, target.health))


def _heal_core(
    position: Position, seat: Seat, agent: Agent, ability: Ability, events: Events
) -> None:
    gained = min(ability.amount, position.start[seat] - position.cores[seat])
    if gained > 0:
        position.cores[seat] += gained
        events.public.append(("heal core", seat, gained, position.cores[seat]))


def _shield(position: Position, seat: Seat, agent: Agent, ability: Ability, events: Events) -> None:
    for target in targets(position, seat, agent, ability.target):
        target.shield = True
        events.public.append(("shield", seat, target.card))


def _draw(position: Position, seat: Seat, agent: Agent, ability: Ability, events: Events) -> None:
    position.draw(seat, ability.amount, events)


def _buff(position: Position, seat: Seat, agent: Agent, ability: Ability, events: Events) -> None:
    weaken = ability.effect == "weaken"
    change = -ability.amount if weaken else ability.amount
    for target in targets(position, seat, agent, ability.target):
        target.buff += change
        owner = 1 - seat if weaken else seat
        events.public.append(("attack", owner, target.card, change))


def _block(position: Position, seat: Seat, agent: Agent, ability: Ability, events: Events) -> None:
    position.blocks[1 - seat] += ability.amount
    events.public.append(("block", 1 - seat, position.blocks[1 - seat]))


_EFFECTS: dict[str, Callable[[Position, Seat, Agent, Ability, Events], None]] = {
    "core_damage": _core_damage,
    "damage": _damage,
    "damage_all": _damage,
    "heal": _heal,
    "heal_all": _heal,
    "heal_core": _heal_core,
    "shield": _shield,
    "draw": _draw,
    "buff_attack": _buff,
    "weaken": _buff,
    "block_next": _block,
}
