"""Agent Battle: two decks of AI agents, a core each, energy, classes and abilities."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from difflib import get_close_matches
from typing import Any

from ..base import SEAT_NAMES, Decks, Dice, Level, Move, Seat
from . import notation, rewards, text, tutorial
from .cards import BY_PLAIN, CARDS, FILES, NAMES, plain
from .data import DATA_SCHEMA
from .decks import ALL, Deck, deck_text, read_deck
from .moves import MOVE_NAMES, MOVES_BY_NAME
from .position import CORE, EASY_CORE, Position
from .state import RULESETS
from .view import View

__all__ = ["AgentBattle", "Position", "View"]


class AgentBattle:
    """The game as the registry hands it out; see `games.base.Game`."""

    name = "agentbattle"
    title = "Agent Battle"
    rules_version = 2
    rulesets: tuple[str, ...] = RULESETS
    owned_rulesets: frozenset[str] = frozenset({"standard"})
    deck_help = "8 card names by commas, starter or random"
    reading = (
        "Agent Battle: agents are `name class attack now/health`, in attack order. Play cards for "
        "2 energy each, `play Pi`, then `end`: your agents attack then, but new ones wait a turn."
    )
    topics: tuple[str, ...] = ("turn", "combat", "classes", "abilities", "end", "decks", "moves")
    levels: Mapping[str, Level] = {
        "easy": Level("greedy", random_share=0.5),
        "normal": Level("greedy"),
        "hard": Level("search", nodes=4000),
        "tutorial": Level("random"),
    }
    default_level = "normal"
    house_seats: tuple[Seat, ...] = (1,)
    move_names: Sequence[str] = MOVE_NAMES
    moves_by_name: Mapping[str, Move] = MOVES_BY_NAME
    data_schema: Mapping[str, Any] = DATA_SCHEMA

    def new(
        self,
        ruleset: str,
        dice: Dice,
        decks: Decks = ("", ""),
        level: str = "",
        house: Seat | None = None,
    ) -> Position:
        """Deal a new match (agentbattle 1). Raises ValueError as `read_decks` does."""
        if ruleset not in self.rulesets:
            raise ValueError(f"unknown ruleset: write one of {', '.join(self.rulesets)}")
        a, b = self._decks(decks, ruleset, dice, level, house, None)
        start = [CORE, CORE]
        if level == "easy" and house is not None:
            start[house] = EASY_CORE
        lesson = level == "tutorial"
        return Position.new(ruleset, (a, b), dice, start=(start[0], start[1]), lesson=lesson)

    def read_decks(
        self,
        typed: Decks,
        ruleset: str,
        dice: Dice,
        level: str = "",
        house: Seat | None = None,
        profile: Mapping[str, Any] | None = None,
    ) -> Decks:
        """Return both decks as the names of their eight cards (agentbattle 1).

        An empty one is `starter` in `standard`, but `random` for the house and in `all_cards`. The
        house, and everybody in `all_cards`, may use every card. Raises ValueError that names the
        rule a deck breaks.
        """
        a, b = self._decks(typed, ruleset, dice, level, house, profile)
        return deck_text(a), deck_text(b)

    def _decks(
        self,
        typed: Decks,
        ruleset: str,
        dice: Dice,
        level: str,
        house: Seat | None,
        profile: Mapping[str, Any] | None,
    ) -> tuple[Deck, Deck]:
        if level == "tutorial":
            if house != 1:
                raise ValueError("the tutorial is for seat A, with the house as seat B")
            if any(typed) and typed != tuple(map(deck_text, tutorial.DECKS)):
                raise ValueError("the tutorial brings its own decks: leave deck out")
            return tutorial.DECKS
        decks: list[Deck] = []
        for seat, deck in enumerate(typed):
            everything = ruleset == "all_cards" or seat == house
            owned = ALL if everything or profile is None else rewards.owned_cards(profile)
            wanted = deck.strip() or ("random" if everything else "starter")
            try:
                decks.append(read_deck(wanted, dice.derive("deck", seat), owned))
            except ValueError as error:
                raise ValueError(f"deck of {SEAT_NAMES[seat]}: {error}") from None
        return decks[0], decks[1]

    def new_profile(self) -> dict[str, Any]:
        """Return the profile of a new player: one copy of each card of the starter deck."""
        return rewards.new_profile()

    def read_profile(self, facts: object) -> dict[str, Any]:
        """Return what was kept of a player. Raises ValueError when it is no profile."""
        return rewards.read_profile(facts)

    def reward(
        self, profile: Mapping[str, Any], day: str, dice: Dice
    ) -> tuple[dict[str, Any], str] | None:
        """Return the profile with a Genesis pack opened, and its text; None: not on this day."""
        return rewards.reward(profile, day, dice)

    def from_text(self, line: str) -> Position:
        """Read what `Position.to_text` wrote. Raises ValueError that says what is wrong."""
        return Position.from_text(line)

    def opening(self, position: Position) -> dict[str, Any]:
        """Return what chance fixed at the start: both decks as they were shuffled."""
        decks = {
            seat: [NAMES[card] for card in deck]
            for seat, deck in zip(SEAT_NAMES, position.decks, strict=True)
        }
        return {"decks": decks}

    def parse_move(self, typed: str) -> Move:
        """Read one move, legal or not. Raises InvalidMoveError or AmbiguousMoveError."""
        return notation.parse(typed)

    def rules(self, topic: str = "") -> str:
        """Return the short rules, or one of `topics` in full. Raises ValueError for another."""
        parts = FILES.joinpath("rules.md").read_text(encoding="utf-8").split("\n# ")
        sections = {head: body for head, _, body in (part.partition("\n") for part in parts[1:])}
        if not topic:
            return parts[0].strip()
        if topic not in sections:
            raise ValueError(f"unknown topic: write one of {', '.join(self.topics)}, or leave out")
        return f"{self.title}, {topic}. {sections[topic].strip()}"

    def cards(self, names: Sequence[str] = (), profile: Mapping[str, Any] | None = None) -> str:
        """Return the named cards (all when none is named), a line each.

        With a profile, what it owns is marked. Raises ValueError for an unknown card.
        """
        owned: Mapping[str, int] = {} if profile is None else rewards.collection(profile)
        numbers: dict[int, None] = {}  # each card once, as first named
        for name in names:
            number = BY_PLAIN.get(plain(name))
            if number is None:
                close = get_close_matches(plain(name), BY_PLAIN, 1)
                hint = f"; did you mean {NAMES[BY_PLAIN[close[0]]]}?" if close else ""
                raise ValueError(f"no card is called {name.strip()[:24]!a}{hint}")
            numbers[number] = None
        return text.cards(numbers or [card.number for card in CARDS], owned)
