"""The sentences of the rules contract, by its sections; worked cases and effects are beside."""

from __future__ import annotations

from itertools import combinations

import pytest

from smashclash_mcp import Dice, IllegalMoveError, Match, RandomPlayer, Setup
from smashclash_mcp.games.agentbattle import Position, decks
from smashclash_mcp.games.agentbattle.cards import CARDS, NAMES, NUMBERS, STARTER
from smashclash_mcp.games.agentbattle.combat import attack_order
from smashclash_mcp.games.agentbattle.moves import MOVE_NAMES
from smashclash_mcp.games.base import Seat

from .build import (
    GAME,
    attack,
    attacks,
    bare,
    board,
    give,
    hand,
    health,
    play,
    position,
    shields,
)

bare_cards = pytest.mark.usefixtures("bare_cards")
SPEED = {card.name: card.speed for card in CARDS}


def new(seed: int = 1, level: str = "", house: Seat | None = None) -> Position:
    return GAME.new("all_cards", Dice(seed), ("", ""), level, house)


def legal(at: Position) -> list[str]:
    return [MOVE_NAMES[move] for move in at.legal_moves()]


def by_speed(klass: str, count: int) -> list[str]:
    """Return cards of a class with different Speeds, the fastest first."""
    names = [card.name for card in CARDS if card.klass == klass]
    speeds = {SPEED[name]: name for name in names}
    return [speeds[speed] for speed in sorted(speeds, reverse=True)][:count]


# --- 1. Setup ----------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", range(20))
def test_seat_a_goes_first_with_four_cards_and_seat_b_holds_three(seed: int) -> None:
    at = new(seed)
    assert (at.turn, at.to_move, at.cores) == (1, 0, [30, 30])
    assert [len(in_hand) for in_hand in at.hands] == [4, 3]
    assert [at.deck_size(seat) for seat in (0, 1)] == [4, 5]
    for seat in (0, 1):
        assert len({*at.decks[seat]}) == 8
        assert tuple(at.hands[seat]) == at.decks[seat][: at.tops[seat]]


def test_both_decks_are_shuffled_by_the_seed_each_order_of_a_deck_possible() -> None:
    names = ", ".join(NAMES[card] for card in STARTER)
    tops = {
        tuple(GAME.new("standard", Dice(seed), (names, names)).decks[seat][:1])
        for seed in range(200)
        for seat in (0, 1)
    }
    assert len(tops) == 8
    shuffled = GAME.new("standard", Dice(5), (names, names)).decks
    assert shuffled[0] != shuffled[1]
    assert shuffled == GAME.new("standard", Dice(5), (names, names)).decks
    assert sorted(shuffled[0]) == sorted(STARTER)


@pytest.mark.parametrize("house", [0, 1])
def test_the_core_of_an_easy_house_starts_with_20(house: Seat) -> None:
    cores = [30, 30]
    cores[house] = 20
    assert new(level="easy", house=house).cores == cores
    for level in ("normal", "hard"):
        assert new(level=level, house=house).cores == [30, 30]
    assert new(level="easy").cores == [30, 30]  # without a house


# --- 2. A turn ---------------------------------------------------------------------------------


def test_energy_is_2_3_4_5_and_then_6_and_what_is_left_is_lost() -> None:
    at = new()
    found: tuple[list[int], list[int]] = ([], [])
    while at.to_move is not None:
        found[at.to_move].append(at.energy)
        play(at, "end")
    assert found == ([2, 3, 4, 5, 6, 6, 6, 6], [2, 3, 4, 5, 6, 6, 6, 6])


def test_a_card_is_drawn_in_every_turn_the_first_too_until_the_deck_is_empty() -> None:
    at = new()
    counts: tuple[list[int], list[int]] = ([], [])
    while at.to_move is not None:
        counts[at.to_move].append(len(at.hands[at.to_move]))
        play(at, "end")
    assert counts == ([4, 5, 6, 7, 8, 8, 8, 8],) * 2  # no hand limit, no reshuffle
    assert at.cores == [30, 30]


