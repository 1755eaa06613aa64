"""The MCP tools: parse, call a table, render. Design section 5 is their contract."""

from __future__ import annotations

import logging
import re
import time
from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import cast

import anyio

from ..games import DEFAULT_GAME, GAMES, get_game
from ..games.base import SEAT_NAMES, Decks, Dice, Game, Seat, View
from ..record import RUNNING, Setup, clean_name, to_json
from ..tables import (
    Access,
    CallError,
    Keys,
    Listed,
    Profile,
    Reply,
    Status,
    StoreError,
    Table,
    Tables,
)
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
ELSEWHERE_STEP = 0.3
"""Seconds before what other processes have written is looked up again."""
WAITING = "still waiting, call again"

GAME = Arg("Which game.", default=DEFAULT_GAME, choices=tuple(GAMES))
GAME_ID = Arg("Id (g_...) or seat key (s_...); empty: the only unfinished game.", default="")
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
            "self gives a key for each seat, open yours: keep it secret.",
            here.new_game,
            {
                "game": GAME,
                "ruleset": Arg(
                    f"How it is played. {_by_game(lambda game: game.rulesets)}.",
                    default="",
                    choices=("", *RULESETS),
                ),
                "opponent": Arg(
                    "house: the built-in player. self: you play both seats. "
                    "open: whoever joins by join_game.",
                    default="house",
                    choices=("house", "self", "open"),
                ),
                "level": Arg(
                    f"How the house plays. {_by_game(lambda game: game.levels)}.", default=""
                ),
                "seed": Arg(
                    "Whole number 0 to 2^53-1: the same seed deals the same game. Empty: drawn.",
                    default="",
                    number_text=True,
                ),
                "seat": Arg("Your seat.", default="A", choices=SEAT_NAMES),
                "name": Arg("Your name for the record.", default=""),
                "deck": Arg(
                    f"{_deck_help()} With self: `A: ...; B: ...`.", default="", longest=MAX_TEXT
                ),
                "hints": Arg("Add a line: what your moves would do at once.", bool, False),
                "move_timeout_s": Arg(
                    "Seconds for a move, then its seat has lost. 0: no limit.", int, 0, most=86400
                ),
            },
        ),
        ToolSpec(
            "join_game",
            "Take the free seat of an open game. Returns your seat's key (keep it secret) and the "
            "state block.",
            here.join_game,
            {
                "game_id": Arg("Its id (g_...), from list_games or whoever opened it."),
                "name": Arg("Your name for the record.", default=""),
                "deck": Arg("As for new_game.", default="", longest=MAX_TEXT),
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
            "The whole state block of a game, as play returns it; a spectator's without a seat.",
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
            "Games, a line each: id, game, ruleset, opponent, move or result, whether yours.",
            here.list_games,
            {"status": Arg("Empty: all.", default="", choices=("", "open", "active", "finished"))},
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
            access = self.tables.find_seat(game_id if isinstance(game_id, str) else "")
            return access.table.view(access.seat)
        except CallError:
            return None

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
        move_timeout_s: int,
    ) -> Answer:
        """Answer the tool `new_game`."""
        known = get_game(game)
        own_seat = SEAT_NAMES.index(seat)
        house = _house(known, own_seat) if opponent == "house" else None
        free = 1 - own_seat if opponent == "open" else None
        if free is not None and seed.strip() and not self.tables.allow_seeds:
            raise CallError("format", "seed: leave it out; whoever sets it knows the other's hand")
        level = _level(known, level)
        own = _name(name)
        names = ["house" if seat == house else own for seat in (0, 1)]
        number = _seed(seed) if seed.strip() else drawn_seed()
        chosen = self._ruleset(known, ruleset)
        typed = _typed_decks(deck, None if opponent == "self" else own_seat)
        setup = Setup(
            game=game,
            ruleset=chosen,
            seed=number,
            seed_source="given" if seed.strip() else "drawn",
            seats=(names[0], names[1]),
            level=level if house is not None else "",
            house=house,
            decks=self._decks(known, chosen, typed, number, level, house),
            hints=hints,
        )
        table, keys = self.tables.open(setup, free=free, move_timeout_s=move_timeout_s)
        access = Access(table, None if opponent == "self" else own_seat)
        return _render(access, access.state(), "text", keys or Keys())

    def join_game(self, game_id: str, name: str, deck: str) -> Answer:
        """Answer the tool `join_game`."""

        def complete(setup: Setup, seat: Seat) -> Setup:
            known = get_game(setup.game)
            ruleset = self._ruleset(known, setup.ruleset)
            brought = self._decks(known, ruleset, _typed_decks(deck, seat), setup.seed)
            names, decks = list(setup.seats), list(setup.decks)
            names[seat], decks[seat] = _name(name), brought[seat]
            return replace(setup, seats=(names[0], names[1]), decks=(decks[0], decks[1]))

        access, keys = self.tables.join(game_id, complete)
        return _render(access, access.state(), "text", keys)

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
        self,
        game: Game,
        ruleset: str,
        typed: Decks,
        seed: int,
        level: str = "",
        house: Seat | None = None,
    ) -> Decks:
        """Return what both seats play with. Raises CallError that names the rule it breaks."""
        profile = self._profile(game.name) if ruleset in game.owned_rulesets else None
        level = level if house is not None else ""
        try:
            return game.read_decks(typed, ruleset, Dice(seed), level, house, profile)
        except ValueError as error:
            raise CallError("format", str(error)) from None

    def legal_moves(self, game_id: str, format: str) -> Answer:
        """Answer the tool `legal_moves`."""
        access = self.tables.find_seat(game_id)
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
        access = self.tables.find_seat(game_id)
        return _render(access, access.table.play(move, access.seat, move_no), format)

    async def get_state(self, game_id: str, wait_s: int, format: str) -> Answer:
        """Answer the tool `get_state`: at once, or when it is the caller's turn.

        Whoever only watches waits for the next move.
        """
        access = await off_loop(lambda: self.tables.find(game_id))
        deadline = time.monotonic() + wait_s
        seen = access.table.changes
        reply = await off_loop(access.state)
        while wait_s and _waiting(access, reply):
            if not await self._changed(access.table, seen, deadline):
                reply = replace(reply, note="\n".join(filter(None, (WAITING, reply.note))))
                break
            last, seen = seen, access.table.changes
            reply = await off_loop(access.state)
            if access.watching and access.table.changes != last:
                break
        return _render(access, reply, format)

    async def _changed(self, table: Table, seen: object, deadline: float) -> bool:
        """Wait until a table may have changed; False: the time was up first."""
        elsewhere, looked = self.tables.elsewhere(), time.monotonic()
        while (now := time.monotonic()) < deadline:
            if table.changes != seen or table.due:
                return True
            if now >= looked + ELSEWHERE_STEP and self.tables.elsewhere() != elsewhere:
                return True
            await anyio.sleep(min(WAIT_STEP, deadline - now))
        return False

    def resign(self, game_id: str) -> Answer:
        """Answer the tool `resign`."""
        access = self.tables.find_seat(game_id)
        return _render(access, access.table.resign(access.seat), "text")

    def list_games(self, status: str) -> Answer:
        """Answer the tool `list_games`."""
        self.tables.sweep()
        games, count = self.tables.latest(MOST_LISTED, cast(Status, status))
        lines = [_listed(game) + (", yours" if self.tables.own(game) else "") for game in games]
        if len(lines) < count:
            lines.insert(0, f"({count - len(lines)} older ones not shown)")
        return Answer("\n".join(lines) or "no games")

    def get_replay(self, game_id: str, format: str) -> Answer:
        """Answer the tool `get_replay`."""
        record = self.tables.find(game_id, finished_first=True).table.record()
        if record.result == RUNNING:
            raise CallError("illegal", "the game is still running; its replay opens when it ends")
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


