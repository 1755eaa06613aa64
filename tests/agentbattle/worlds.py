"""Worlds of Agent Battle that look alike to one seat, built without `View`, for tests of leaks."""

from __future__ import annotations

from smashclash_mcp.games.agentbattle import Position
from smashclash_mcp.games.agentbattle.cards import CARDS, NAMES
from smashclash_mcp.games.base import Dice, Seat


def unknown_cards(position: Position, seat: Seat | None) -> list[str]:
    """Return the names of the hand cards that `seat` cannot know: all but its own."""
    return [NAMES[card] for owner in (0, 1) if owner != seat for card in position.hands[owner]]


def twin(position: Position, seat: Seat | None, dice: Dice) -> Position:
    """Return a copy with other cards in the other hand and deck, and the own deck in any order.

    What the other seat has on the board or lost is in its deck and cannot be elsewhere.
    """
    other = position.copy()
    decks = [list(deck) for deck in position.decks]
    for owner in (0, 1):
        top = position.tops[owner]
        if owner == seat:
            rest = decks[owner][top:]
            dice.shuffle(rest)
            decks[owner][top:] = rest
            continue
        seen = {agent.card for agent in position.boards[owner]} | set(position.out[owner])
        unseen = [card.number for card in CARDS if card.number not in seen]
        dice.shuffle(unseen)
        other.hands[owner] = [unseen.pop() for _ in position.hands[owner]]
        decks[owner][top:] = [unseen.pop() for _ in decks[owner][top:]]
    other.decks = (tuple(decks[0]), tuple(decks[1]))
    return other


def probes(position: Position, seat: Seat | None) -> list[str]:
    """Return moves with the hand cards that `seat` cannot know, one of them also badly spelled."""
    names = unknown_cards(position, seat)
    return [*(f"play {name}" for name in names), *names[:1], *(f"play {n}x" for n in names[-1:])]
