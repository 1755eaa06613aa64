"""One case for every effect and target of the closed vocabulary, from both seats (section 6).

`CASES` is held against the vocabulary: a new effect or target without a case fails.
"""

from __future__ import annotations

from collections.abc import Callable

import pytest

from smashclash_mcp.games.agentbattle import Position
from smashclash_mcp.games.agentbattle.vocabulary import CLASSES, ON_PLAY, PASSIVE
from smashclash_mcp.games.base import Seat

from .build import attack, attacks, bare, board, give, hand, health, play, position, shields

Case = Callable[[Seat], None]
CASES: dict[tuple[str, str], Case] = {}
PLAYED = "Runway"
"""A Creator plays the abilities, as its trait touches only the enemy core."""
TRAIT = 2
ONE_CLASS = ("Midjourney", "DALL-E", "Suno")


def case(effect: str, target: str = "") -> Callable[[Case], Case]:
    """Register the case of an effect and its target."""

    def register(test: Case) -> Case:
        assert (effect, target) not in CASES
        CASES[effect, target] = test
        return test

    return register


@pytest.mark.parametrize("key", CASES_KEYS := [
    (effect, target) for effect, targets in {**ON_PLAY, **PASSIVE}.items() for target in targets
], ids=lambda key: " ".join(key).strip())  # fmt: skip
def test_each_effect_on_each_target(key: tuple[str, str], seat: Seat) -> None:
    with bare():
        CASES[key](seat)


def test_no_case_is_of_an_effect_that_does_not_exist() -> None:
    assert set(CASES) == set(CASES_KEYS)


def played(seat: Seat, effect: str, target: str = "", amount: int = 1, **sides: object) -> Position:
    """Return the match after the test's card with this ability has been played."""
    give(PLAYED, effect, target, amount)
    at = position(seat=seat, hand=PLAYED, **sides)  # type: ignore[arg-type]
    play(at, f"play {PLAYED}")
    return at


# --- on play -----------------------------------------------------------------------------------


@case("core_damage", "enemy_core")
def enemy_core(seat: Seat) -> None:
    at = played(seat, "core_damage", "enemy_core", 3)
    assert (at.cores[seat], at.cores[1 - seat]) == (30, 30 - TRAIT - 3)


@case("core_damage", "both_cores")
def both_cores(seat: Seat) -> None:
    at = played(seat, "core_damage", "both_cores", 3)
    assert (at.cores[seat], at.cores[1 - seat]) == (27, 30 - TRAIT - 3)


@case("damage", "lowest_health_enemy")
def damage_lowest(seat: Seat) -> None:
    at = played(seat, "damage", "lowest_health_enemy", 4, enemy=["Pi 9", "Suno 5", "Grok 5"])
    assert board(at, 1 - seat) == {"Pi": 9, "Suno": 1, "Grok": 5}  # no taunt; the earlier played


@case("damage", "highest_attack_enemy")
def damage_strongest(seat: Seat) -> None:
    at = played(
        seat, "damage", "highest_attack_enemy", 4, enemy=["Grok @3 7", "Suno @6 7", "Pi @6 7"]
    )
    assert board(at, 1 - seat) == {"Grok": 7, "Suno": 3, "Pi": 7}


@case("damage", "newest_enemy")
def damage_newest(seat: Seat) -> None:
    at = played(seat, "damage", "newest_enemy", 4, enemy=["Grok 1", "Pi 9"])
    assert board(at, 1 - seat) == {"Grok": 1, "Pi": 5}


@case("damage_all")
def damage_all(seat: Seat) -> None:
    at = played(seat, "damage_all", "", 2, own=["Suno 2"], enemy=["Grok 2", "Pi 9", "QwQ 3*"])
    assert board(at, 1 - seat) == {"Pi": 7, "QwQ": 3}
    assert shields(at, 1 - seat) == []
    assert board(at, seat)["Suno"] == 2


@case("heal", "most_damaged_ally")
def heal_one(seat: Seat) -> None:
    own = [f"Pi {health('Pi') - 5}", f"Suno {health('Suno') - 5}"]
    at = played(seat, "heal", "most_damaged_ally", 3, own=own)
    assert board(at, seat)["Pi"] == health("Pi") - 2
    assert board(at, seat)["Suno"] == health("Suno") - 5


@case("heal_all")
def heal_all(seat: Seat) -> None:
    own = [f"Pi {health('Pi') - 5}", f"Suno {health('Suno') - 1}"]
    at = played(seat, "heal_all", "", 3, own=own, enemy=["Claude 3"])
    assert board(at, seat) == {
        "Pi": health("Pi") - 2,
        "Suno": health("Suno"),
        PLAYED: health(PLAYED),
    }
    assert board(at, 1 - seat) == {"Claude": 3}


@case("heal_core")
def heal_core(seat: Seat) -> None:
    assert played(seat, "heal_core", "", 3, cores=(20, 20)).cores[seat] == 23
    assert played(seat, "heal_core", "", 3, cores=(28, 20)).cores[seat] == 30
    assert played(seat, "heal_core", "", 3, cores=(19, 20), start=(20, 30)).cores[seat] == 20