def _name(name: str) -> str:
    return clean_name(name[:1000]) or "client"


def _typed_decks(deck: str, seat: Seat | None) -> Decks:
    """Return each seat's part of a deck as typed: one seat's, or `A: ...; B: ...` for both."""
    if seat is not None:
        return (deck, "") if seat == 0 else ("", deck)
    parts = re.split(r"(?:^|;)\s*([ABab])\s*:", deck)
    if len(parts) == 1:
        return deck, deck
    seats = [name.upper() for name in parts[1::2]]
    if parts[0].strip() or len(set(seats)) != len(seats):
        raise CallError("format", "deck: write `A: ...; B: ...`, each seat once")
    typed = dict(zip(seats, (part.strip(" ;") for part in parts[2::2]), strict=True))
    return typed.get("A", ""), typed.get("B", "")


def _waiting(access: Access, reply: Reply) -> bool:
    """Say whether a call would rather be answered later.

    A seat waits for its turn, a spectator for the next move.
    """
    if reply.view is None:
        return True
    to_move = reply.view.to_move
    if to_move is None:
        return False
    return access.watching or (access.seat is not None and to_move != access.seat)


def _render(access: Access, reply: Reply, format: str, keys: Keys | None = None) -> Answer:
    """Return an answer; with the `keys` of a new game also how to read it."""
    table, view = access.table, reply.view
    hints = table.match.setup.hints
    if format == "json":
        note = {"note": reply.note} if reply.note else {}
        facts = {} if view is None else view.data(hints=hints)
        return as_json({"game_id": table.id, **note, **facts})
    told = [f"{seat} {key}" for seat, key in zip(SEAT_NAMES, keys or (), strict=False) if key]
    lines = [f"Key{'s' * (len(told) > 1)}: {', '.join(told)}"] if told else []
    if view is None:
        setup = table.match.setup
        lines.append(f"{table.id} {setup.game} {setup.ruleset}: {reply.note}")
    else:
        lines += [reply.note] if reply.note else []
        lines.append(view.text(table.id, legend=keys is not None, hints=hints))
    return Answer("\n".join(lines))


def _listed(listed: Listed) -> str:
    entry, setup = listed.entry, listed.entry.setup
    if setup.house is not None:
        against = f"vs house:{setup.level}"
    elif entry.joined is not None:
        against = f'A "{setup.seats[0]}" vs B "{setup.seats[1]}"'
    elif entry.open is not None:
        against = f'"{setup.seats[1 - entry.open]}" waits'
    else:
        against = "self"
    at = f"over: {entry.result}" if entry.result else f"move {listed.plies + 1}"
    if entry.open is not None and not entry.result:
        at = f"seat {SEAT_NAMES[entry.open]} is free"
    return f"{entry.id} {setup.game} {setup.ruleset}, {against}, {at}"
