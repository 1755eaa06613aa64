"""The card file is checked when it is read: an error names the card and the field at fault."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest

from smashclash_mcp import get_game
from smashclash_mcp.games.agentbattle.cards import CARDS, FILES, NAMES, STARTER, read_cards
from smashclash_mcp.games.agentbattle.vocabulary import ON_PLAY, PASSIVE, Ability

TEXT = FILES.joinpath("cards.toml").read_text(encoding="utf-8")
GAME = get_game("agentbattle")


def card(named: str, **fields: str) -> Callable[[str], str]:
    """Return a change of the card file: fields of one card, written as TOML."""

    def change(text: str) -> str:
        start = text.index(f'name = "{named}"')
        end = text.find("[[card]]", start)
        block = text[start:end] if end > 0 else text[start:]
        for field, value in fields.items():
            key = {"klass": "class"}.get(field, field)
            block, count = re.subn(rf"^{key} = .*$", f"{key} = {value}", block, count=1, flags=re.M)
            assert count == 1, field
        return text[:start] + block + (text[end:] if end > 0 else "")

    return change


def stat(name: str, stat: str, value: str) -> Callable[[str], str]:
    """Return a change of one stat of a card."""

    def change(text: str) -> str:
        start = text.index(f'name = "{name}"')
        changed = re.sub(rf"{stat} = -?\d+", f"{stat} = {value}", text[start:], count=1)
        return text[:start] + changed

    return change


def plain(old: str, new: str) -> Callable[[str], str]:
    """Return a change of one text."""

    def change(text: str) -> str:
        assert old in text
        return text.replace(old, new, 1)

    return change


FAULTS: dict[str, tuple[Callable[[str], str], str]] = {
    "class": (card("Pi", klass='"Poet"'), "Pi: class is one of Guardian, Reasoner"),
    "rarity": (card("Pi", rarity='"mythic"'), "Pi: rarity is one of common, rare"),
    "no stats": (card("Pi", stats="3"), "Pi: stats is missing"),
    "stats out of order": (card("Pi", stats="{ speed = 1 }"), "Pi: stats are reasoning, creativi"),
    "stat too large": (stat("Sora", "knowledge", "101"), "Sora: stats.knowledge is a whole number"),
    "stat below 0": (stat("Sora", "speed", "-1"), "Sora: stats.speed is a whole number from 0"),
    "stat of another kind": (
        stat("Sora", "resilience", '"9"'),
        "Sora: stats.resilience is a whole number",
    ),
    "another total": (stat("Claude", "resilience", "3"), "Claude: stats sum to "),
    "no ability": (card("Pi", ability="1"), "Pi: ability is missing"),
    "a field too many": (plain('name = "Pi"', 'name = "Pi"\ncolour = 1'), "Pi: colour is no field"),
    "an ability field too many": (
        card("Pi", ability='{ name = "X", effect = "draw", amount = 1, range = 2 }'),
        "Pi: ability.range is no field",
    ),
    "no ability name": (
        card("Pi", ability='{ effect = "draw", amount = 1 }'),
        "Pi: ability.name is a text",
    ),
    "unknown effect": (
        card("Pi", ability='{ name = "X", effect = "teleport" }'),
        "Pi: ability.effect is one of core_damage, damage",
    ),
    "unknown target": (
        card("Pi", ability='{ name = "X", effect = "shield", target = "the moon" }'),
        "Pi: ability.target of shield is one of self, most_damaged_ally, other_allies",
    ),
    "no target": (
        card("Pi", ability='{ name = "X", effect = "damage", amount = 2 }'),
        "Pi: ability.target of damage is one of lowest_health_enemy",
    ),
    "a target too many": (
        card("Pi", ability='{ name = "X", effect = "draw", target = "self" }'),
        "Pi: ability.target of draw is left out",
    ),
    "an amount of 0": (
        card("Pi", ability='{ name = "X", effect = "draw", amount = 0 }'),
        "Pi: ability.amount is a whole number from 1 to 9",
    ),
    "an amount that is no number": (
        card("Pi", ability='{ name = "X", effect = "draw", amount = true }'),
        "Pi: ability.amount is a whole number",
    ),
    "an amount of a flag": (
        card("Pi", ability='{ name = "X", effect = "shield", target = "self", amount = 2 }'),
        "Pi: ability.amount of shield is left out",
    ),
    "a name twice": (card("Sora", name='"P.I."'), "P.I.: name is there twice"),
    "a name that is not ASCII": (card("Sora", name='"Söra"'), "name is a short ASCII text"),
    "an ability twice": (
        card("Pi", ability='{ name = "Quick Draw", effect = "draw", amount = 1 }'),
        "ability.name is there twice",
    ),
    "a starter card that is not there": (plain('"Claude", ', '"HAL", '), "starter: names 8"),
    "a starter of 7": (plain('"Claude", ', ""), "starter: names 8 different cards"),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_a_card_file_with_a_fault_is_refused_by_card_and_field(fault: str) -> None:
    change, message = FAULTS[fault]
    changed = change(TEXT)
    assert changed != TEXT
    with pytest.raises(ValueError, match=re.escape(message)):
        read_cards(changed)


def test_a_sum_of_20_modulo_40_is_refused() -> None:
    total = sum(CARDS[0].stats)
    changed = re.sub(
        r"stats = .*",
        f"stats = {{ reasoning = 60, creativity = 40, knowledge = 40, speed = 40, "
        f"resilience = {total - 180} }}",
        TEXT,
        count=1,
    )
    with pytest.raises(ValueError, match=f"{CARDS[0].name}: stats: the first four may not sum"):
        read_cards(changed)


def test_the_file_itself_reads_as_the_set() -> None:
    assert read_cards(TEXT) == (CARDS, STARTER)


@pytest.mark.parametrize("effect", [*ON_PLAY, *PASSIVE])
def test_an_ability_text_has_its_amount_and_its_target(effect: str) -> None:
    texts: set[str] = set()
    for target in {**ON_PLAY, **PASSIVE}[effect]:
        for amount in (1, 2, 7):
            ability = Ability("X", effect, target, amount)
            text = ability.text()
            assert "{" not in text
            assert len(text) <= 48
            assert text.isascii()
            texts.add(text)
            if effect in PASSIVE:
                assert len(ability.mark()) <= len(text)
    amounts = 1 if effect in ("shield", "attacks_first", "ignore_taunt") else 3
    assert len(texts) == amounts * len({**ON_PLAY, **PASSIVE}[effect])  # no two read alike


def test_a_cards_line_has_its_facts_and_the_generated_text() -> None:
    lines = GAME.cards().splitlines()
    assert len(lines) == len(CARDS)
    for line, facts in zip(lines, CARDS, strict=True):
        assert line.startswith(f"{facts.name}: {facts.klass}, {facts.rarity}, ")
        assert f", {facts.attack}/{facts.health}, " in line
        kind = "passive" if facts.ability.passive else "on play"
        assert line.endswith(f"{facts.ability.name} ({kind}): {facts.ability.text()}")


def test_cards_come_by_name_and_mark_what_a_profile_owns() -> None:
    assert GAME.cards(["gemini  flash"]).startswith("Gemini Flash: ")
    with pytest.raises(ValueError, match=r"no card is called 'Clade'; did you mean Claude\?"):
        GAME.cards(["Clade"])
    with pytest.raises(ValueError, match=r"no card is called 'zzzz'$"):
        GAME.cards(["zzzz"])
    profile = {"cards": {"Pi": 1, "Sora": 3, "Claude": 0, "Gone from the set": 2}}
    lines = GAME.cards((), profile).splitlines()
    owned = {line.split(":")[0]: line.partition(" - ")[2] for line in lines if " - " in line}
    assert owned == {"Pi": "owned", "Sora": "owned x3"}
    assert len(NAMES) == len(CARDS) + 1