@case("shield", "self")
def shield_self(seat: Seat) -> None:
    at = played(seat, "shield", "self", own=["Pi"], enemy=["Claude"])
    assert (shields(at, seat), shields(at, 1 - seat)) == ([PLAYED], [])


@case("shield", "most_damaged_ally")
def shield_damaged(seat: Seat) -> None:
    at = played(seat, "shield", "most_damaged_ally", own=["Pi", "Suno 1"])
    assert shields(at, seat) == ["Suno"]


@case("shield", "other_allies")
def shield_others(seat: Seat) -> None:
    at = played(seat, "shield", "other_allies", own=["Pi", "Suno"], enemy=["Claude"])
    assert (shields(at, seat), shields(at, 1 - seat)) == (["Pi", "Suno"], [])


@case("draw")
def draw(seat: Seat) -> None:
    at = played(seat, "draw", "", 2, deck="Pi,Suno,Grok")
    assert (hand(at, seat), at.deck_size(seat)) == (["Pi", "Suno"], 1)
    assert hand(played(seat, "draw", "", 2, deck="Pi"), seat) == ["Pi"]


@case("buff_attack", "self")
def buff_self(seat: Seat) -> None:
    at = played(seat, "buff_attack", "self", 2, own=["Pi @5"])
    assert attacks(at, seat) == {"Pi": 5, PLAYED: attack(PLAYED) + 2}


@case("buff_attack", "most_damaged_ally")
def buff_damaged(seat: Seat) -> None:
    at = played(seat, "buff_attack", "most_damaged_ally", 2, own=["Pi @5", "Grok 1 @5"])
    assert attacks(at, seat) == {"Pi": 5, "Grok": 7, PLAYED: attack(PLAYED)}


@case("buff_attack", "other_allies")
def buff_others(seat: Seat) -> None:
    at = played(seat, "buff_attack", "other_allies", 2, own=["Pi @5", "Grok @5"], enemy=["QwQ @5"])
    assert attacks(at, seat) == {"Pi": 7, "Grok": 7, PLAYED: attack(PLAYED)}
    assert attacks(at, 1 - seat) == {"QwQ": 5}


@case("weaken", "lowest_health_enemy")
def weaken_lowest(seat: Seat) -> None:
    at = played(seat, "weaken", "lowest_health_enemy", 2, enemy=["Pi 5 @5", "Grok 4 @5"])
    assert attacks(at, 1 - seat) == {"Pi": 5, "Grok": 3}


@case("weaken", "highest_attack_enemy")
def weaken_strongest(seat: Seat) -> None:
    at = played(seat, "weaken", "highest_attack_enemy", 2, enemy=["Pi @5", "Grok @6", "Suno @6"])
    assert attacks(at, 1 - seat) == {"Pi": 5, "Grok": 4, "Suno": 6}


@case("weaken", "newest_enemy")
def weaken_newest(seat: Seat) -> None:
    at = played(seat, "weaken", "newest_enemy", 2, enemy=["Pi @9", "Grok @1"])
    assert attacks(at, 1 - seat) == {"Pi": 9, "Grok": 0}  # never below 0


@case("weaken", "all_enemies")
def weaken_all(seat: Seat) -> None:
    at = played(seat, "weaken", "all_enemies", 2, own=["Suno @5"], enemy=["Pi @5", "Grok @6"])
    assert attacks(at, 1 - seat) == {"Pi": 3, "Grok": 4}
    assert attacks(at, seat)["Suno"] == 5 + 1  # of another Creator beside it


@case("block_next")
def block(seat: Seat) -> None:
    at = played(seat, "block_next", "", 2, enemy_hand="Midjourney")
    assert (at.blocks[seat], at.blocks[1 - seat]) == (0, 2)
    give("Midjourney", "core_damage", "enemy_core", 9)
    play(at, "end", "play Midjourney")
    assert (at.blocks[1 - seat], at.cores[seat]) == (1, 30 - TRAIT)


# --- passive -----------------------------------------------------------------------------------

OF_CLASS = {
    "Guardian": ("Pi", "Claude"),
    "Reasoner": ("Grok", "QwQ"),
    "Creator": ("Suno", "Runway"),
    "Coder": ("Codestral", "Cursor"),
    "Researcher": ("Elicit", "Consensus"),
    "Multimodal": ("GPT-4o", "LLaVA"),
    "Orchestrator": ("Siri", "Manus"),
}


def per_class(klass: str) -> Case:
    """Return the case of `attack_per` a class: it counts the agent itself where it fits."""

    def test(seat: Seat) -> None:
        counting, other = OF_CLASS[klass]
        beside = 1 + (klass == "Orchestrator")  # synergy, and an Orchestrator's aura
        give(counting, "attack_per", klass, 2)
        assert attacks(position([f"{counting} @3"], seat=seat), seat) == {counting: 3 + 2}
        at = position([f"{counting} @3", other], [other], seat=seat)
        assert attacks(at, seat)[counting] == 3 + beside + 2 * 2
        outsider = "Pi" if klass != "Guardian" else "Suno"
        give(outsider, "attack_per", klass, 2)
        at = position([f"{outsider} @3", other], seat=seat)
        assert attacks(at, seat)[outsider] == 3 + 2 + (klass == "Orchestrator")

    return test


