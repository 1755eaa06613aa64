"""The published balance of the card set: of this very card file, and within every limit (9).

The table comes from benchmarks/balance.py, which takes minutes; a small sample of it is played
here, to see that the table is true.
"""

from __future__ import annotations

import hashlib
import json
import re
import subprocess
import sys

import pytest

from smashclash_mcp.games.agentbattle.cards import CARDS, FILES
from smashclash_mcp.games.base import Dice
from smashclash_mcp.players import GreedyPlayer
from tests.faults import ROOT

from .build import GAME, bare

PUBLISHED = (ROOT / "docs" / "agentbattle-balance.md").read_text("utf-8")
NUMBER = r"(\d+\.\d)"


def rows(heading: str) -> dict[str, list[str]]:
    """Return the table under a heading of the published page, by its first column."""
    assert f"\n{heading}" in PUBLISHED
    part = heading * heading.startswith("|") + PUBLISHED.partition(f"\n{heading}")[2]
    table = re.search(r"(?:^\|.*\n)+", part, re.MULTILINE)
    assert table, heading
    lines = [line.strip("|\n ").split(" | ") for line in table[0].splitlines()[2:]]
    return {line[0]: line[1:] for line in lines}


def percents(text: str) -> list[float]:
    return [float(number) for number in re.findall(r"\d+\.\d", text)]


def test_the_published_table_keeps_every_limit() -> None:
    digest = hashlib.sha256(FILES.joinpath("cards.toml").read_bytes()).hexdigest()
    assert f"cards.toml sha256 {digest[:16]}\n" in PUBLISHED, "run benchmarks/balance.py again"
    limits = rows("20000 matches, 2000 for each class")
    found = {name: percents(values[0]) for name, values in limits.items()}
    assert {values[1] for values in limits.values()} == {"ok"}
    assert found["core kills decide >= 35 % of matches"][0] >= 35
    assert found["draws <= 4 %"][0] <= 4
    assert 45 <= found["seat A wins 45-57 %"][0] <= 57
    for what, low, high in (
        ("every card 44-56 %", 44, 56),
        ("every class's mean 47-53 %", 47, 53),
        ("every rarity's mean 47-53 %", 47, 53),
    ):
        least, most = found[what]
        assert low <= least <= most <= high
    assert found["no deck with every card of a class above 62 %"][0] <= 62


def test_the_tables_of_cards_agree_with_the_limits_and_the_set() -> None:
    cards = rows("| card |")
    assert list(cards) == [card.name for card in CARDS]
    for card in CARDS:
        klass, body, ability, wins = cards[card.name]
        assert (klass, body) == (card.klass, f"{card.attack}/{card.health}")
        assert ability == card.ability.text()
        assert 44 <= percents(wins)[0] <= 56
    for heading, values in (("| class |", 7), ("| rarity |", 4)):
        table = rows(heading)
        assert len(table) == values
        assert all(47 <= percents(row[0])[0] <= 53 for row in table.values())
    assert all(percents(row[1])[0] <= 62 for row in rows("| class |").values())


def test_the_hard_opponents_totals_agree_within_their_intervals() -> None:
    table = rows("`hard` against itself, 400 matches")
    digest = hashlib.sha256(FILES.joinpath("cards.toml").read_bytes()).hexdigest()
    assert digest[:16] in PUBLISHED
    assert list(table) == ["core kills", "draws", "seat A"]
    assert all(row[2] == "ok" for row in table.values())
    (kills, near_kills), (draws, near_draws), (a_wins, near_a) = (
        percents(row[1]) for row in table.values()
    )
    assert kills + near_kills >= 35
    assert draws - near_draws <= 4
    assert a_wins + near_a >= 45
    assert a_wins - near_a <= 57


def test_the_frontier_is_published_and_the_set_beyond_it() -> None:
    digest = hashlib.sha256(FILES.joinpath("cards.toml").read_bytes()).hexdigest()
    assert digest[:16] in PUBLISHED
    table = rows("300 random sets, 400 matches each")
    (name,) = [name for name in table if name.startswith("the set: ")]
    ours = int(table[name][1].split()[0])
    kills = int(re.findall(r"\d+", name)[0])
    band = f"{kills // 10 * 10}-{kills // 10 * 10 + 10} %"
    assert ours < int(table[band][1].split()[0])  # below the lowest share of A at as many kills
    assert int(table[name][4]) < int(table[band][4])


def test_a_small_sample_agrees_with_the_published_totals() -> None:
    command = [sys.executable, str(ROOT / "benchmarks" / "balance.py"), "--brief"]
    command += ["--matches", "600", "--mono", "0", "--hard", "0", "--seed", "77"]
    found = json.loads(subprocess.run(command, check=True, capture_output=True).stdout)
    limits = rows("20000 matches, 2000 for each class")
    for key, name, near in (
        ("kills", "core kills decide >= 35 % of matches", 8),
        ("draws", "draws <= 4 %", 4),
        ("a", "seat A wins 45-57 %", 8),
    ):
        assert 100 * found[key] == pytest.approx(percents(limits[name][0])[0], abs=near)


def test_with_class_traits_alone_the_set_would_miss_its_limits() -> None:
    matches, kills, draws = 200, 0, 0
    player = GreedyPlayer()
    with bare():
        for seed in range(matches):
            dice = Dice(seed)
            at = GAME.new("all_cards", dice)
            own = dice.derive("players")
            while at.to_move is not None:
                at.play(player.choose(at.view(at.to_move), own), dice)
            outcome = at.outcome()
            assert outcome
            kills += outcome.reason == "core destroyed"
            draws += outcome.winner is None
    assert kills < 0.35 * matches
    assert draws > 0.04 * matches
