"""The MCP tools: parse, call a table, render. Design section 5 is their contract."""

from __future__ import annotations

import time

import anyio

from ..games import DEFAULT_GAME, GAMES, get_game
from ..games.base import SEAT_NAMES, Dice, Seat, View
from ..players import DEFAULT_LEVEL
from ..record import Setup, clean_name, to_json
from ..tables import Access, CallError, Reply, Table, Tables
from ..tables.registry import check_level, drawn_setup
from .strict import Answer, Arg, ToolSpec, as_json, off_loop

RULESETS = tuple(dict.fromkeys(name for game in GAMES.values() for name in game.rulesets))
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
            "Cards as lines: id, name, colour, printed sides or effect.",
            here.get_cards,
            {"game": GAME, "names": Arg("Names or ids, by commas; empty: all.", default="")},
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
                "ruleset": Arg("How it is played.", default=RULESETS[0], choices=RULESETS),
                "opponent": Arg(
                    "house: the built-in player. self: you play both seats.",
                    default="house",
                    choices=("house", "self"),
                ),
                "level": Arg("How the house plays: greedy or random.", default=DEFAULT_LEVEL),
                "seed": Arg(
                    "Whole number 0 to 2^53-1: the same seed deals the same game. Empty: drawn.",
                    default="",
                    number_text=True,
                ),
                "seat": Arg("Your seat against the house.", default="A", choices=SEAT_NAMES),
                "name": Arg("Your name for the record.", default=""),
                "hints": Arg("Add a line: what placements would take.", bool, False),
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
        wanted = [name for name in names[:5000].split(",") if name.strip()]
        try:
            return Answer(get_game(game).cards(wanted))
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
        hints: bool,
    ) -> Answer:
        """Answer the tool `new_game`."""
        house = opponent == "house"
        level = check_level(level.strip().lower()[:40])
        own = clean_name(name[:1000]) or "client"
        own_seat = SEAT_NAMES.index(seat)
        names = [own, own]
        if house:
            names[1 - own_seat] = "house"
        setup = Setup(
            game=game,
            ruleset=_ruleset(game, ruleset),
            seed=_seed(seed),
            seats=(names[0], names[1]),
            level=level if house else "",
            hints=hints,
        )
        if not seed.strip():
            setup = drawn_setup(setup)
        table, keys = self.tables.open(setup, 1 - own_seat if house else None)
        block = table.view().text(table.id, legend=True, hints=hints)
        if keys:
            block = f"Keys: A {keys[0]}, B {keys[1]}\n{block}"
        return Answer(block)

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
        view = await off_loop(lambda: access.table.view(access.seat))
        waiting = wait_s and _waiting(access, view.to_move)
        note = "still waiting, call again" if waiting else ""
        return _render(access.table, Reply(view, note), format)

    def resign(self, game_id: str) -> Answer:
        """Answer the tool `resign`."""
        access = self.tables.find(game_id)
        return _render(access.table, access.table.resign(access.seat), "text")

    def list_games(self, status: str) -> Answer:
        """Answer the tool `list_games`."""
        lines: list[str] = []
        for table in self.tables.all():
            over = table.match.to_move is None
            if status and over != (status == "finished"):
                continue
            lines.append(_listed(table))
        shown = lines[-50:]
        if len(shown) < len(lines):
            shown.insert(0, f"({len(lines) - len(shown)} older ones not shown)")
        return Answer("\n".join(shown) or "no games")

    def get_replay(self, game_id: str, format: str) -> Answer:
        """Answer the tool `get_replay`."""
        table = self.tables.find(game_id, finished_first=True).table
        if table.match.to_move is not None:
            raise CallError("illegal", "the game is still running; its replay opens when it ends")
        record = table.match.record()
        return as_json(to_json(record)) if format == "json" else Answer(record.text())


def _seed(seed: str) -> int:
    text = seed.strip() or "0"
    if not (text.isascii() and text.isdigit() and len(text) <= 16 and int(text) <= Dice.MAX_SEED):
        raise CallError("format", f"seed is a whole number from 0 to {Dice.MAX_SEED}, or left out")
    return int(text)


def _ruleset(game: str, ruleset: str) -> str:
    allowed = get_game(game).rulesets
    if ruleset not in allowed:
        raise CallError("format", f"ruleset of {game} is one of {', '.join(allowed)}")
    return ruleset


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


def _listed(table: Table) -> str:
    setup = table.match.setup
    against = f"vs house:{setup.level}" if table.house_seat is not None else "self"
    outcome = table.match.outcome()
    at = f"over: {outcome}" if outcome else f"move {len(table.match.played) + 1}"
    return f"{table.id} {setup.game} {setup.ruleset}, {against}, {at}"