def test_agents_cost_2_energy_and_three_fit_on_a_board(seat: Seat) -> None:
    at = position(seat=seat, hand="Pi,Grok,Claude", energy=5)
    assert legal(at) == ["play Pi", "play Grok", "play Claude", "end"]
    play(at, "play Grok")
    assert (at.energy, legal(at)) == (3, ["play Pi", "play Claude", "end"])
    play(at, "play Claude")
    assert (at.energy, legal(at)) == (1, ["end"])
    full = position(["Pi", "Grok", "Claude"], seat=seat, hand="QwQ", energy=6)
    assert legal(full) == ["end"]


def test_a_play_is_entering_then_the_trait_then_the_ability(seat: Seat) -> None:
    with bare():
        give("Runway", "damage_all", "", 2)
        at = position(["Grok 3"], ["Pi 5"], seat=seat, hand="Runway")
        own, other = "AB"[seat], "AB"[1 - seat]
        assert play(at, "play Runway") == [
            f"{own} play Runway",
            f"{own} Runway trait: 2 to {other} core, 28 left",
            f"{own} Runway, Test of Runway: 2 to {other} Pi, 3 left",
        ]


def test_a_trait_that_ends_the_match_leaves_the_ability_unfired(seat: Seat) -> None:
    with bare():
        give("Runway", "core_damage", "both_cores", 9)
        at = position(seat=seat, hand="Runway", cores=(5, 2))
        play(at, "play Runway")
        outcome = at.outcome()
        assert outcome
        assert (outcome.winner, outcome.reason) == (seat, "core destroyed")
        assert at.cores[seat] == 5


@bare_cards
def test_new_agents_wait_a_turn_and_the_others_attack_once(seat: Seat) -> None:
    at = position(["Runway @4", "Grok @3 new"], seat=seat, hand="Pi")
    play(at, "play Pi", "end")
    assert at.cores[1 - seat] == 26
    play(at, "end", "end")
    assert at.cores[1 - seat] == 26 - 4 - 3 - attack("Pi")


@bare_cards
def test_the_faster_agent_attacks_first(seat: Seat) -> None:
    fast, slow = by_speed("Creator", 2)
    # The first hit takes the agent at 3, the second then hits the other one.
    for own in ([f"{fast} @4", f"{slow} @2"], [f"{slow} @2", f"{fast} @4"]):
        at = position(own, ["QwQ 3", "Grok 7"], seat=seat)
        play(at, "end")  # with synergy 5 and 3
        assert board(at, 1 - seat) == {"Grok": 4}
    at = position([f"{fast} @2", f"{slow} @4"], ["QwQ 3", "Grok 7"], seat=seat)
    play(at, "end")
    assert board(at, 1 - seat) == {"Grok": 2}


@bare_cards
def test_attacks_first_comes_before_speed_and_speed_decides_among_them(seat: Seat) -> None:
    fast, middle, slow = by_speed("Creator", 3)
    give(slow, "attacks_first")
    at = position([fast, middle, slow], seat=seat)
    assert [NAMES[agent.card] for agent in attack_order(at.boards[seat])] == [slow, fast, middle]
    give(middle, "attacks_first")
    assert [NAMES[agent.card] for agent in attack_order(at.boards[seat])] == [middle, slow, fast]
    give(slow, "attacks_first")
    give(middle, "heal_core")
    at = position([f"{fast} @4", f"{slow} @2"], ["QwQ 3", "Grok 7"], seat=seat)
    play(at, "end")  # 3, then 5
    assert board(at, 1 - seat) == {"Grok": 2}


def test_at_equal_speed_the_earlier_played_attacks_first(seat: Seat) -> None:
    pairs = [
        (one.name, other.name)
        for one, other in combinations(CARDS, 2)
        if one.speed == other.speed
        and "attacks_first" not in (one.ability.effect, other.ability.effect)
    ]
    assert pairs, "no two cards have the same Speed"
    for one, other in pairs:
        for own in ([one, other], [other, one]):
            at = position(own, seat=seat)
            assert [NAMES[agent.card] for agent in attack_order(at.boards[seat])] == own


