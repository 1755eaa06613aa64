"""Nothing hidden leaks: worlds that differ in what a seat cannot see are the same to this seat.

`check_same` is the checker. It is held against every game and ruleset, and against planted leaks
that it must catch. A third game adds its entries to `UNKNOWN`, `TWIN` and `PROBES`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

import pytest

from smashclash_mcp import GAMES, Dice, Game, Match, MoveError, Position, Setup, View
from smashclash_mcp.games import smashclash
from smashclash_mcp.games.base import Event, Events, Move, Played, Seat
from smashclash_mcp.games.smashclash.cards import NAMES
from smashclash_mcp.players import get_level
from tests.agentbattle import worlds as agentbattle
from tests.smashclash import worlds as smashclash_worlds

Twin = Callable[[Any, Seat | None, Dice], Position]

UNKNOWN: dict[str, Callable[[Any, Seat | None], Sequence[str]]] = {
    "smashclash": smashclash_worlds.unknown_cards,
    "agentbattle": agentbattle.unknown_cards,
}
"""The cards in hands that a seat cannot know."""
TWIN: dict[str, Twin] = {"smashclash": smashclash_worlds.twin, "agentbattle": agentbattle.twin}
"""A world that looks the same to a seat, built without the views that are tested."""
PROBES: dict[str, Callable[[Any, Seat | None], Sequence[str]]] = {
    "smashclash": smashclash_worlds.probes,
    "agentbattle": agentbattle.probes,
}
"""Texts to be read as moves, with the cards that a seat cannot know."""

RULESETS = [(game.name, ruleset) for game in GAMES.values() for ruleset in game.rulesets]
LEVELS = [(game.name, level) for game in GAMES.values() for level in game.levels]
GAMES_A_RULESET = 150
SEATS: tuple[Seat | None, ...] = (0, 1, None)
TEXTS = (
    "",
    " ",
    "pass",
    "resign",
    "help",
    "what does the other hand hold?",
    "deck",
    "hop: stay",
    "#1@A1",
    "#46@C2",
    "#99@C2",
    "#105",
    "@A1",
    "A1 or B1",
    "x" * 500,
    "\u202e\x00",
)


class LeakError(AssertionError):
    """Two worlds that a seat must not tell apart differ in something that it is told."""


def differ(what: str, one: object, other: object) -> None:
    if one != other:
        raise LeakError(f"{what}:\n{one}\n--- in the other world:\n{other}")


def reading(view: View, typed: str) -> Move | str:
    """Return the move that a text means, or the error with its kind and text."""
    try:
        return view.read_move(typed)
    except MoveError as error:
        return f"{type(error).__name__} {error.code}: {error}"


def told(events: Events, seat: Seat | None) -> tuple[list[Event], list[tuple[str | int, int]]]:
    """Return what a move tells a seat, without the values of its private events.

    A card that this seat draws, or gets by an exchange of hands, was hidden until now, so the
    worlds rightly differ in which it is; that it came, and how many, must be the same.
    """
    own = [] if seat is None else events.private[seat]
    return events.public, [(event[0], len(event)) for event in own]


def check_same(game: Game, one: View, other: View, texts: Sequence[str], dice_seed: int) -> None:
    """Raise LeakError when two views of the same seat differ in anything that can be asked."""
    for legend, hints in ((False, False), (True, True)):
        differ("text", *(v.text("g", legend=legend, hints=hints) for v in (one, other)))
    differ("data", one.data(hints=True), other.data(hints=True))
    differ("text as str", str(one), str(other))
    differ("legal moves", one.legal_moves(), other.legal_moves())
    differ("legal text", one.legal_text(), other.legal_text())
    differ("outcome", one.outcome(), other.outcome())
    differ("whose turn", (one.seat, one.to_move, one.ply), (other.seat, other.to_move, other.ply))
    for typed in texts:
        differ(f"reading {typed!r}", reading(one, typed), reading(other, typed))
    for move in one.legal_moves():
        differ(f"gain of {game.move_names[move]}", one.gain(move), other.gain(move))
    samples = [view.sample(Dice(dice_seed)).to_text() for view in (one, other)]
    differ("samples by the same dice", *samples)


def check_move(one: Position, other: Position, seat: Seat | None, move: Move) -> None:
    """Raise LeakError when the same move with the same dice tells a seat different things."""
    happened = [told(world.copy().play(move, Dice(one.ply)), seat) for world in (one, other)]
    differ("events", *happened)


def games(name: str, ruleset: str, seeds: Sequence[int]) -> Iterator[Match]:
    """Yield a match before every move of whole random games, and at its end."""
    for seed in seeds:
        match = Match(Setup(name, ruleset, seed))
        dice = Dice(seed)
        while match.to_move is not None:
            yield match
            legal = match.position.legal_moves()
            match.play(legal[dice.below(len(legal))])
        yield match


def sampled(position: Position, seat: Seat | None, dice: Dice) -> Position:
    return position.view(seat).sample(dice)


def check_games(name: str, ruleset: str, seeds: Sequence[int], twin: Twin) -> tuple[int, int]:
    """Check a pair of worlds at every ply for each seat and a spectator.

    Return how many pairs there were with unknown hand cards, and in how many these differ.
    """
    game = GAMES[name]
    pairs = different = 0
    for match in games(name, ruleset, seeds):
        truth = match.position
        dice = Dice(match.setup.seed).derive("leaks", truth.ply)
        some = [game.move_names[dice.below(len(game.move_names))] for _ in range(8)]
        for seat in SEATS:
            world = twin(truth, seat, dice)
            hidden, dealt = UNKNOWN[name](truth, seat), UNKNOWN[name](world, seat)
            texts = [*TEXTS, *some, *PROBES[name](truth, seat), *PROBES[name](world, seat)]
            recent = match.recent(seat)
            views = truth.view(seat, recent), world.view(seat, recent)
            check_same(game, *views, texts, dice.below(1 << 20))
            both = set(world.legal_moves())
            moves = [move for move in truth.legal_moves() if move in both]
            if moves:
                check_move(truth, world, seat, moves[dice.below(len(moves))])
            pairs += bool(hidden)
            different += bool(hidden) and sorted(hidden) != sorted(dealt)
    return pairs, different


@pytest.mark.parametrize(("name", "ruleset"), RULESETS)
@pytest.mark.parametrize("part", range(3))
def test_a_seat_cannot_tell_sampled_worlds_apart(name: str, ruleset: str, part: int) -> None:
    pairs, different = check_games(name, ruleset, range(part, GAMES_A_RULESET, 3), sampled)
    assert pairs > GAMES_A_RULESET
    assert different >= 0.95 * pairs


@pytest.mark.parametrize(("name", "ruleset"), RULESETS)
def test_a_seat_cannot_tell_worlds_apart_that_are_built_without_views(
    name: str, ruleset: str
) -> None:
    pairs, different = check_games(name, ruleset, range(1000, 1040), TWIN[name])
    assert pairs > 40
    assert different >= 0.95 * pairs


@pytest.mark.parametrize(("name", "level"), LEVELS)
def test_a_player_chooses_the_same_move_in_another_hidden_world(name: str, level: str) -> None:
    player = get_level(GAMES[name], level)
    seeds = range(4 if GAMES[name].levels[level].nodes else 40)  # a search takes its time
    for match in games(name, GAMES[name].rulesets[0], seeds):
        seat = match.to_move
        if seat is None:
            continue
        world = TWIN[name](match.position, seat, Dice(match.setup.seed))
        chosen = [
            player.choose(view, Dice(match.position.ply))
            for view in (match.view(seat), world.view(seat, match.recent(seat)))
        ]
        assert chosen[0] == chosen[1], f"seed {match.setup.seed}, ply {match.position.ply}"


@pytest.mark.parametrize(("name", "ruleset"), RULESETS)
def test_a_view_keeps_what_it_saw_when_the_game_goes_on(name: str, ruleset: str) -> None:
    match = Match(Setup(name, ruleset, 3))
    view = match.view(0)
    before = view.text(), view.sample(Dice(1)).to_text()
    dice = Dice(3)
    while match.to_move is not None:
        legal = match.position.legal_moves()
        match.play(legal[dice.below(len(legal))])
    assert (view.text(), view.sample(Dice(1)).to_text()) == before


# --- planted leaks: the checker is worth something ---------------------------------------------


class Peeking(smashclash.View):
    """A view that keeps the truth, as no view may."""

    __slots__ = ("truth",)

    def __init__(
        self, position: smashclash.Position, seat: Seat | None, recent: Sequence[Played]
    ) -> None:
        super().__init__(position, seat, recent)
        self.truth = position.copy()

    def other_hand(self) -> list[int]:
        return self.truth.hands[0 if self.seat is None else 1 - self.seat]


class TellsTheHand(Peeking):
    def text(self, title: str = "", *, legend: bool = False, hints: bool = False) -> str:
        names = [NAMES[card] for card in self.other_hand()]
        return super().text(title, legend=legend, hints=hints) + f"\nThey hold {', '.join(names)}"


class OrdersByTheDeck(Peeking):
    def legal_moves(self) -> list[Move]:
        legal = super().legal_moves()
        return legal[::-1] if self.truth.deck[self.truth.top] % 2 else legal


class SamplesTheTruth(Peeking):
    def sample(self, dice: Dice) -> smashclash.Position:
        position = super().sample(dice)
        top = self.truth.deck[self.truth.top :]
        rest = set(position.deck[position.top :])
        position.deck = (0,) * position.top + tuple(
            sorted(rest, key=lambda card: top.index(card) if card in top else 99)
        )
        return position


class NamesAHiddenCard(Peeking):
    def read_move(self, typed: str) -> Move:
        try:
            return super().read_move(typed)
        except MoveError as error:
            if any(typed.startswith(f"{NAMES[card]}@") for card in self.other_hand()):
                raise type(error)(f"{error}: the other seat holds it") from None
            raise


class PlaysByTheHand(Peeking):
    def gain(self, move: Move) -> tuple[int, ...]:
        return (*super().gain(move), max(self.other_hand(), default=0))


LEAKS: dict[type[Peeking], str] = {
    TellsTheHand: "text",
    OrdersByTheDeck: "text|legal moves",
    SamplesTheTruth: "samples",
    NamesAHiddenCard: "reading",
    PlaysByTheHand: "gain",
}


@pytest.mark.parametrize("leak", LEAKS, ids=lambda leak: leak.__name__)
@pytest.mark.parametrize("ruleset", GAMES["smashclash"].rulesets)
def test_a_planted_leak_is_caught(
    leak: type[Peeking], ruleset: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def view(
        self: smashclash.Position, seat: Seat | None, recent: Sequence[Played] = ()
    ) -> Peeking:
        return leak(self, seat, recent)

    monkeypatch.setattr(smashclash.Position, "view", view)
    for twin in (sampled, TWIN["smashclash"]):
        with pytest.raises(LeakError, match=f"^({LEAKS[leak]})"):
            check_games("smashclash", ruleset, range(20), twin)


def test_a_public_event_that_tells_a_drawn_card_is_caught(monkeypatch: pytest.MonkeyPatch) -> None:
    play = smashclash.Position.play

    def leaky(self: smashclash.Position, move: Move, dice: Dice, before_pass: Any = None) -> Events:
        events = play(self, move, dice, before_pass)
        drawn = [event for own in events.private for event in own]
        return Events([*events.public, *drawn], events.private)

    monkeypatch.setattr(smashclash.Position, "play", leaky)
    with pytest.raises(LeakError, match=r"^events"):
        check_games("smashclash", "mutators", range(5), sampled)
