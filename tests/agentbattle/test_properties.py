"""Properties of random matches: what holds at every ply, whatever is played."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from smashclash_mcp import Dice, GreedyPlayer, Match, RandomPlayer, Setup
from smashclash_mcp.games.agentbattle import Position
from smashclash_mcp.games.agentbattle.cards import FULL
from smashclash_mcp.games.base import Seat
from smashclash_mcp.players import Player

RULESETS = ("standard", "all_cards")
EVERYTHING = 8


def matches(ruleset: str, count: int) -> Iterator[tuple[Match, Position]]:
    """Yield a match at every ply of whole matches by greedy and random players."""
    for seed in range(count):
        match = Match(Setup("agentbattle", ruleset, seed))
        at = match.position
        assert isinstance(at, Position)
        players: list[Player] = [GreedyPlayer(), RandomPlayer()]
        dice = Dice(seed)
        while match.to_move is not None:
            yield match, at
            view = match.view(match.to_move)
            match.play(players[(seed + match.to_move) % 2].choose(view, dice))
        yield match, at


@pytest.mark.parametrize("ruleset", RULESETS)
def test_every_card_of_a_deck_is_in_exactly_one_place(ruleset: str) -> None:
    for _, at in matches(ruleset, 60):
        for seat in (0, 1):
            here = [*at.hands[seat], *at.decks[seat][at.tops[seat] :], *at.out[seat]]
            here += [agent.card for agent in at.boards[seat]]
            assert sorted(here) == sorted(at.decks[seat])
            assert len(here) == EVERYTHING


@pytest.mark.parametrize("ruleset", RULESETS)
def test_numbers_stay_within_their_bounds(ruleset: str) -> None:
    for match, at in matches(ruleset, 60):
        assert 1 <= at.turn <= 16
        assert 0 <= at.energy <= 6
        for seat in (0, 1):
            assert 0 <= at.cores[seat] <= at.start[seat]
            assert len(at.boards[seat]) <= 3
            assert at.blocks[seat] >= 0
            for agent in at.boards[seat]:
                assert 0 < agent.health <= FULL[agent.card]
                assert agent.since <= at.turn
        outcome = match.outcome()
        if outcome:
            assert outcome.score == (at.cores[0], at.cores[1])
            assert (0 in outcome.score) == (outcome.reason == "core destroyed")
            assert outcome.reason != "turn 16" or at.turn == 16


@pytest.mark.parametrize("ruleset", RULESETS)
def test_every_match_ends_within_16_turns_and_32_plies(ruleset: str) -> None:
    for match, _ in matches(ruleset, 60):
        assert len(match.played) <= 16 + 2 * EVERYTHING


@pytest.mark.parametrize("ruleset", RULESETS)
def test_the_seats_take_turns(ruleset: str) -> None:
    for match, at in matches(ruleset, 20):
        seats = [entry.seat for entry in match.played if entry.name == "end"]
        assert seats == [turn % 2 for turn in range(len(seats))]
        assert match.to_move in (None, (at.turn + 1) % 2)


def test_a_sample_agrees_with_all_that_the_seat_has_seen() -> None:
    for match, at in matches("all_cards", 25):
        for seat in (0, 1, None):
            world = match.view(seat).sample(Dice(at.ply))
            assert isinstance(world, Position)
            check_sample(at, world, seat)


def check_sample(truth: Position, world: Position, seat: Seat | None) -> None:
    """Fail unless a dealt world could be the truth for a seat."""
    assert world.view(seat).text() == truth.view(seat).text()
    for owner in (0, 1):
        assert len(world.hands[owner]) == len(truth.hands[owner])
        assert world.deck_size(owner) == truth.deck_size(owner)
        rest = world.decks[owner][world.tops[owner] :]
        here = [*world.hands[owner], *rest, *world.out[owner]]
        here += [agent.card for agent in world.boards[owner]]
        assert len(set(here)) == len(here) == EVERYTHING
        if owner == seat:
            assert world.hands[owner] == truth.hands[owner]
            assert sorted(rest) == sorted(truth.decks[owner][truth.tops[owner] :])


def test_samples_differ_in_what_the_seat_cannot_see() -> None:
    match = Match(Setup("agentbattle", "all_cards", 3))
    worlds = [match.view(0).sample(Dice(seed)) for seed in range(300)]
    hands = {tuple(world.hands[1]) for world in worlds if isinstance(world, Position)}
    decks = {world.decks[0][4:] for world in worlds if isinstance(world, Position)}
    assert len(hands) > 290
    assert len(decks) == 24  # all orders of four cards
