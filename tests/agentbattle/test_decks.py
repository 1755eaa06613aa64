"""Decks as text: what is read, and which rule an illegal one breaks (agentbattle 1)."""

from __future__ import annotations

import pytest

from smashclash_mcp import Dice, Match, Record, RecordError, Setup
from smashclash_mcp.games.agentbattle.cards import CARDS, NUMBERS, STARTER
from smashclash_mcp.games.agentbattle.decks import ALL, deck_text, read_deck

from .build import GAME

EIGHT = "Pi, Claude, Sora, Grok, QwQ, Suno, Manus, Siri"
STARTER_TEXT = deck_text(STARTER)


def test_eight_names_in_any_spelling_are_a_deck() -> None:
    deck = read_deck(EIGHT, Dice(0), ALL)
    assert deck_text(deck) == EIGHT
    assert read_deck(EIGHT.upper().replace(", ", "\n"), Dice(0), ALL) == deck
    assert read_deck(f"  {EIGHT} , ,", Dice(0), ALL) == deck
    assert read_deck(EIGHT.replace(",", ";"), Dice(0), ALL) == deck
    assert read_deck(str(EIGHT.split(", ")), Dice(0), ALL) == deck


def test_starter_and_random_are_words() -> None:
    assert read_deck(" `Starter` ", Dice(0), ALL) == STARTER
    drawn = {read_deck("random", Dice(seed), ALL) for seed in range(50)}
    assert len(drawn) == 50
    for deck in drawn:
        assert len({*deck}) == 8
    assert {card for deck in drawn for card in deck} == {*ALL}
    owned = [*STARTER, NUMBERS["Grok"]]
    for seed in range(20):
        assert {*read_deck("random", Dice(seed), owned)} <= {*owned}


@pytest.mark.parametrize(
    ("typed", "reason"),
    [
        (
            "Pi",
            "a deck is exactly 8 different cards by commas, or starter or random; this one has 1",
        ),
        (EIGHT + ", Cursor", "this one has 9"),
        (EIGHT.replace("Siri", "pi"), "a deck is 8 different cards: Pi is there twice"),
        (EIGHT.replace("Siri", "Sirri"), "no card is called 'Sirri'; did you mean Siri?"),
        (EIGHT.replace("Siri", "HAL 9000"), "no card is called 'HAL 9000'"),
        (",,,", "this one has 0"),
        ("x" * 1000, "no card is called 'xxxxxxxxxxxxxxxxxxxxxxxx'"),
        (f"{EIGHT}, " * 50, "a deck is at most 2000 characters"),
        ("s,t,a,r,t,e,r", "no card is called 's'"),
        ("ran dom", "no card is called 'ran dom'"),
        ("\u202eigaP", "no card is called '\\u202eigaP'"),
    ],
)
def test_an_illegal_deck_is_refused_by_the_rule_it_breaks(typed: str, reason: str) -> None:
    with pytest.raises(ValueError, match=r".") as caught:
        read_deck(typed, Dice(0), ALL)
    assert reason in str(caught.value)
    assert len(str(caught.value)) < 160


def test_the_starter_too_must_be_owned_and_random_needs_eight() -> None:
    with pytest.raises(ValueError, match="you do not own"):
        read_deck("starter", Dice(0), STARTER[1:])
    with pytest.raises(ValueError, match="a deck is 8 cards, and you own 7"):
        read_deck("random", Dice(0), STARTER[1:])


def test_standard_needs_what_the_profile_owns_and_all_cards_does_not() -> None:
    profile = GAME.new_profile()
    own = STARTER_TEXT.replace("Claude Haiku", "Grok")
    with pytest.raises(ValueError, match=r"^deck of A: you do not own Grok: get_cards marks what"):
        GAME.read_decks((own, ""), "standard", Dice(1), "normal", 1, profile)
    profile["cards"]["Grok"] = 1
    decks = GAME.read_decks((own, ""), "standard", Dice(1), "normal", 1, profile)
    assert decks[0] == own
    assert GAME.read_decks((EIGHT, ""), "all_cards", Dice(1), "normal", 1, profile)[0] == EIGHT


def test_an_empty_deck_is_the_starter_in_standard_and_random_in_all_cards() -> None:
    profile = GAME.new_profile()
    decks = GAME.read_decks(("", " "), "standard", Dice(1), "", None, profile)
    assert decks == (STARTER_TEXT, STARTER_TEXT)
    one, other = GAME.read_decks(("", ""), "all_cards", Dice(1))
    assert one != other
    assert STARTER_TEXT not in (one, other)


def test_the_house_plays_a_random_deck_of_the_whole_set_fixed_by_the_seed() -> None:
    profile = GAME.new_profile()
    decks = {
        GAME.read_decks(("", ""), "standard", Dice(seed), "normal", 1, profile)[1]
        for seed in range(60)
    }
    assert len(decks) == 60
    assert {name for deck in decks for name in deck.split(", ")} == {card.name for card in CARDS}
    again = GAME.read_decks(("", ""), "standard", Dice(3), "normal", 1, profile)
    assert again == GAME.read_decks(("", ""), "standard", Dice(3), "normal", 1, profile)


def test_decks_that_are_written_in_full_read_as_themselves() -> None:
    setup = Setup("agentbattle", "all_cards", 5)
    assert Setup("agentbattle", "all_cards", 5, decks=setup.decks) == setup
    text = Match(setup).record().text()
    assert f"\ndeck A: {setup.decks[0]}\ndeck B: {setup.decks[1]}\n" in text
    assert Record.parse(text).setup == setup


@pytest.mark.parametrize("deck", ["Pi", EIGHT.replace("Siri", "Pi"), EIGHT + ", Cursor"])
def test_a_record_with_an_illegal_deck_is_refused(deck: str) -> None:
    setup = Setup("agentbattle", "all_cards", 5)
    text = Match(setup).record().text().replace(setup.decks[0], deck)
    with pytest.raises(RecordError, match="deck of A: "):
        Record.parse(text)


def test_another_deck_in_a_record_is_another_match() -> None:
    setup = Setup("agentbattle", "all_cards", 5, decks=(EIGHT, EIGHT))
    match = Match(setup)
    assert sorted(match.position.snapshot()["hands"]["A"]) != sorted(
        Match(Setup("agentbattle", "all_cards", 5)).position.snapshot()["hands"]["A"]
    )
    for seat in "AB":
        assert set(match.position.snapshot()["hands"][seat]) <= set(EIGHT.split(", "))
