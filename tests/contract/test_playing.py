"""What every game owes: the properties of whole random games, through the protocols alone."""

from __future__ import annotations

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from smashclash_mcp import GAMES, Dice, IllegalMoveError, MoveError, NotYourTurnError, get_game

GAMES_AND_RULESETS = [(game, ruleset) for game in GAMES for ruleset in GAMES[game].rulesets]
every_game = pytest.mark.parametrize(("game", "ruleset"), GAMES_AND_RULESETS)
seeds = st.integers(0, 2**53 - 1)
LONGEST = 1000
"""No game may be longer, in plies."""


@every_game
@settings(max_examples=150, deadline=None)
@given(seed=seeds)
def test_exactly_one_seat_can_move_until_the_game_is_over(
    game: str, ruleset: str, seed: int
) -> None:
    known = get_game(game)
    dice, choose = Dice(seed), random.Random(seed)
    at = known.new(ruleset, dice)
    for _ in range(LONGEST):
        views = [at.view(0), at.view(1)]
        can = [seat for seat in (0, 1) if views[seat].legal_moves()]
        if at.outcome() is not None:
            assert (can, at.to_move, at.legal_moves()) == ([], None, [])
            return
        assert can == [at.to_move]
        legal = at.legal_moves()
        assert views[can[0]].legal_moves() == legal
        assert len(set(legal)) == len(legal)
        with pytest.raises(NotYourTurnError):
            views[1 - can[0]].read_move(known.move_names[legal[0]])
        at.play(choose.choice(legal), dice)
    pytest.fail("the game does not end")


@every_game
@settings(max_examples=40, deadline=None)
@given(seed=seeds)
def test_every_listed_move_is_accepted_on_a_copy_and_no_other_is_read(
    game: str, ruleset: str, seed: int
) -> None:
    known = get_game(game)
    dice, choose = Dice(seed), random.Random(seed)
    at = known.new(ruleset, dice)
    while (seat := at.to_move) is not None:
        view, before = at.view(seat), at.to_text()
        legal = at.legal_moves()
        for move in legal:
            assert view.read_move(known.move_names[move]) == move
            at.copy().play(move, Dice(0))
        others = choose.sample(range(len(known.move_names)), 40)
        for move in set(others) - set(legal):
            with pytest.raises(IllegalMoveError):
                view.read_move(known.move_names[move])
        assert at.to_text() == before
        at.play(choose.choice(legal), dice)


@every_game
@settings(max_examples=60, deadline=None)
@given(seed=seeds)
def test_a_mutated_name_is_refused_or_read_as_exactly_what_it_spells(
    game: str, ruleset: str, seed: int
) -> None:
    known = get_game(game)
    dice, choose = Dice(seed), random.Random(seed)
    at = known.new(ruleset, dice)
    for _ in range(8):
        seat = at.to_move
        if seat is None:
            return
        view, legal = at.view(seat), at.legal_moves()
        for move in choose.sample(legal, min(6, len(legal))):
            name = known.move_names[move]
            cut = choose.randrange(len(name))
            letter = choose.choice("abcdeABCDE0123456789@!#;>→() .")
            for changed in (name[:cut] + name[cut + 1 :], name[:cut] + letter + name[cut + 1 :]):
                try:
                    read = view.read_move(changed)
                except MoveError:
                    continue
                plain = str.maketrans("", "", " .()'`")
                spelled = known.move_names[read].lower().translate(plain).replace("→", ">")
                typed = changed.lower().translate(plain).replace("→", ">")
                assert read == move or spelled == typed, (name, changed)
        at.play(choose.choice(legal), dice)


@every_game
@settings(max_examples=40, deadline=None)
@given(seed=seeds)
def test_a_copy_is_independent_and_its_text_reads_back(game: str, ruleset: str, seed: int) -> None:
    known = get_game(game)
    dice, choose = Dice(seed), random.Random(seed)
    at = known.new(ruleset, dice)
    while at.outcome() is None:
        text = at.to_text()
        again = known.from_text(text)
        assert (again.to_text(), again.legal_moves()) == (text, at.legal_moves())
        copy, move = at.copy(), choose.choice(at.legal_moves())
        played = copy.play(move, Dice(1))
        assert at.to_text() == text
        assert again.play(move, Dice(1)) == played
        assert again.to_text() == copy.to_text()
        at.play(move, dice)
    assert known.from_text(at.to_text()).outcome() == at.outcome()


@every_game
def test_a_position_text_that_is_damaged_is_refused_by_its_field(game: str, ruleset: str) -> None:
    known = get_game(game)
    text = known.new(ruleset, Dice(4)).to_text()
    for part in text.split():
        name = part.partition("=")[0]
        with pytest.raises(ValueError, match=name):
            known.from_text(text.replace(part, f"{name}=?"))
        with pytest.raises(ValueError, match=name):
            known.from_text(text.replace(part, ""))
