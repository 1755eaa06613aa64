"""The MCP tools: parse, call a table, render. Design section 5 is their contract."""

from __future__ import annotations

import logging
import re
import time
from collections.abc import Callable, Iterable

import anyio

from ..games import DEFAULT_GAME, GAMES, get_game
from ..games.base import SEAT_NAMES, Decks, Dice, Game, Seat, View
from ..record import Setup, clean_name, to_json
from ..tables import Access, CallError, Listed, Profile, Reply, StoreError, Table, Tables
from ..tables.registry import drawn_seed
from .strict import Answer, Arg, ToolSpec, as_json, off_loop

log = logging.getLogger(__name__)

RULESETS = tuple(dict.fromkeys(name for game in GAMES.values() for name in game.rulesets))
MAX_TEXT = 2000
"""The longest text of an argument, in characters."""
MOST_LISTED = 50
"""How many games `list_games` shows."""
WAIT_STEP = 0.1
"""Seconds between two looks at a table that somebody waits for."""

GAME = Arg("Which game.", default=DEFAULT_GAME, choices=tuple(GAMES))
GAME_ID = Arg(
    "Id (g_...) or seat key (s_...) from new_game; empty: the only unfinished game.", default=""
)
FORMAT = Arg("json: the same facts as JSON.", default="text", choices=("text", "json"))


def tool_specs(tables: Tables) -> list[ToolSpec]:
    """Return every tool, bound to the tables of one server."""
    here = Tools(tables)
    return [
        ToolSpec(
            "get_rules",
            "The rules in short, with their version. A topic gives one part in full: "
            + "; ".join(f"{game.name}: {', '.join(game.topics)}" for game in GAMES.values())
            + ".",
            here.get_rules,
            {"game": GAME, "topic": Arg("A topic; empty: the short rules.", default="")},
            read_only=True,
            idempotent=True,
        ),
        ToolSpec(
            "get_cards",
            "Cards as lines, with all that is printed on them and, where cards are collected, "
            "whether you own them.",
            here.get_cards,
            {
                "game": GAME,
                "names": Arg("Names by commas; empty: all.", default="", longest=MAX_TEXT),
            },
            read_only=True,
            idempotent=True,
        ),
        ToolSpec(
            "new_game",
            "Start a game. Returns the state block: board, your hand, legal moves. "
            "With opponent self it also gives a key for each seat.",
            here.new_game,
            {
                "game": GAME,
                "ruleset": Arg(
                    f"How it is played. {_by_game(lambda game: game.rulesets)}.",
                    default="",
                    choices=("", *RULESETS),
                ),
                "opponent": Arg(
                    "house: the built-in player. self: you play both seats.",
                    default="house",
                    choices=("house", "self"),
                ),
                "level": Arg(
                    f"How the house plays. {_by_game(lambda game: game.levels)}.", default=""
                ),
                "seed": Arg(
                    "Whole number 0 to 2^53-1: the same seed deals the same game. Empty: drawn.",
                    default="",
                    number_text=True,
                ),
                "seat": Arg("Your seat against the house.", default="A", choices=SEAT_NAMES),
                "name": Arg("Your name for the record.", default=""),
                "deck": Arg(
                    f"{_deck_help()} With self: `A: ...; B: ...`.", default="", longest=MAX_TEXT
                ),
                "hints": Arg("Add a line: what your moves would do at once.", bool, False),
            },
        ),
        ToolSpec(
            "legal_moves",
            "The legal moves now, factored; list: one exact move name a line and nothing else.",
            here.legal_moves,
            {
                "game_id": GAME_ID,
                "format": Arg("Shape.", default="text", choices=("text", "list", "json")),
            },
            read_only=True,
            idempotent=True,
        ),
        ToolSpec(
            "play",
            "Play a move. Returns the state block after the house's reply, so it is your turn "
            "again or the game is over. A refusal changes nothing and says what is legal; "
            "a list that got part of the way says how far.",
            here.play,
            {
                "move": Arg("A move as listed, or several of one turn joined by `;`."),
                "game_id": GAME_ID,
                "move_no": Arg(
                    "Number in the block (`move 9`): makes a repeated call safe. 0: not given.",
                    int,
                    0,
                    most=9999,
                ),
                "format": FORMAT,
            },
            destructive=True,
            where=here.view_of,
        ),
        ToolSpec(
            "get_state",
            "The whole state block of a game, as play returns it.",
            here.get_state,
            {
                "game_id": GAME_ID,
                "wait_s": Arg("Wait so many seconds for your turn.", int, 0, most=20),
                "format": FORMAT,
            },
            read_only=True,
            idempotent=True,
        ),
        ToolSpec(
            "resign",
            "Give up the game: your seat loses. Returns the final state.",
            here.resign,
            {"game_id": GAME_ID},
            destructive=True,
        ),
        ToolSpec(
            "list_games",
            "This server's games, a line each: id, game, ruleset, opponent, move or result.",
            here.list_games,
            {"status": Arg("Empty: all.", default="", choices=("", "active", "finished"))},
            read_only=True,
            idempotent=True,
        ),
        ToolSpec(
            "get_replay",
            "A finished game move by move, with its seed; json also has every state, "
            "so that anyone can check it.",
            here.get_replay,
            {
                "game_id": Arg(
                    "As for play; empty: the game that finished last.",
                    default="",
                ),
                "format": FORMAT,
            },
            read_only=True,
            idempotent=True,
        ),
    ]


