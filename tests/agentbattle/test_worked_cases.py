"""The worked cases of the contract's section 8, by their numbers, from both seats."""

from __future__ import annotations

import pytest

from smashclash_mcp import Dice
from smashclash_mcp.games.agentbattle import Position
from smashclash_mcp.games.agentbattle.cards import FULL, NUMBERS, base_attack, full_health
from smashclash_mcp.games.base import Seat

from .build import attacks, bare, board, give, hand, health, play, position

REST = ["Claude", "Sora", "Perplexity", "Gemini Flash", "Alexa+", "Suno", "Grok"]


def first_match(first: str, second: str, third: str) -> Position:
    """Return a new match: A draws `first` and `third`, B draws `second`, at the top of the deck."""
    decks = [[first, third, *REST[:6]], [second, *REST]]
    numbers = [tuple(NUMBERS[name] for name in deck) for deck in decks]
    return Position.new("all_cards", (numbers[0], numbers[1]), Dice(0), lesson=True)


def test_case_1_claude_haiku_hits_pi_for_7_in_turn_3() -> None:
    at = first_match("Claude Haiku", "Pi", "Codestral")
    at.lesson = False
    assert (at.turn, at.seat, at.energy) == (1, 0, 2)
    log = play(at, "play Claude Haiku", "end")
    assert not [line for line in log if "hits" in line]
    assert (at.turn, at.seat) == (2, 1)
    log = play(at, "play Pi", "end")
    assert not [line for line in log if "hits" in line]
    assert (at.turn, at.energy, board(at, 1)) == (3, 3, {"Pi": 14})
    log = play(at, "play Codestral", "end")
    assert "A Claude Haiku hits B Pi for 7, 7 left" in log
    assert len([line for line in log if "hits" in line]) == 1
    assert board(at, 1) == {"Pi": 7}


def test_case_1_from_the_other_seat(seat: Seat) -> None:
    at = position(["Claude Haiku"], ["Pi"], seat=seat, hand="Codestral", turn=3, energy=3)
    play(at, "play Codestral", "end")
    assert board(at, 1 - seat) == {"Pi": 7}
    assert at.cores == [30, 30] or at.cores[seat] == 30


@pytest.mark.parametrize(("stats", "attack"), [(179, 4), (180, 5), (219, 5), (220, 6)])
def test_case_2_attack_is_a_fortieth_of_four_stats_half_up(stats: int, attack: int) -> None:
    assert base_attack(stats) == attack


@pytest.mark.parametrize(("resilience", "expected"), [(47, 13), (48, 14), (52, 14), (53, 15)])
def test_case_2_health_is_a_fifth_of_resilience_half_up_and_4(
    resilience: int, expected: int
) -> None:
    assert full_health(resilience) == expected


@pytest.mark.usefixtures("bare_cards")
def test_case_3_three_orchestrators_of_base_5_hit_for_9_each(seat: Seat) -> None:
    at = position(["Alexa+ @5", "AutoGPT @5", "Siri @5"], seat=seat)
    assert attacks(at, seat) == {"Alexa+": 9, "AutoGPT": 9, "Siri": 9}
    play(at, "end")
    assert at.cores[1 - seat] == 30 - 27


@pytest.mark.usefixtures("bare_cards")
def test_case_3_three_multimodals_of_base_5_hit_4_and_4_each(seat: Seat) -> None:
    at = position(["GPT-4o @5", "LLaVA @5", "Pixtral @5"], seat=seat)
    log = play(at, "end")
    hits = [line for line in log if " core for 4, " in line]
    assert len(hits) == 6
    assert at.cores[1 - seat] == 30 - 24


@pytest.mark.usefixtures("bare_cards")
def test_case_4_a_multimodal_into_a_shield_does_0_then_half(seat: Seat) -> None:
    at = position(["GPT-4o @5"], ["Claude*"], seat=seat)
    play(at, "end")
    assert board(at, 1 - seat) == {"Claude": health("Claude") - 3}