@bare_cards
def test_the_order_is_fixed_when_the_turn_ends(seat: Seat) -> None:
    # Nothing in the vocabulary changes Speed in mid-turn: the order is that of the end's beginning.
    fast, middle, slow = by_speed("Creator", 3)
    at = position([slow, fast, middle], ["Pi 1"], seat=seat)
    log = [line.split(" hits ")[0][2:] for line in play(at, "end") if " hits " in line]
    assert log == [fast, middle, slow]


def test_the_legal_list_is_the_hand_in_its_order_and_then_end(seat: Seat) -> None:
    at = position(seat=seat, hand="Suno,Pi,Grok")
    assert legal(at) == ["play Suno", "play Pi", "play Grok", "end"]


# --- 3. Numbers --------------------------------------------------------------------------------


def test_every_card_has_the_same_total_and_stats_of_0_to_100() -> None:
    assert len({sum(card.stats) for card in CARDS}) == 1
    assert all(0 <= stat <= 100 for card in CARDS for stat in card.stats)
    assert all(sum(card.stats[:4]) % 40 != 20 for card in CARDS)


@bare_cards
def test_attack_now_never_falls_below_0_and_the_floor_is_on_the_sum(seat: Seat) -> None:
    give("Claude", "weaken", "all_enemies", 9)
    at = position(["Suno @3", "Runway @3"], seat=1 - seat, enemy_hand="Claude")
    play(at, "end", "play Claude")
    assert attacks(at, 1 - seat) == {"Suno": 0, "Runway": 0}
    give("Manus", "buff_attack", "other_allies", 3)
    other = position(["Suno @-5"], seat=seat, hand="Manus")
    play(other, "play Manus")
    assert attacks(other, seat)["Suno"] == 0  # -5 + 3 + 1, not 0 + 3 + 1


@bare_cards
def test_synergy_and_auras_go_with_those_who_give_them(seat: Seat) -> None:
    own = ["Siri @4 2 new", "Suno @4 new", "Runway @4 new"]
    at = position(own, ["Grok @3"], seat=seat)
    assert attacks(at, seat) == {"Siri": 4, "Suno": 6, "Runway": 6}
    play(at, "end", "end")  # Grok knocks Siri out
    assert attacks(at, seat) == {"Suno": 5, "Runway": 5}


@bare_cards
def test_attack_is_computed_for_every_hit_from_who_stands_then(seat: Seat) -> None:
    give("Suno", "attack_per", "damaged_enemy", 3)
    at = position(["Suno @2", "Runway @1"], ["Pi 14"], seat=seat)
    play(at, "end")  # Runway (faster) damages Pi first, so that Suno then counts it
    assert SPEED["Runway"] > SPEED["Suno"]
    assert board(at, 1 - seat) == {"Pi": 14 - 2 - (2 + 1 + 3)}


@bare_cards
def test_buffs_and_weakening_last_while_the_agent_stands(seat: Seat) -> None:
    give("Claude", "weaken", "newest_enemy", 2)
    at = position(["Suno @5"], seat=1 - seat, enemy_hand="Claude", cores=(30, 30))
    play(at, "end", "play Claude", "end", "end", "end")
    assert attacks(at, 1 - seat) == {"Suno": 3}


@bare_cards
def test_a_hit_is_halved_then_raised_then_reduced_then_shielded(seat: Seat) -> None:
    give("GPT-4o", "bonus_vs", "guardian", 3)
    give("Claude", "reduce_damage", "", 2)
    at = position(["GPT-4o @5"], ["Claude"], seat=seat)
    play(at, "end")  # twice 3 + 3 - 2
    assert board(at, 1 - seat) == {"Claude": health("Claude") - 8}
    at = position(["GPT-4o @5"], ["Claude*"], seat=seat)
    play(at, "end")
    assert board(at, 1 - seat) == {"Claude": health("Claude") - 4}
    assert shields(at, 1 - seat) == []


