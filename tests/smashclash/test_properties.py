"""Properties of whole games that name Smash&Clash's own rules."""

from __future__ import annotations

import random
import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from smashclash_mcp import Dice
from smashclash_mcp.games.smashclash import Position
from smashclash_mcp.games.smashclash.board import NEIGHBOURS
from smashclash_mcp.games.smashclash.cards import DECK
from smashclash_mcp.games.smashclash.moves import MOVES

from .build import GAME

seeds = st.integers(0, 2**53 - 1)
rulesets = pytest.mark.parametrize("ruleset", GAME.rulesets)


def deal(ruleset: str, dice: Dice) -> Position:
    at = GAME.new(ruleset, dice)
    assert isinstance(at, Position)
    return at


@rulesets
@settings(max_examples=400, deadline=None)
@given(seed=seeds)
def test_every_card_is_in_exactly_one_place(ruleset: str, seed: int) -> None:
    dice, choose = Dice(seed), random.Random(seed)
    at = deal(ruleset, dice)
    gone: set[int] = set()
    while at.outcome() is None:
        at.play(choose.choice(at.legal_moves()), dice)
        zones = [*at.hands[0], *at.hands[1], *at.deck[at.top :], *at.gone()]
        zones += [piece & 63 for piece in at.board if piece]
        assert sorted(zones) == list(DECK)
        assert gone <= set(at.gone())
        gone = set(at.gone())
        assert all(1 <= len(hand) <= 5 for hand in at.hands) or at.top == 51 or at.hop >= 0
        assert at.occupied == sum(1 << tile for tile in range(15) if at.board[tile])


@rulesets
@settings(max_examples=400, deadline=None)
@given(seed=seeds)
def test_only_enemy_neighbours_that_are_not_frozen_are_captured(ruleset: str, seed: int) -> None:
    dice, choose = Dice(seed), random.Random(seed)
    at = deal(ruleset, dice)
    while at.outcome() is None:
        legal = at.legal_moves()
        effects = [move for move in legal if MOVES[move].kind == 2]
        move = choose.choice(effects if effects and choose.random() < 0.5 else legal)
        before, seat = at.copy(), at.seat
        events = at.play(move, dice)
        decoded = MOVES[move]
        to = decoded.to if decoded.to >= 0 else decoded.tile
        for event in events.public:
            if event[0] == "capture":
                tile = int(event[1])
                assert tile in [other for other, _ in NEIGHBOURS[to]]
                assert before.board[tile] >> 6 == 1 - seat
                assert not before.frozen >> tile & 1
        for tile in range(15):
            if before.frozen >> tile & 1 and GAME.move_names[move] != "FLIP":
                assert at.board[tile] == before.board[tile]


def test_a_game_can_use_up_all_51_cards_with_tiles_still_empty() -> None:
    found = 0
    for seed in range(400):
        dice, choose = Dice(seed), random.Random(seed)
        at = deal("mutators", dice)
        while at.outcome() is None:
            legal = at.legal_moves()
            eager = [m for m in legal if MOVES[m].kind == 1 or GAME.move_names[m][:4] == "BOUL"]
            at.play(choose.choice(eager or legal), dice)
        outcome = at.outcome()
        assert outcome is not None
        if outcome.reason == "no moves left":
            found += 1
            assert at.top == 51
            assert 0 in at.board
            assert not any(card < 47 for hand in at.hands for card in hand)
    assert found


@pytest.mark.parametrize(
    ("old", "new", "field"),
    [
        (r"power=\S*", "power=A1:pink+0", "power"),
        (r"power=\S*", "power=A1:pink+-1", "power"),
        (r"power=\S*", "power=A1:pink+3", "power"),
        (r"hop=", "hop=A1", "hop"),
        (r"ply=0", "ply=-1", "ply"),
        (r"ply=0", "ply=0 ply=7", "ply"),
    ],
)
def test_a_position_text_that_could_not_be_is_refused(old: str, new: str, field: str) -> None:
    text = re.sub(old, new, deal("mutators", Dice(4)).to_text())
    with pytest.raises(ValueError, match=field):
        GAME.from_text(text)