@pytest.mark.usefixtures("bare_cards")
def test_case_4_after_the_last_agent_a_multimodals_second_hit_is_at_the_core(seat: Seat) -> None:
    at = position(["GPT-4o @5"], ["Claude 3"], seat=seat)
    play(at, "end")
    assert (board(at, 1 - seat), at.cores[1 - seat]) == ({}, 27)


@pytest.mark.usefixtures("bare_cards")
def test_case_4_a_reasoner_into_the_core_has_no_bonus(seat: Seat) -> None:
    at = position(["Grok @5"], seat=seat)
    play(at, "end")
    assert at.cores[1 - seat] == 25


@pytest.mark.parametrize("amount", [1, 2])
def test_case_5_perplexity_counts_itself_beside_two_researchers(seat: Seat, amount: int) -> None:
    with bare():
        give("Perplexity", "attack_per", "Researcher", amount)
        at = position(["Perplexity @5", "Elicit", "Consensus"], seat=seat)
        assert attacks(at, seat)["Perplexity"] == 5 + 2 + 3 * amount


@pytest.mark.usefixtures("bare_cards")
def test_case_6_a_guardian_at_12_is_hit_before_another_at_1(seat: Seat) -> None:
    at = position(["Runway @5"], ["Midjourney 1", "Pi 12"], seat=seat)
    play(at, "end")
    assert board(at, 1 - seat) == {"Midjourney": 1, "Pi": 7}


def test_case_6_creator_and_scene_weaver_damage_ignores_guardians(seat: Seat) -> None:
    at = position([], ["Pi 12", "Claude"], seat=seat, hand="Sora")
    log = play(at, "play Sora")
    name = "AB"[1 - seat]
    assert log[1].endswith(f" trait: 2 to {name} core, 28 left")
    assert f", Scene Weaver: {28 - at.cores[1 - seat]} to {name} core" in log[2]
    assert at.cores[1 - seat] < 28
    assert board(at, 1 - seat) == {"Pi": 12, "Claude": FULL[NUMBERS["Claude"]]}


@pytest.mark.parametrize(
    ("a", "b", "winner"), [(12, 12, None), (13, 12, 0), (12, 13, 1)], ids=["draw", "A", "B"]
)
def test_case_7_after_turn_16_more_core_health_wins(a: int, b: int, winner: int | None) -> None:
    at = position(seat=1, turn=15, cores=(b, a))
    assert at.turn == 16
    play(at, "end")
    outcome = at.outcome()
    assert outcome
    assert (outcome.winner, outcome.reason, outcome.score) == (winner, "turn 16", (a, b))


def test_case_8_an_empty_deck_draws_nothing_and_play_goes_on(seat: Seat) -> None:
    at = position(seat=1 - seat, turn=9 if seat == 0 else 11, enemy_hand="Pi,Claude")
    log = play(at, "end")
    assert (at.turn, at.seat, at.deck_size(seat)) == (11 + seat, seat, 0)  # its sixth own turn
    assert log == [f"{'AB'[1 - seat]} end", f"Turn {11 + seat}: {'AB'[seat]}"]
    assert (hand(at, seat), at.cores) == (["Pi", "Claude"], [30, 30])
    play(at, "play Pi", "end")
    assert board(at, seat) == {"Pi": 14}


def test_case_9_house_rules_blocks_the_ability_but_not_the_traits_draw(seat: Seat) -> None:
    with bare():
        give("Alexa+", "block_next")
        give("NotebookLM", "draw", amount=1)
        at = position(
            seat=seat,
            hand="Alexa+",
            enemy_hand="NotebookLM,Elicit",
            enemy_deck="Pi,Sora,Claude,Suno",
        )
        play(at, "play Alexa+", "end")
        assert hand(at, 1 - seat) == ["NotebookLM", "Elicit", "Pi"]
        log = play(at, "play NotebookLM")
        name = "AB"[1 - seat]
        assert log[1:] == [
            f"{name} NotebookLM trait: {name} draws 1",
            f"{name} NotebookLM, Test of NotebookLM: blocked",
        ]
        assert hand(at, 1 - seat) == ["Elicit", "Pi", "Sora"]
        assert at.blocks == [0, 0]