@bare_cards
def test_a_hit_of_0_does_nothing_and_breaks_no_shield(seat: Seat) -> None:
    at = position(["Suno @0"], ["Claude*"], seat=seat)
    log = play(at, "end")
    assert shields(at, 1 - seat) == ["Claude"]
    assert any("hits" in line and "for 0" in line for line in log)


# --- 4. Attack ---------------------------------------------------------------------------------


@bare_cards
def test_damage_goes_one_way(seat: Seat) -> None:
    at = position(["Suno @2 3"], ["Claude @9"], seat=seat)
    play(at, "end")
    assert board(at, seat) == {"Suno": 3}


@bare_cards
def test_the_lowest_current_health_is_hit_and_a_tie_goes_to_the_earlier_played(seat: Seat) -> None:
    for enemy, hit in (
        (["Grok 6", "Perplexity 5", "Suno 7"], "Perplexity"),
        (["Grok 6", "Perplexity 6"], "Grok"),
        (["Perplexity 6", "Grok 6"], "Perplexity"),
        (["Pi 9", "Claude 9"], "Pi"),
        (["Claude 9", "Pi 9"], "Claude"),
        (["Grok 2", "Pi 9", "Claude 8"], "Claude"),
    ):
        at = position(["Midjourney @1"], enemy, seat=seat)
        play(at, "end")
        before = position(["Midjourney @1"], enemy, seat=seat)
        lost = {
            name: before_health - board(at, 1 - seat)[name]
            for name, before_health in board(before, 1 - seat).items()
        }
        assert [name for name, loss in lost.items() if loss] == [hit], enemy


@bare_cards
def test_the_target_is_judged_anew_for_every_hit(seat: Seat) -> None:
    at = position(["Suno @3", "Runway @3"], ["Grok 6", "QwQ 5"], seat=seat)
    play(at, "end")  # Runway takes QwQ to 1, Suno knocks it out
    assert board(at, 1 - seat) == {"Grok": 6}


@bare_cards
def test_a_knocked_out_agent_leaves_at_once_and_excess_damage_is_lost(seat: Seat) -> None:
    at = position(["Suno @9"], ["Grok 1"], seat=seat)
    log = play(at, "end")
    assert (board(at, 1 - seat), at.cores[1 - seat]) == ({}, 30)
    assert f"{'AB'[1 - seat]} Grok out" in log
    assert at.out[1 - seat] == [NUMBERS["Grok"]]


@bare_cards
def test_a_core_at_0_ends_the_match_on_the_spot_and_is_shown_as_0(seat: Seat) -> None:
    at = position(["Suno @9", "Runway @9"], seat=seat, cores=(30, 5))
    log = play(at, "end")
    outcome = at.outcome()
    assert outcome
    assert (outcome.winner, outcome.reason) == (seat, "core destroyed")
    assert outcome.score[1 - seat] == 0
    assert len([line for line in log if "hits" in line]) == 1
    assert (at.to_move, at.legal_moves()) == (None, [])


# --- 5. Class traits ---------------------------------------------------------------------------


@bare_cards
def test_a_reasoner_does_2_more_to_agents(seat: Seat) -> None:
    at = position(["Grok @3"], ["Pi 14"], seat=seat)
    play(at, "end")
    assert board(at, 1 - seat) == {"Pi": 9}


@bare_cards
def test_a_reasoner_of_attack_0_still_hits_an_agent_for_2(seat: Seat) -> None:
    at = position(["Grok @0"], ["Pi 14"], seat=seat)
    play(at, "end")
    assert board(at, 1 - seat) == {"Pi": 12}


@bare_cards
def test_a_creator_does_2_to_the_enemy_core_on_play(seat: Seat) -> None:
    at = position([], ["Pi"], seat=seat, hand="Suno")
    play(at, "play Suno")
    assert (at.cores[1 - seat], board(at, 1 - seat)) == (28, {"Pi": 14})


