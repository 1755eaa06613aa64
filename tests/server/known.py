"""What each seat has come to know by each ply, worked out from a finished game's record.

The canary holds answers against it. A third game adds its entry to `SECRETS`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from smashclash_mcp import GAMES, Match, Record
from smashclash_mcp.games import agentbattle, smashclash
from smashclash_mcp.games.agentbattle import cards as agents
from smashclash_mcp.games.agentbattle import notation as agent_notation
from smashclash_mcp.games.base import STOPS, Seat
from smashclash_mcp.games.smashclash import cards, notation

Known = dict[Seat | None, set[int]]


@dataclass(frozen=True)
class Secrets:
    """What one game hides."""

    names: Mapping[int, str]
    """Every card's name by its number."""
    ids: Mapping[int, str]
    """What else may stand for a card in an answer."""
    examples: Sequence[str]
    """Texts of refusals that name a card whatever the game is."""
    move: Callable[[str], Sequence[str]]
    """What is written to play a card, in every way."""
    look: Callable[[Match, Known], None]
    """Add to `Known` what can be known of the position now."""
    decks: Callable[[Match], Sequence[Sequence[int]]]
    """The cards that are still to be drawn, in order."""

    def cards_in(self, told: str) -> list[int]:
        """Return the cards that are named in a text, in order."""
        longest_first = sorted(self.names, key=lambda card: -len(self.names[card]))
        pattern = "|".join(re.escape(self.names[card]) for card in longest_first)
        numbers = {name: card for card, name in self.names.items()}
        return [numbers[name] for name in re.findall(rf"\b(?:{pattern})(?!\w)", told)]


@dataclass(frozen=True)
class Moment:
    """A ply of a game: what each seat and a spectator know, and what is to come."""

    known: Known
    decks: Sequence[Sequence[int]]


def moments(record: Record) -> list[Moment]:
    """Return each ply of a finished game."""
    secrets = SECRETS[record.setup.game]
    match = Match(record.setup)
    known: Known = {0: set(), 1: set(), None: set()}
    plies: list[Moment] = []

    def look() -> None:
        secrets.look(match, known)
        plies.append(Moment({seat: set(own) for seat, own in known.items()}, secrets.decks(match)))

    look()
    for ply, (seat, name) in enumerate(record.moves, 1):
        if name in STOPS:
            match.stop(name, seat)
        elif ply > len(match.played):
            match.play(match.game.moves_by_name[name])
        look()
    return plies


def _look_smashclash(match: Match, known: Known) -> None:
    position = match.position
    assert isinstance(position, smashclash.Position)
    public = {piece & 63 for piece in position.board if piece} | set(position.gone())
    for seat, own in known.items():
        own |= public
        if seat is None:
            continue
        own |= set(position.hands[seat])
        if position.top == len(position.deck):  # what is left is in the other hand
            own |= set(cards.DECK)


def _look_agentbattle(match: Match, known: Known) -> None:
    position = match.position
    assert isinstance(position, agentbattle.Position)
    for owner in (0, 1):
        shown = {agent.card for agent in position.boards[owner]} | set(position.out[owner])
        for own in known.values():
            own |= shown
        known[owner] |= set(position.decks[owner])  # its own deck, in no order


def _smashclash_decks(match: Match) -> Sequence[Sequence[int]]:
    position = match.position
    assert isinstance(position, smashclash.Position)
    return [position.deck[position.top :]]


def _agentbattle_decks(match: Match) -> Sequence[Sequence[int]]:
    position = match.position
    assert isinstance(position, agentbattle.Position)
    return [position.decks[seat][position.tops[seat] :] for seat in (0, 1)]


SECRETS = {
    "smashclash": Secrets(
        names={card: cards.NAMES[card] for card in cards.DECK},
        ids={card: str(cards.IDS[card]) for card in cards.DECK},
        examples=(notation.EXAMPLES, "like `Pengu@C2`"),
        move=lambda name: (f"{name}@A1", f"{name}!C2", name, "hop→E3", "BOULDER(C2)"),
        look=_look_smashclash,
        decks=_smashclash_decks,
    ),
    "agentbattle": Secrets(
        names={card.number: card.name for card in agents.CARDS},
        ids={card.number: str(card.number) for card in agents.CARDS},
        examples=(agent_notation.EXAMPLES,),
        move=lambda name: (f"play {name}", name, f"play {name}x", f"{name}; play {name}", "attack"),
        look=_look_agentbattle,
        decks=_agentbattle_decks,
    ),
}
assert SECRETS.keys() == GAMES.keys()