class Tools:
    """What the tools do, on one set of tables."""

    def __init__(self, tables: Tables) -> None:
        self.tables = tables

    def view_of(self, game_id: object) -> View | None:
        """Return the view that a `game_id` as given means, None when it means no game."""
        try:
            access = self.tables.find(game_id if isinstance(game_id, str) else "")
        except CallError:
            return None
        return access.table.view(access.seat)

    def get_rules(self, game: str, topic: str) -> Answer:
        """Answer the tool `get_rules`."""
        try:
            return Answer(get_game(game).rules(topic.strip().lower()[:40]))
        except ValueError as error:
            raise CallError("format", str(error)) from None

    def get_cards(self, game: str, names: str) -> Answer:
        """Answer the tool `get_cards`."""
        wanted = [name for name in names.split(",") if name.strip()]
        known = get_game(game)
        profile, note = None, ""
        try:
            profile = self._profile(game) if known.owned_rulesets else None
        except CallError as error:
            note = f"\n({error.reason})"
        try:
            return Answer(known.cards(wanted, profile) + note)
        except ValueError as error:
            raise CallError("format", str(error)) from None

    def new_game(
        self,
        game: str,
        ruleset: str,
        opponent: str,
        level: str,
        seed: str,
        seat: str,
        name: str,
        deck: str,
        hints: bool,
    ) -> Answer:
        """Answer the tool `new_game`."""
        known = get_game(game)
        own_seat = SEAT_NAMES.index(seat)
        house = _house(known, own_seat) if opponent == "house" else None
        level = _level(known, level)
        own = clean_name(name[:1000]) or "client"
        names = ["house" if seat == house else own for seat in (0, 1)]
        number = _seed(seed) if seed.strip() else drawn_seed()
        chosen = self._ruleset(known, ruleset)
        setup = Setup(
            game=game,
            ruleset=chosen,
            seed=number,
            seed_source="given" if seed.strip() else "drawn",
            seats=(names[0], names[1]),
            level=level if house is not None else "",
            house=house,
            decks=self._decks(known, chosen, deck, Dice(number), level, house),
            hints=hints,
        )
        table, keys = self.tables.open(setup)
        block = table.view().text(table.id, legend=True, hints=hints)
        if keys:
            block = f"Keys: A {keys[0]}, B {keys[1]}\n{block}"
        return Answer(block)

    def _profile(self, game: str) -> Profile | None:
        """Return what is kept of the player, None where nothing is. Raises CallError."""
        if self.tables.profiles is None:
            return None
        try:
            return self.tables.profiles.get(game)
        except StoreError as error:
            log.error("%s", error)
            raise CallError(
                "unavailable", "your collection cannot be read now; try again, or another ruleset"
            ) from None

    def _ruleset(self, game: Game, ruleset: str) -> str:
        """Return the ruleset a client means. Raises CallError for one that cannot be played here.

        Where nothing is kept of a player, none can be played that needs what the player owns.
        """
        allowed = game.rulesets
        if self.tables.profiles is None:
            allowed = tuple(name for name in allowed if name not in game.owned_rulesets)
        chosen = ruleset or allowed[0]
        if chosen in allowed:
            return chosen
        reason = f"ruleset of {game.name} is one of {', '.join(allowed)}"
        if chosen in game.rulesets:
            reason += f"; {chosen} needs a collection, and none is kept here"
        raise CallError("format", reason)

    def _decks(
        self, game: Game, ruleset: str, deck: str, dice: Dice, level: str, house: Seat | None
    ) -> Decks:
        """Return what both seats play with. Raises CallError that names the rule it breaks."""
        profile = self._profile(game.name) if ruleset in game.owned_rulesets else None
        typed = _typed_decks(deck, house)
        try:
            return game.read_decks(
                typed, ruleset, dice, level if house is not None else "", house, profile
            )
        except ValueError as error:
            raise CallError("format", str(error)) from None

    def legal_moves(self, game_id: str, format: str) -> Answer:
        """Answer the tool `legal_moves`."""
        access = self.tables.find(game_id)
        view = access.table.view(access.seat)
        if format == "text":
            return Answer(view.legal_text())
        names = access.table.match.game.move_names
        legal = [names[move] for move in view.legal_moves()]
        if format == "json":
            return as_json({"game_id": access.table.id, "legal": legal})
        return Answer("\n".join(legal))

    def play(self, move: str, game_id: str, move_no: int, format: str) -> Answer:
        """Answer the tool `play`."""
        access = self.tables.find(game_id)
        return _render(access.table, access.table.play(move, access.seat, move_no), format)

    async def get_state(self, game_id: str, wait_s: int, format: str) -> Answer:
        """Answer the tool `get_state`: at once, or when it is the caller's turn."""
        access = self.tables.find(game_id)
        deadline = time.monotonic() + wait_s
        while _waiting(access, access.table.match.to_move) and time.monotonic() < deadline:
            await anyio.sleep(WAIT_STEP)
        reply = await off_loop(lambda: access.table.state(access.seat))
        if wait_s and _waiting(access, reply.view.to_move):
            reply = Reply(reply.view, "still waiting, call again")
        return _render(access.table, reply, format)

    def resign(self, game_id: str) -> Answer:
        """Answer the tool `resign`."""
        access = self.tables.find(game_id)
        return _render(access.table, access.table.resign(access.seat), "text")

    def list_games(self, status: str) -> Answer:
        """Answer the tool `list_games`."""
        finished = {"": None, "active": False, "finished": True}[status]
        games, count = self.tables.latest(MOST_LISTED, finished)
        lines = [_listed(listed) for listed in games]
        if len(lines) < count:
            lines.insert(0, f"({count - len(lines)} older ones not shown)")
        return Answer("\n".join(lines) or "no games")

    def get_replay(self, game_id: str, format: str) -> Answer:
        """Answer the tool `get_replay`."""
        table = self.tables.find(game_id, finished_first=True).table
        if table.match.to_move is not None:
            raise CallError("illegal", "the game is still running; its replay opens when it ends")
        record = table.match.record()
        return as_json(to_json(record)) if format == "json" else Answer(record.text())