@bare_cards
def test_a_coder_heals_the_most_damaged_agent_by_4_never_above_its_health(seat: Seat) -> None:
    pi, suno = health("Pi"), health("Suno")
    for own, healed in (
        ([f"Pi {pi - 5}", f"Suno {suno - 6}"], {"Pi": pi - 5, "Suno": suno - 2}),
        ([f"Pi {pi - 5}", f"Suno {suno - 5}"], {"Pi": pi - 1, "Suno": suno - 5}),
        ([f"Suno {suno - 5}", f"Pi {pi - 5}"], {"Suno": suno - 1, "Pi": pi - 5}),
        ([f"Pi {pi - 3}", "Suno"], {"Pi": pi, "Suno": suno}),
        (["Pi", "Suno"], {"Pi": pi, "Suno": suno}),
    ):
        at = position(own, ["Grok 1"], seat=seat, hand="Cursor")
        play(at, "play Cursor")
        assert board(at, seat) == {**healed, "Cursor": health("Cursor")}
        assert board(at, 1 - seat) == {"Grok": 1}


@bare_cards
def test_a_researcher_draws_1_on_play(seat: Seat) -> None:
    at = position(seat=seat, hand="Elicit", deck="Pi,Suno")
    play(at, "play Elicit")
    assert hand(at, seat) == ["Pi"]


@bare_cards
def test_a_multimodal_hits_twice_in_a_row_choosing_anew(seat: Seat) -> None:
    fast = max((card for card in CARDS if card.klass == "Creator"), key=lambda card: card.speed)
    slow = min((card for card in CARDS if card.klass == "Multimodal"), key=lambda card: card.speed)
    assert fast.speed > slow.speed
    at = position([f"{slow.name} @4", f"{fast.name} @1"], ["Grok 4", "QwQ 3"], seat=seat)
    hits = [line for line in play(at, "end") if " hits " in line]
    assert [line.split(" hits ")[0][2:] for line in hits] == [fast.name, slow.name, slow.name]
    assert board(at, 1 - seat) == {"Grok": 2}  # QwQ by 1, QwQ out by 2, then Grok by 2


@bare_cards
def test_an_orchestrator_gives_the_others_1_attack_and_not_itself(seat: Seat) -> None:
    at = position(["Siri @3", "Suno @3"], ["Grok @3"], seat=seat)
    assert attacks(at, seat) == {"Siri": 3, "Suno": 4}
    assert attacks(at, 1 - seat) == {"Grok": 3}


# --- 6. Printed abilities ----------------------------------------------------------------------


def test_every_card_has_one_ability_by_name() -> None:
    assert len({card.ability.name for card in CARDS}) == len(CARDS)


@bare_cards
def test_an_on_play_ability_fires_once(seat: Seat) -> None:
    give("Pi", "core_damage", "enemy_core", 3)
    at = position(seat=seat, hand="Pi")
    play(at, "play Pi")
    assert at.cores[1 - seat] == 27
    play(at, "end", "end")
    assert at.cores[1 - seat] == 27


@bare_cards
def test_a_shield_stops_ability_damage_too_and_does_not_stack(seat: Seat) -> None:
    give("Suno", "damage_all", "", 2)
    give("Claude", "shield", "self")
    at = position([], ["Pi 9*"], seat=seat, hand="Suno")
    play(at, "play Suno")
    assert (board(at, 1 - seat), shields(at, 1 - seat)) == ({"Pi": 9}, [])
    give("ShieldGemma", "shield", "other_allies")
    twice = position(["Pi 9*"], ["Runway @2"], seat=seat, hand="ShieldGemma")
    play(twice, "play ShieldGemma")
    assert "Pi" in shields(twice, seat)
    play(twice, "end")
    play(twice, "end")  # one hit breaks it, whoever is hit
    after = position(["Pi 9*"], ["Runway @2", "Suno @2"], seat=seat)
    play(after, "end", "end")
    assert board(after, seat) == {"Pi": 9 - 3}


