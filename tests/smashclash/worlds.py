"""Worlds of Smash&Clash that look alike to one seat, built without `View`, for tests of leaks."""

from __future__ import annotations

from smashclash_mcp.games.base import Dice, Seat
from smashclash_mcp.games.smashclash import Position
from smashclash_mcp.games.smashclash.cards import NAMES


def unknown_slots(position: Position, seat: Seat | None) -> list[tuple[int, int]]:
    """Return (owner, index) of each hand card that `seat` cannot know.

    A seat knows its own hand, what went through a SWAP, and everything once the deck is empty; a
    spectator knows no hand.
    """
    open_hands = seat is not None and position.top == len(position.deck)
    return [
        (owner, index)
        for owner in (0, 1)
        for index, card in enumerate(position.hands[owner])
        if owner != seat and not open_hands and (seat is None or not position.known >> card & 1)
    ]


def unknown_cards(position: Position, seat: Seat | None) -> list[str]:
    """Return the names of the hand cards that `seat` cannot know, by owner and hand order."""
    return [NAMES[position.hands[owner][i]] for owner, i in unknown_slots(position, seat)]


def twin(position: Position, seat: Seat | None, dice: Dice) -> Position:
    """Return a copy in which all that `seat` cannot see, hands and deck, is dealt anew."""
    other = position.copy()
    slots = unknown_slots(position, seat)
    hidden = [position.hands[owner][i] for owner, i in slots]
    hidden += position.deck[position.top :]
    dice.shuffle(hidden)
    for owner, i in slots:
        other.hands[owner][i] = hidden.pop()
    other.deck = position.deck[: position.top] + tuple(hidden)
    return other


def everything(position: Position) -> list[int]:
    """Return every card of a position, wherever it is, in id order."""
    here = [piece & 63 for piece in position.board if piece]
    here += [*position.hands[0], *position.hands[1], *position.deck[position.top :]]
    return sorted([*here, *position.gone()])


def probes(position: Position, seat: Seat | None) -> list[str]:
    """Return moves with the hand cards that `seat` cannot know, one of them also badly spelled."""
    names = unknown_cards(position, seat)
    moves = [f"{name}@C2" for name in names]
    return [
        *moves,
        *(f"{name}{rest}" for name in names[:1] for rest in ("!C2", "@Z9", "(A1)")),
        *(f"{name[:-1]}@A1" for name in names[-1:]),
    ]