for _klass in CLASSES:
    case("attack_per", _klass)(per_class(_klass))


@case("attack_per", "any_ally")
def per_ally(seat: Seat) -> None:
    give("Pi", "attack_per", "any_ally", 2)
    at = position(["Pi @3", "Suno", "Grok"], ["QwQ"], seat=seat)
    assert attacks(at, seat)["Pi"] == 3 + 3 * 2


@case("attack_per", "damaged_enemy")
def per_damaged(seat: Seat) -> None:
    give("Pi", "attack_per", "damaged_enemy", 2)
    at = position(["Pi @3", "Suno 1"], ["Grok 1", "QwQ", "Claude 2"], seat=seat)
    assert attacks(at, seat)["Pi"] == 3 + 2 * 2


@case("attacks_first")
def first(seat: Seat) -> None:
    give("Pi", "attacks_first")
    at = position(["Runway @1", "Pi @2"], seat=seat)
    hits = [line.split(" hits ")[0] for line in play(at, "end") if " hits " in line]
    assert hits == [f"{'AB'[seat]} Pi", f"{'AB'[seat]} Runway"]


@case("aura_attack")
def aura(seat: Seat) -> None:
    give("Pi", "aura_attack", "", 2)
    at = position(["Pi @3", "Suno @3", "Grok @3"], ["QwQ @3"], seat=seat)
    assert attacks(at, seat) == {"Pi": 3, "Suno": 5, "Grok": 5}
    assert attacks(at, 1 - seat) == {"QwQ": 3}


@case("reduce_damage")
def reduce(seat: Seat) -> None:
    give("Claude", "reduce_damage", "", 2)
    for hit, lost in ((0, 0), (1, 1), (2, 1), (3, 1), (4, 2)):
        at = position([f"Suno @{hit}"], ["Claude"], seat=seat)
        play(at, "end")
        assert board(at, 1 - seat) == {"Claude": health("Claude") - lost}, hit
    at = played(seat, "damage_all", "", 3, enemy=["Claude"])  # every damage, of abilities too
    assert board(at, 1 - seat) == {"Claude": health("Claude") - 1}


def hits(seat: Seat, attacker: str, enemy: list[str]) -> Position:
    """Return the match after one agent's attack."""
    at = position([attacker], enemy, seat=seat)
    play(at, "end")
    return at


@case("bonus_vs", "guardian")
def bonus_guardian(seat: Seat) -> None:
    give("Suno", "bonus_vs", "guardian", 3)
    assert board(hits(seat, "Suno @2", ["Pi"]), 1 - seat) == {"Pi": health("Pi") - 5}
    assert board(hits(seat, "Suno @2", ["Grok 6"]), 1 - seat) == {"Grok": 4}
    assert hits(seat, "Suno @2", []).cores[1 - seat] == 28


@case("bonus_vs", "damaged")
def bonus_damaged(seat: Seat) -> None:
    give("Suno", "bonus_vs", "damaged", 3)
    assert board(hits(seat, "Suno @2", ["Pi 13"]), 1 - seat) == {"Pi": 8}
    assert board(hits(seat, "Suno @2", ["Pi 14"]), 1 - seat) == {"Pi": 12}
    assert hits(seat, "Suno @2", []).cores[1 - seat] == 28


@case("bonus_vs", "core")
def bonus_core(seat: Seat) -> None:
    give("Suno", "bonus_vs", "core", 3)
    assert hits(seat, "Suno @2", []).cores[1 - seat] == 25
    assert board(hits(seat, "Suno @2", ["Pi"]), 1 - seat) == {"Pi": 12}


@case("ignore_taunt")
def ignore_taunt(seat: Seat) -> None:
    give("Suno", "ignore_taunt")
    at = hits(seat, "Suno @2", ["Pi 9", "Grok 4", "QwQ 3"])
    assert board(at, 1 - seat) == {"Pi": 9, "Grok": 4, "QwQ": 1}
    assert board(hits(seat, "Suno @2", ["Grok 4", "Pi 3"]), 1 - seat) == {"Grok": 4, "Pi": 1}


# --- no target: no effect ----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("effect", "target"),
    [
        (effect, target)
        for effect, targets in ON_PLAY.items()
        for target in targets
        if "enem" in target or "all" in target or effect.endswith("_all")
        if target != "enemy_core"
    ],
)
@pytest.mark.usefixtures("bare_cards")
def test_without_a_target_nothing_happens(effect: str, target: str, seat: Seat) -> None:
    give(PLAYED, effect, target)
    at = position(seat=seat, hand=PLAYED)
    log = play(at, f"play {PLAYED}")
    assert log[-1] == f"{'AB'[seat]} {PLAYED}, Test of {PLAYED}: nothing"
    assert (board(at, seat), shields(at, seat)) == ({PLAYED: health(PLAYED)}, [])
    assert attacks(at, seat) == {PLAYED: attack(PLAYED)}
    assert at.cores[seat] == 30
