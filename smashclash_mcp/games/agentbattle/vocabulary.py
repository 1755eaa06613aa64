"""The closed vocabulary of printed abilities: what there is, and how it reads (agentbattle 6).

An ability is data. Its text is made from the data, so that what a card says and what it does
cannot disagree.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

CLASSES = (
    "Guardian",
    "Reasoner",
    "Creator",
    "Coder",
    "Researcher",
    "Multimodal",
    "Orchestrator",
)

SELF = "self"
MOST_DAMAGED_ALLY = "most_damaged_ally"
OTHER_ALLIES = "other_allies"
LOWEST_HEALTH_ENEMY = "lowest_health_enemy"
HIGHEST_ATTACK_ENEMY = "highest_attack_enemy"
NEWEST_ENEMY = "newest_enemy"
ALL_ENEMIES = "all_enemies"
ENEMY_CORE = "enemy_core"
BOTH_CORES = "both_cores"

_OWN = (SELF, MOST_DAMAGED_ALLY, OTHER_ALLIES)
_ONE_ENEMY = (LOWEST_HEALTH_ENEMY, HIGHEST_ATTACK_ENEMY, NEWEST_ENEMY)
ANY_ALLY = "any_ally"
DAMAGED_ENEMY = "damaged_enemy"
NO_TARGET = ("",)

ON_PLAY: Mapping[str, tuple[str, ...]] = {
    "core_damage": (ENEMY_CORE, BOTH_CORES),
    "damage": _ONE_ENEMY,
    "damage_all": NO_TARGET,
    "heal": (MOST_DAMAGED_ALLY,),
    "heal_all": NO_TARGET,
    "heal_core": NO_TARGET,
    "shield": _OWN,
    "draw": NO_TARGET,
    "buff_attack": _OWN,
    "weaken": (*_ONE_ENEMY, ALL_ENEMIES),
    "block_next": NO_TARGET,
}
"""Each effect that fires once, with the targets it may name; the first is no default."""
PASSIVE: Mapping[str, tuple[str, ...]] = {
    "attack_per": (*CLASSES, ANY_ALLY, DAMAGED_ENEMY),
    "attacks_first": NO_TARGET,
    "aura_attack": NO_TARGET,
    "reduce_damage": NO_TARGET,
    "bonus_vs": ("guardian", "damaged", "core"),
    "ignore_taunt": NO_TARGET,
}
"""Each effect that is always on while its agent stands, with what it may count or be used on."""
WITHOUT_AMOUNT = frozenset({"shield", "attacks_first", "ignore_taunt"})
MOST = 9
"""The largest amount a card may print."""


@dataclass(frozen=True, slots=True)
class Ability:
    """One printed ability: its name, an effect of the vocabulary, its target and its amount.

    `target` is empty where the effect has none, `amount` 1 where it counts nothing.
    """

    name: str
    effect: str
    target: str = ""
    amount: int = 1

    @property
    def passive(self) -> bool:
        """Whether it is always on, rather than fired once on play."""
        return self.effect in PASSIVE

    def text(self) -> str:
        """Return what it does in a few words, without its name and kind."""
        return _TEXTS[self.effect].format(
            n=self.amount,
            target=_TARGETS.get(self.target, self.target),
            cards="a card" if self.amount == 1 else f"{self.amount} cards",
            abilities="ability" if self.amount == 1 else f"{self.amount} abilities",
        )

    def mark(self) -> str:
        """Return a passive as the few words that stand beside an agent on the board."""
        return _MARKS[self.effect].format(
            n=self.amount, target=_TARGETS.get(self.target, self.target)
        )


def read_ability(data: Mapping[str, Any]) -> Ability:
    """Return the ability of a card's data. Raises ValueError that names the field at fault."""
    unknown = set(data) - {"name", "effect", "target", "amount"}
    if unknown:
        raise ValueError(f"ability.{min(unknown)} is no field of an ability")
    name, effect, target = (data.get(key, "") for key in ("name", "effect", "target"))
    if not isinstance(name, str) or not name.strip():
        raise ValueError("ability.name is a text")
    if not isinstance(effect, str) or effect not in {**ON_PLAY, **PASSIVE}:
        raise ValueError(f"ability.effect is one of {', '.join([*ON_PLAY, *PASSIVE])}")
    targets = {**ON_PLAY, **PASSIVE}[effect]
    if target not in targets:
        wanted = "left out" if targets == NO_TARGET else f"one of {', '.join(targets)}"
        raise ValueError(f"ability.target of {effect} is {wanted}")
    amount = data.get("amount", 1)
    if effect in WITHOUT_AMOUNT and "amount" in data:
        raise ValueError(f"ability.amount of {effect} is left out")
    if type(amount) is not int or not 1 <= amount <= MOST:
        raise ValueError(f"ability.amount is a whole number from 1 to {MOST}")
    return Ability(name, effect, str(target), amount)


_TARGETS = {
    SELF: "itself",
    MOST_DAMAGED_ALLY: "your most damaged agent",
    OTHER_ALLIES: "your other agents",
    LOWEST_HEALTH_ENEMY: "the lowest-health enemy",
    HIGHEST_ATTACK_ENEMY: "the highest-attack enemy",
    NEWEST_ENEMY: "the newest enemy",
    ALL_ENEMIES: "all enemies",
    ENEMY_CORE: "the enemy core",
    BOTH_CORES: "both cores",
    ANY_ALLY: "agent",
    DAMAGED_ENEMY: "damaged enemy",
    "guardian": "Guardians",
    "damaged": "damaged agents",
    "core": "the core",
}
_TEXTS = {
    "core_damage": "{n} damage to {target}",
    "damage": "{n} damage to {target}",
    "damage_all": "{n} damage to all enemies",
    "heal": "heal {target} {n}",
    "heal_all": "heal your agents {n}",
    "heal_core": "heal your core {n}",
    "shield": "shield {target}",
    "draw": "draw {cards}",
    "buff_attack": "+{n} attack for {target}",
    "weaken": "-{n} attack for {target}",
    "block_next": "block the next enemy {abilities}",
    "attack_per": "+{n} attack per {target}",
    "attacks_first": "attacks first",
    "aura_attack": "your others +{n} attack",
    "reduce_damage": "takes {n} less damage",
    "bonus_vs": "+{n} damage to {target}",
    "ignore_taunt": "ignores taunt",
}
_MARKS = _TEXTS | {
    "attacks_first": "first",
    "aura_attack": "others +{n}",
    "reduce_damage": "takes -{n}",
    "bonus_vs": "+{n} to {target}",
    "attack_per": "+{n} per {target}",
}
