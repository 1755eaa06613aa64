"""The Genesis pack and the profile's days (agentbattle 7), as pure functions."""

from __future__ import annotations

from collections import Counter

import pytest

from smashclash_mcp import Dice
from smashclash_mcp.games.agentbattle.cards import CARDS, NAMES, RARITIES, STARTER
from smashclash_mcp.games.agentbattle.rewards import (
    PACK,
    WEIGHTS,
    collection,
    new_profile,
    open_pack,
    owned_cards,
    reward,
)

DAY = "2026-01-31"


def test_a_new_profile_owns_exactly_one_full_deck() -> None:
    assert collection(new_profile()) == {NAMES[card]: 1 for card in STARTER}
    assert owned_cards(new_profile()) == sorted(STARTER)


def test_a_pack_is_three_different_cards_of_the_set_and_all_can_come() -> None:
    packs = [open_pack(Dice(seed)) for seed in range(2000)]
    assert all(len(pack) == len({*pack}) == PACK for pack in packs)
    assert {card for pack in packs for card in pack} == {card.number for card in CARDS}
    assert open_pack(Dice(7)) == open_pack(Dice(7))


def test_rarer_cards_come_less_often_in_proportion_to_their_weights() -> None:
    first = Counter(CARDS[open_pack(Dice(seed))[0] - 1].rarity for seed in range(20_000))
    sizes = Counter(card.rarity for card in CARDS)
    total = sum(WEIGHTS[rarity] * sizes[rarity] for rarity in RARITIES)
    for rarity in RARITIES:
        expected = WEIGHTS[rarity] * sizes[rarity] / total
        assert first[rarity] / 20_000 == pytest.approx(expected, abs=0.02)
    assert [WEIGHTS[rarity] for rarity in RARITIES] == sorted(WEIGHTS.values(), reverse=True)


def test_a_pack_is_added_and_told_with_what_was_owned_counted_as_a_copy() -> None:
    seen = set[str]()
    for seed in range(200):
        before = new_profile()
        earned = reward(before, DAY, Dice(seed))
        assert earned
        after, text = earned
        assert before == new_profile()  # nothing is changed in place
        pulled = [NAMES[card] for card in open_pack(Dice(seed))]
        assert text.startswith("First win of the day! Genesis pack: ")
        for name in pulled:
            copies = before["cards"].get(name, 0) + 1
            assert after["cards"][name] == copies
            kind = "new" if copies == 1 else "copy 2"
            seen.add(kind)
            assert f"{name} ({CARDS[[c.name for c in CARDS].index(name)].rarity}, {kind})" in text
        assert sum(after["cards"].values()) == sum(before["cards"].values()) + PACK
        assert after["last_reward"] == DAY
    assert seen == {"new", "copy 2"}


def test_a_day_has_one_pack_midnight_brings_another_and_a_clock_set_back_none() -> None:
    earned = reward(new_profile(), DAY, Dice(1))
    assert earned
    profile = earned[0]
    assert reward(profile, DAY, Dice(2)) is None
    assert reward(profile, "2026-01-30", Dice(2)) is None
    assert reward(profile, "2025-12-31", Dice(2)) is None
    following = reward(profile, "2026-02-01", Dice(2))
    assert following
    assert following[0]["last_reward"] == "2026-02-01"
    assert reward(following[0], DAY, Dice(3)) is None


def test_cards_of_another_version_of_the_set_are_kept_but_not_played() -> None:
    profile = {"cards": {"Pi": 2, "Clippy": 1}, "last_reward": ""}
    assert collection(profile) == {"Pi": 2}
    earned = reward(profile, DAY, Dice(1))
    assert earned
    assert earned[0]["cards"]["Clippy"] == 1
