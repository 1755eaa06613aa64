"""Smash&Clash: a 3x5 board, four-sided cards, hidden hands, effects, chess and power tiles."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from difflib import get_close_matches
from typing import Any

from ..base import Decks, Dice, Level, Move, Seat
from . import notation, text
from .cards import CARDS, FILES, NAMES
from .data import DATA_SCHEMA
from .moves import MOVE_NAMES, MOVES_BY_NAME
from .position import Position
from .view import View

__all__ = ["Position", "SmashClash", "View"]


class SmashClash:
    """The game as the registry hands it out; see `games.base.Game`."""

    name = "smashclash"
    title = "Smash&Clash"
    rules_version = 1
    rulesets: tuple[str, ...] = ("mutators", "classic")
    owned_rulesets: frozenset[str] = frozenset()
    deck_help = ""
    reading = (
        "Smash&Clash: + are your cards, - theirs, * frozen; sides are N/E/S/W as they touch on the "
        "board. `Legal:` lists cards @ tiles: play `Pengu@C2`; `any empty` is every tile without "
        "a + or - card. When a hop is on offer, play `hop→E3` or `hop: stay`."
    )
    topics: tuple[str, ...] = ("captures", "effects", "chess", "power", "overrun", "end", "moves")
    levels: Mapping[str, Level] = {"greedy": Level("greedy"), "random": Level("random")}
    default_level = "greedy"
    house_seats: tuple[Seat, ...] = (1, 0)
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
        """Deal a new game. Raises ValueError for an unknown ruleset, or decks, which it has not."""
        if ruleset not in self.rulesets:
            raise ValueError(f"unknown ruleset: write one of {', '.join(self.rulesets)}")
        self.read_decks(decks, ruleset, dice)
        return Position.new(ruleset == "mutators", dice)

    def read_decks(
        self,
        typed: Decks,
        ruleset: str,
        dice: Dice,
        level: str = "",
        house: Seat | None = None,
        profile: Mapping[str, Any] | None = None,
    ) -> Decks:
        """Return no decks. Raises ValueError when any is given: both seats share one deck."""
        if any(deck.strip() for deck in typed):
            raise ValueError("both seats draw from one shared deck: leave deck out")
        return typed

    def new_profile(self) -> dict[str, Any]:
        """Return an empty profile: nothing is kept from game to game."""
        return {}

    def read_profile(self, facts: object) -> dict[str, Any]:
        """Return an empty profile. Raises ValueError when something was kept nevertheless."""
        if facts != {}:
            raise ValueError("nothing is kept of a player in this game")
        return {}

    def reward(
        self, profile: Mapping[str, Any], day: str, dice: Dice
    ) -> tuple[dict[str, Any], str] | None:
        """Return None: a win earns nothing but itself."""
        return None

    def from_text(self, line: str) -> Position:
        """Read what `Position.to_text` wrote. Raises ValueError that says what is wrong."""
        return Position.from_text(line)

    def opening(self, position: Position) -> dict[str, Any]:
        """Return what chance fixed at the start: the shuffled deck, A's five first, then B's."""
        return {"deck": [NAMES[card] for card in position.deck]}

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

        A card is named as in a move, or by its id. Raises ValueError for an unknown one.
        """
        known = {notation.plain(card.name): card.number for card in CARDS}
        known |= {str(card.id): card.number for card in CARDS}
        if not names:
            return text.cards(card.number for card in CARDS)
        numbers: dict[int, None] = {}  # each card once, as first named
        for name in names:
            key = name.strip().lstrip("#") if name.strip(" #").isdigit() else notation.plain(name)
            if key not in known:
                close = get_close_matches(notation.plain(name), known, 1)
                hint = f"; did you mean {NAMES[known[close[0]]]}?" if close else ""
                raise ValueError(f"no card is called {name.strip()[:24]!a}{hint}")
            numbers[known[key]] = None
        return text.cards(numbers)
