"""What a seat knows of the other hand, and what `View.sample` makes of it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

import pytest

from smashclash_mcp import Dice, Match, Setup
from smashclash_mcp.games.base import Seat
from smashclash_mcp.games.smashclash import Position
from smashclash_mcp.games.smashclash.cards import DECK

from .build import GAME, hand, play, position
from .worlds import everything, unknown_slots

SEATS: tuple[Seat | None, ...] = (0, 1, None)


def known(at: Position, seat: Seat | None, owner: Seat) -> list[str]:
    """Return the cards of a hand that `seat` is told in its JSON."""
    return [card["card"] for card in at.view(seat).data()["hands"]["AB"[owner]]["known"]]


def after_swap() -> Position:
    """Return a position in which A has just exchanged hands: A holds B's five, B holds A's four."""
    at = position(
        {"C2": "A Alex"}, a="SWAP, Pengu, Luna, Noodle, Tina", b="Po, Vega, Amber, Shelly, FLIP"
    )
    play(at, "SWAP")
    return at


def random_positions(ruleset: str, games: int) -> Iterator[Position]:
    """Yield every position of whole random games."""
    for seed in range(games):
        match = Match(Setup("smashclash", ruleset, seed))
        dice = Dice(seed)
        at = match.position
        assert isinstance(at, Position)
        while match.to_move is not None:
            yield at
            legal = at.legal_moves()
            match.play(legal[dice.below(len(legal))])
        yield at


# --- what a seat knows -------------------------------------------------------------------------


def test_a_seat_knows_its_own_hand_alone_at_first() -> None:
    at = GAME.new("mutators", Dice(4))
    assert isinstance(at, Position)
    for seat in (0, 1):
        assert known(at, seat, seat) == hand(at, seat)
        assert known(at, seat, 1 - seat) == []
    assert "B holds 5." in at.view(0).text()


def test_after_a_swap_each_seat_knows_its_former_cards_in_the_other_hand() -> None:
    at = after_swap()
    assert known(at, 0, 1) == ["Pengu", "Luna", "Noodle", "Tina"]
    assert known(at, 1, 0) == ["Po", "Vega", "Amber", "Shelly", "FLIP"]
    assert "B holds 4: Pengu, Luna, Noodle, Tina." in at.view(0).text()


def test_a_former_card_is_known_until_it_is_played_and_drawn_cards_are_not() -> None:
    at = after_swap()
    play(at, "Luna@A1")
    assert len(at.hands[1]) == 5
    assert known(at, 0, 1) == ["Pengu", "Noodle", "Tina"]
    assert "B holds 5: Pengu, Noodle, Tina, 2 unknown." in at.view(0).text()


def test_an_empty_deck_makes_the_other_hand_known_by_elimination() -> None:
    at = position({"A1": "A Alex"}, a="Pengu, Luna", b="Noodle, SWAP, Tina", deck="")
    assert sorted(known(at, 0, 1)) == ["Noodle", "SWAP", "Tina"]
    assert sorted(known(at, 1, 0)) == ["Luna", "Pengu"]


def test_with_one_card_in_the_deck_the_other_hand_is_unknown() -> None:
    at = position({"A1": "A Alex"}, a="Pengu, Luna", b="Noodle, SWAP, Tina", deck="Po")
    assert known(at, 0, 1) == []


@pytest.mark.parametrize(
    "at",
    [
        after_swap(),
        position({"A1": "A Alex"}, a="Pengu, Luna", b="Noodle, SWAP, Tina", deck=""),
        position(a="Pengu", b="Luna"),
    ],
    ids=["after SWAP", "empty deck", "early"],
)
def test_a_spectator_knows_no_hand(at: Position) -> None:
    assert known(at, None, 0) == known(at, None, 1) == []
    text = at.view(None).text(legend=True, hints=True)
    assert not [name for owner in (0, 1) for name in hand(at, owner) if name in text]


def test_the_deck_is_a_count_to_everyone() -> None:
    at = GAME.new("classic", Dice(9))
    assert isinstance(at, Position)
    for seat in SEATS:
        view = at.view(seat)
        assert set(view.shown.deck) == {0}
        assert view.data()["deck"] == 41


# --- sample ------------------------------------------------------------------------------------


@pytest.mark.parametrize("ruleset", GAME.rulesets)
def test_a_sample_agrees_with_all_that_its_seat_sees(ruleset: str) -> None:
    for at in random_positions(ruleset, 30):
        for seat in SEATS:
            view = at.view(seat)
            sample = view.sample(Dice(at.ply))
            assert sample.view(seat).text(legend=True, hints=True) == view.text(
                legend=True, hints=True
            )
            assert sample.view(seat).data(hints=True) == view.data(hints=True)
            assert everything(sample) == list(DECK)
            assert len(set(sample.deck[sample.top :])) == len(at.deck) - at.top
            assert all(sample.deck[sample.top :])


@pytest.mark.parametrize("ruleset", GAME.rulesets)
def test_a_sample_can_be_played_to_the_end_and_leaves_its_view_alone(ruleset: str) -> None:
    for seed in range(20):
        at = GAME.new(ruleset, Dice(seed))
        assert isinstance(at, Position)
        view = at.view(0)
        before = view.text()
        sample = view.sample(Dice(seed))
        dice = Dice(seed)
        while sample.outcome() is None:
            legal = sample.legal_moves()
            sample.play(legal[dice.below(len(legal))], dice)
        assert everything(sample) == list(DECK)
        assert view.text() == before


def test_a_sample_keeps_what_each_seat_knows_of_the_other() -> None:
    at = after_swap()
    play(at, "Luna@A1")
    for seat in (0, 1):
        for seed in range(30):
            sample = at.view(seat).sample(Dice(seed))
            for owner in (0, 1):
                assert known(sample, 1 - owner, owner) == known(at, 1 - owner, owner)
            assert unknown_slots(sample, 1 - seat) == unknown_slots(at, 1 - seat)


def test_a_spectators_sample_deals_both_hands_anew() -> None:
    at = after_swap()
    before = {*at.hands[0], *at.hands[1]}
    dealt = at.view(None).sample(Dice(1))
    assert {*dealt.hands[0], *dealt.hands[1]} != before
    assert [len(cards) for cards in dealt.hands] == [5, 4]


def test_every_deal_of_the_unseen_cards_is_equally_likely() -> None:
    at = position({"A1": "A Alex"}, a="Pengu", b="Luna, Noodle", deck="Tina, FLIP")
    view = at.view(0)
    dice = Dice(2026)
    rolls = 9600
    deals: Counter[tuple[int, ...]] = Counter()
    for _ in range(rolls):
        sample = view.sample(dice)
        deals[(*sample.hands[1], *sample.deck[sample.top :])] += 1
    expected = rolls / 24
    assert len(deals) == 24
    chi_square = sum((count - expected) ** 2 / expected for count in deals.values())
    assert chi_square < 49.7  # 23 degrees of freedom, p = 0.001


def test_the_first_sample_of_fresh_dice_is_uniform_too() -> None:
    view = position({"A1": "A Alex"}, a="Pengu", b="Luna", deck="Noodle, Tina, FLIP").view(0)
    seeds = 4000
    held = Counter(view.sample(Dice(seed)).hands[1][0] for seed in range(seeds))
    assert len(held) == 4
    chi_square = sum((count - seeds / 4) ** 2 / (seeds / 4) for count in held.values())
    assert chi_square < 16.3  # 3 degrees of freedom, p = 0.001


def test_the_same_dice_give_the_same_sample() -> None:
    at = after_swap()
    one, two = (at.view(1).sample(Dice(5)).to_text() for _ in range(2))
    assert one == two != at.view(1).sample(Dice(6)).to_text()
