"""`kill -9` at any moment of a game: the same id and keys go on, from before or after the move.

KILLS=300 pytest -s tests/server/test_kills.py    the long form: so many kills a game, in all
                                                  900, and how many hit a `play`
"""

from __future__ import annotations

import os
import random
import sys
import time
from pathlib import Path

import anyio
import pytest

from smashclash_mcp import Match, Record
from smashclash_mcp.games.base import Seat
from smashclash_mcp.tables import Database
from smashclash_mcp.tables.journal import Journal

from .pipes import Pipes, game_id, keys, number, piped

KILLS = int(os.environ.get("KILLS", "4"))
SETUPS = {
    "house": {"game": "smashclash"},
    "thinking house": {"game": "agentbattle", "ruleset": "all_cards", "level": "hard"},
    "self": {"game": "smashclash", "opponent": "self"},
}
Row = tuple[int, Seat, str]


def rows_of(folder: Path, table: str) -> list[Row]:
    """Return what is kept of a game."""
    return [row[:3] for row in Journal(Database(folder)).moves(table)]


def house_owes(folder: Path, table: str) -> bool:
    """Say whether it is the house's turn in what is kept of a game."""
    entry = Journal(Database(folder)).find(table)
    assert entry
    match = Match(entry.setup)
    for row in rows_of(folder, table):
        match.follow(*row)
    return entry.setup.house is not None and match.to_move == entry.setup.house


class Game:
    """A game whose server is killed again and again, as its client knows it."""

    def __init__(self, folder: Path, setup: dict[str, str]) -> None:
        self.folder, self.setup = folder, setup
        self.table = self.given = ""
        self.known = ""
        """The last answer; what is asked for after a kill must agree with it."""
        self.ended = 0

    async def begin(self, server: Pipes) -> None:
        answer = await server.ok("new_game", **self.setup)
        self.table = self.given = game_id(answer[answer.index("g_") :])
        if "Keys: " in answer:
            self.given = keys(answer)[0]
        self.known = await server.ok("get_state", game_id=self.table)

    async def move(self, server: Pipes) -> str:
        """Return a move of whoever is to move."""
        listed = await server.ok("legal_moves", game_id=self.table, format="list")
        return random.Random(len(self.known)).choice(listed.splitlines())

    async def play(self, server: Pipes) -> float:
        """Play a move; return how long that took. A game that is over is followed by another."""
        while "\nResult: " in self.known or not self.table:
            if self.table:
                await self.check(server)
            await self.begin(server)
        move, start = await self.move(server), time.monotonic()
        self.known = await server.ok(
            "play", game_id=self.table, move=move, move_no=number(self.known)
        )
        return time.monotonic() - start

    async def check(self, server: Pipes) -> None:
        """Replay the game that is over."""
        record = Record.parse(await server.ok("get_replay", game_id=self.table))
        assert [(ply, *move) for ply, move in enumerate(record.moves, 1)] == rows_of(
            self.folder, self.table
        )
        record.replay()
        self.ended += 1


@pytest.mark.parametrize("setup", SETUPS)
async def test_a_game_goes_on_after_kill_9_at_any_moment(setup: str, tmp_path: Path) -> None:
    seed = random.randrange(2**32)
    print("seed", seed)
    choose = random.Random(seed)
    game = Game(tmp_path, SETUPS[setup])
    command = (sys.executable, "-m", "smashclash_mcp", "serve", "--data", str(tmp_path))
    inside = landed = owed = 0
    for kill in range(KILLS):
        async with piped(*command) as server:
            if kill:
                state = await server.ok("get_state", game_id=game.table)
                if game.given != game.table:  # its key still opens the seat
                    assert "You are A" in await server.ok("get_state", game_id=game.given)
                assert state == game.known or number(state) > number(game.known)
                game.known = state
            took = max([await game.play(server) for _ in range(2)])
            if "\nResult: " in game.known:
                await game.play(server)
            if choose.random() < 0.3:  # between two calls
                server.process.kill()
                continue
            move, before = await game.move(server), rows_of(tmp_path, game.table)
            line = server.tool("play", game_id=game.table, move=move, move_no=number(game.known))
            await server.send(line)
            await anyio.sleep(choose.random() * took)
            server.process.kill()
            await server.drain_torn()
            after = rows_of(tmp_path, game.table)
            assert after[: len(before)] == before
            new = after[len(before) :]
            if server.sent in server.answered:  # what was claimed is kept
                answer = await server.result(server.sent)
                assert not answer.is_error
                assert new
                game.known = answer.text
            else:
                inside += 1
                landed += bool(new)
                owed += house_owes(tmp_path, game.table)
            if new:
                assert new[0][2] == move
    async with piped(*command) as server:
        game.known = await server.ok("get_state", game_id=game.table)
        ended = game.ended
        while game.ended == ended:
            await game.play(server)
    print(
        f"{setup}: {KILLS} kills, {inside} inside a play, {landed} of these after it had landed, "
        f"{owed} while the house owed a move"
    )
    if KILLS >= 300:
        assert inside >= 100