@bare_cards
def test_a_block_waits_until_used_and_is_used_up_by_an_ability_that_does_nothing(
    seat: Seat,
) -> None:
    give("Suno", "heal", "most_damaged_ally", 3)
    at = position(seat=seat, hand="Suno,Pi", blocks=(1, 0), deck="Grok,QwQ")
    play(at, "play Pi", "end", "end")  # Pi has no ability here: the block stays
    assert at.blocks[seat] == 1
    log = play(at, "play Suno")  # nobody damaged: the ability would do nothing
    assert log[-1] == f"{'AB'[seat]} Suno, Test of Suno: blocked"
    assert at.blocks == [0, 0]


@bare_cards
def test_a_block_does_not_touch_passives(seat: Seat) -> None:
    give("Pi", "attack_per", "any_ally", 2)
    at = position(seat=seat, hand="Pi", blocks=(1, 0))
    play(at, "play Pi")
    assert attacks(at, seat) == {"Pi": attack("Pi") + 2}
    assert at.blocks[seat] == 1


@bare_cards
def test_blocks_add_up_and_a_blocked_block_sets_nothing(seat: Seat) -> None:
    give("Alexa+", "block_next", "", 1)
    give("Siri", "block_next", "", 2)
    at = position(seat=seat, hand="Alexa+,Siri", blocks=(1, 0))
    play(at, "play Alexa+")
    assert at.blocks == [0, 0]
    play(at, "play Siri")
    assert at.blocks[1 - seat] == 2
    again = position(seat=seat, hand="Alexa+,Siri")
    play(again, "play Alexa+", "play Siri")
    assert again.blocks[1 - seat] == 3


@bare_cards
def test_an_area_effect_reaches_all_before_the_fallen_leave_together(seat: Seat) -> None:
    give("Suno", "damage_all", "", 3)
    at = position([], ["Grok 3", "Pi 9", "QwQ 2"], seat=seat, hand="Suno")
    other = "AB"[1 - seat]
    assert play(at, "play Suno")[2:] == [
        f"{'AB'[seat]} Suno, Test of Suno: 3 to {other} Grok, 0 left; 3 to {other} Pi, 6 left; "
        f"3 to {other} QwQ, 0 left",
        f"{other} Grok out",
        f"{other} QwQ out",
    ]


@bare_cards
def test_both_cores_at_0_by_the_same_effect_is_a_draw(seat: Seat) -> None:
    give("Pi", "core_damage", "both_cores", 4)
    at = position(seat=seat, hand="Pi", cores=(3, 4))
    play(at, "play Pi")
    outcome = at.outcome()
    assert outcome
    assert (outcome.winner, outcome.reason, outcome.score) == (None, "core destroyed", (0, 0))
    lost = position(seat=seat, hand="Pi", cores=(4, 5))
    play(lost, "play Pi")
    assert lost.outcome() is not None
    assert lost.outcome().winner == 1 - seat  # type: ignore[union-attr]


def test_at_least_one_card_damages_both_cores() -> None:
    assert any(card.ability.target == "both_cores" for card in CARDS)


KNOWN = {
    "Claude": ("", "Careful Answer", "shield", "self"),
    "Sora": ("Creator", "Scene Weaver", "core_damage", "enemy_core"),
    "Alexa+": ("", "House Rules", "block_next", ""),
    "Perplexity": ("Researcher", "Citation Trail", "attack_per", "Researcher"),
    "Gemini Flash": ("", "Quick Draw", "attacks_first", ""),
    "Claude Haiku": ("Reasoner", "", "", ""),
    "Pi": ("Guardian", "", "", ""),
    "Codestral": ("Coder", "", "", ""),
}


@pytest.mark.parametrize("name", KNOWN)
def test_the_known_cards_are_as_the_contract_has_them(name: str) -> None:
    card = CARDS[NUMBERS[name] - 1]
    found = (card.klass, card.ability.name, card.ability.effect, card.ability.target)
    for known, actual in zip(KNOWN[name], found, strict=True):
        assert known in ("", actual)
    assert (card.attack == 5) or name != "Claude Haiku"
    assert (card.health == 14) or name != "Pi"


# --- 7. Ends -----------------------------------------------------------------------------------