def _by_game(choices: Callable[[Game], Iterable[str]]) -> str:
    """Return the choices of each game, for an argument's description."""
    return "; ".join(f"{game.name}: {', '.join(choices(game))}" for game in GAMES.values())


def _deck_help() -> str:
    return " ".join(f"{game.name}: {game.deck_help}." for game in GAMES.values() if game.deck_help)


def _seed(seed: str) -> int:
    text = seed.strip()
    if not (text.isascii() and text.isdigit() and len(text) <= 16 and int(text) <= Dice.MAX_SEED):
        raise CallError("format", f"seed is a whole number from 0 to {Dice.MAX_SEED}, or left out")
    return int(text)


def _house(game: Game, client: Seat) -> Seat:
    """Return the seat of the house against a client. Raises CallError if it does not sit there."""
    if 1 - client not in game.house_seats:
        seats = ", ".join(SEAT_NAMES[1 - seat] for seat in game.house_seats)
        raise CallError("format", f"seat: against the house you play {seats} in {game.title}")
    return 1 - client


def _level(game: Game, level: str) -> str:
    """Return a level that a game's house has. Raises CallError that lists them."""
    name = level.strip().lower()[:40] or game.default_level
    if name not in game.levels:
        raise CallError("format", f"level: {game.title} has {', '.join(game.levels)}")
    return name


def _typed_decks(deck: str, house: Seat | None) -> Decks:
    """Return each seat's part of a deck as typed: the client's own, or `A: ...; B: ...`."""
    if house is not None:
        return ("", deck) if house == 0 else (deck, "")
    parts = re.split(r"(?:^|;)\s*([ABab])\s*:", deck)
    if len(parts) == 1:
        return deck, deck
    seats = [name.upper() for name in parts[1::2]]
    if parts[0].strip() or len(set(seats)) != len(seats):
        raise CallError("format", "deck: write `A: ...; B: ...`, each seat once")
    typed = dict(zip(seats, (part.strip(" ;") for part in parts[2::2]), strict=True))
    return typed.get("A", ""), typed.get("B", "")


def _waiting(access: Access, to_move: Seat | None) -> bool:
    """Say whether a seat waits for the other; without a key somebody is always to move."""
    return access.seat is not None and to_move is not None and to_move != access.seat


def _render(table: Table, reply: Reply, format: str) -> Answer:
    hints = table.match.setup.hints
    if format == "json":
        note = {"note": reply.note} if reply.note else {}
        return as_json({"game_id": table.id, **note, **reply.view.data(hints=hints)})
    block = reply.view.text(table.id, hints=hints)
    return Answer(f"{reply.note}\n{block}" if reply.note else block)


def _listed(listed: Listed) -> str:
    setup, result = listed.entry.setup, listed.entry.result
    against = f"vs house:{setup.level}" if setup.house is not None else "self"
    at = f"over: {result}" if result else f"move {listed.plies + 1}"
    return f"{listed.entry.id} {setup.game} {setup.ruleset}, {against}, {at}"