def test_the_match_ends_after_the_attacks_of_turn_16(seat: Seat) -> None:
    at = position(["Runway @3"], seat=1, turn=15, cores=(10, 12))
    assert (at.turn, at.seat) == (16, 1)
    with bare():
        play(at, "end")
    outcome = at.outcome()
    assert outcome
    assert (outcome.winner, outcome.reason, outcome.score) == (1, "turn 16", (9, 10))


@pytest.mark.parametrize("seat", [0, 1])
def test_resigning_is_a_loss_at_any_time(seat: Seat) -> None:
    match = Match(Setup("agentbattle", "all_cards", 3))
    match.resign(seat)
    outcome = match.outcome()
    assert outcome
    assert (outcome.winner, outcome.reason) == (1 - seat, "resignation")


def test_core_healing_stops_at_the_cores_start(seat: Seat) -> None:
    with bare():
        give("Pi", "heal_core", "", 9)
        at = position(seat=seat, hand="Pi", cores=(18, 30), start=(20, 30))
        play(at, "play Pi")
        assert at.cores[seat] == 20


# --- 9. The card set ---------------------------------------------------------------------------


def test_the_set_has_about_42_cards_five_a_class_and_four_rarities() -> None:
    assert 38 <= len(CARDS) <= 46
    for klass in {card.klass for card in CARDS}:
        assert len([card for card in CARDS if card.klass == klass]) >= 5
    assert len({card.klass for card in CARDS}) == 7
    assert len({card.rarity for card in CARDS}) == 4


def test_worked_case_1_is_not_changed_by_the_abilities_of_its_cards() -> None:
    pi, haiku, codestral = (
        CARDS[NUMBERS[name] - 1].ability for name in ("Pi", "Claude Haiku", "Codestral")
    )
    shielding = {"shield", "heal", "heal_all", "reduce_damage", "weaken", "damage", "damage_all"}
    assert pi.effect not in shielding - {"shield", "heal"} or pi.target == "other_allies"
    assert (pi.effect, pi.target) not in {("shield", "self"), ("buff_attack", "self")}
    raising = {"buff_attack", "aura_attack", "attack_per", "attacks_first"}
    assert codestral.effect not in {*raising, "damage", "damage_all"}
    assert haiku.effect not in {*raising - {"buff_attack"}} or haiku.target == "other_allies"


def test_the_starter_deck_is_a_legal_deck() -> None:
    names = ", ".join(NAMES[card] for card in STARTER)
    assert decks.read_deck(names, Dice(0), STARTER) == STARTER


def test_a_match_is_the_same_from_the_same_seed_and_moves() -> None:
    logs: set[str] = set()
    for _ in range(2):
        match, player = Match(Setup("agentbattle", "all_cards", 4)), RandomPlayer()
        while match.to_move is not None:
            view = match.view(match.to_move)
            match.play(player.choose(view, Dice(view.ply)))
        logs.add(match.record().text())
    assert len(logs) == 1


def test_an_illegal_move_is_refused_by_the_rule_it_breaks(seat: Seat) -> None:
    full = position(["Pi", "Grok", "Claude"], seat=seat, hand="QwQ")
    poor = position(["Pi"], ["Suno"], seat=seat, hand="QwQ", energy=1)
    for at, typed, reason in (
        (full, "play QwQ", "your board is full: 3 agents at most"),
        (poor, "play QwQ", "QwQ costs 2 energy, you have 1 left this turn: end it"),
        (poor, "play Pi", "Pi is on your board already"),
        (poor, "play Sora", "Sora is not in your hand"),
    ):
        with pytest.raises(IllegalMoveError, match=f"^{reason}$"):
            at.view(seat).read_move(typed)


def test_points_decide_and_not_per_cent() -> None:
    at = position(seat=1, turn=15, cores=(12, 13), start=(20, 30))  # B has 60 % left, A 43 %
    play(at, "end")
    outcome = at.outcome()
    assert outcome
    assert (outcome.winner, outcome.score) == (0, (13, 12))
