"""A player's profile outlives crashes and other processes; wins earn one pack a UTC day."""

from __future__ import annotations

import functools
import json
import logging
import os
import random
import signal
import sqlite3
import subprocess
import sys
import threading
from collections.abc import Callable
from datetime import UTC, datetime, timedelta, timezone
from pathlib import Path
from typing import Any

import pytest

from smashclash_mcp import Match, Setup
from smashclash_mcp.games.agentbattle.cards import NAMES, STARTER
from smashclash_mcp.games.base import Dice
from smashclash_mcp.players import GreedyPlayer, Player, RandomPlayer
from smashclash_mcp.record import Record
from smashclash_mcp.tables import Database, Profiles, StoreError, Table, Tables
from smashclash_mcp.tables.registry import PASSING
from smashclash_mcp.tables.table import UNREWARDED

GAME = "agentbattle"
KILLS = int(os.environ.get("KILLS", "6"))
"""How often a writing process is killed; the long form is KILLS=200."""
DAY = datetime(2026, 1, 31, 12, 0, tzinfo=UTC)

Profile = dict[str, Any]


def count(profile: Profile) -> tuple[Profile, str]:
    """Count one more."""
    number = profile.get("number", 0) + 1
    return {**profile, "number": number}, str(number)


WRITER = """
import sys
from pathlib import Path
from smashclash_mcp.tables import Database, Profiles
from tests.tables.test_profiles import GAME, count
profiles = Profiles(Database(Path(sys.argv[1])))
for _ in range(int(sys.argv[2])):
    print(profiles.change(GAME, count), flush=True)
"""
REWARDED = """
import sys
from pathlib import Path
from smashclash_mcp.games import get_game
from smashclash_mcp.games.base import Dice
from smashclash_mcp.tables import Database, Profiles
profiles, game = Profiles(Database(Path(sys.argv[1]))), get_game("agentbattle")
sys.stdin.readline()
for day in ("2026-01-30", "2026-01-31", "2026-02-01"):
    print(profiles.change(game.name, lambda p: game.reward(p, day, Dice(1))))
"""


def process(code: str, *arguments: object) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-c", code, *map(str, arguments)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )


# --- the file ----------------------------------------------------------------------------------


@pytest.mark.parametrize("kept", [True, False])
def test_a_profile_is_new_until_it_is_changed_and_then_stays_so(kept: bool, tmp_path: Path) -> None:
    profiles = Profiles(Database(tmp_path / "new" / "folder" if kept else None))
    assert len(profiles.get(GAME)["cards"]) == len(STARTER)
    assert profiles.change(GAME, count) == "1"
    assert profiles.change(GAME, lambda profile: None) == ""
    assert profiles.get(GAME)["number"] == 1
    assert "number" not in profiles.get("smashclash")
    assert Profiles(Database(tmp_path / "new" / "folder")).get(GAME).get("number", 0) == int(kept)


@pytest.mark.parametrize("kept", [True, False])
def test_a_change_that_fails_changes_nothing(kept: bool, tmp_path: Path) -> None:
    def fail(profile: Profile) -> tuple[Profile, str]:
        profile["number"] = 99
        raise RuntimeError

    profiles = Profiles(Database(tmp_path if kept else None))
    profiles.change(GAME, count)
    with pytest.raises(RuntimeError):
        profiles.change(GAME, fail)
    assert profiles.get(GAME)["number"] == 1


def test_a_process_killed_at_any_moment_loses_nothing_and_tears_nothing(tmp_path: Path) -> None:
    seed = random.randrange(2**32)
    print("seed", seed)
    choose = random.Random(seed)
    told = 0
    for _ in range(KILLS):
        with process(WRITER, tmp_path, 100_000) as writer:
            assert writer.stdout
            told = int(writer.stdout.readline())
            timer = threading.Timer(choose.random() * 0.1, writer.kill)
            timer.start()
            for line in writer.stdout:
                if line.endswith("\n"):
                    told = int(line)
        assert writer.returncode == -signal.SIGKILL
        # What was told is kept; at most the change under way came after it.
        assert told <= Profiles(Database(tmp_path)).get(GAME)["number"] <= told + 1


def test_two_processes_and_many_threads_count_together(tmp_path: Path) -> None:
    profiles = Profiles(Database(tmp_path))
    writers = [process(WRITER, tmp_path, 40) for _ in range(2)]
    threads = [threading.Thread(target=profiles.change, args=(GAME, count)) for _ in range(20)]
    for thread in threads:
        thread.start()
    said: list[int] = []
    for writer in writers:
        out, _ = writer.communicate()
        said += map(int, out.split())
    for thread in threads:
        thread.join()
    assert profiles.get(GAME)["number"] == 100
    assert len(set(said)) == 80


def test_of_two_processes_that_win_at_once_one_gets_the_pack(tmp_path: Path) -> None:
    Profiles(Database(tmp_path)).change(GAME, count)
    winners = [process(REWARDED, tmp_path) for _ in range(2)]
    for winner in winners:
        assert winner.stdin
        winner.stdin.write("go\n")
        winner.stdin.flush()
    lines = [winner.communicate()[0].splitlines() for winner in winners]
    for one, other in zip(*lines, strict=True):  # day by day
        assert not (one and other)
    told = [line for both in lines for line in both if line]
    assert told  # if one is a day behind, its earlier day earns nothing
    profile = Profiles(Database(tmp_path)).get(GAME)
    assert profile["last_reward"] == "2026-02-01"
    assert sum(profile["cards"].values()) == len(STARTER) + 3 * len(told)


@pytest.mark.parametrize("kind", ["a file for a folder", "no database"])
def test_where_nothing_can_be_kept_or_read_is_said_once(
    kind: str, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    folder = tmp_path / "data"
    if kind == "no database":
        folder.mkdir()
        (folder / "games.sqlite3").write_bytes(b"no database at all, " * 100)
    else:
        folder.write_text("in the way", encoding="utf-8")
    with caplog.at_level(logging.WARNING):
        profiles = Profiles(Database(folder))
        profiles.change(GAME, count)
        assert profiles.get(GAME)["number"] == 1
    (said,) = [entry.getMessage() for entry in caplog.records]
    assert said.endswith(
        "; set aside as games.sqlite3.damaged-1"
        if kind == "no database"
        else "; games and collections are kept in memory only"
    )


OWNED = json.dumps({NAMES[card]: 1 for card in STARTER})
DAMAGED = (
    "not json",
    "[]",
    "3",
    "{}",
    "[" * 100_000,
    '{"cards": 3, "last_reward": ""}',
    '{"cards": ["Pi"], "last_reward": ""}',
    '{"cards": {}, "last_reward": ""}',
    f'{{"cards": {OWNED}, "last_reward": 3}}',
    f'{{"cards": {OWNED}, "last_reward": "tomorrow"}}',
    f'{{"cards": {OWNED}}}',
    *(
        f'{{"cards": {OWNED.replace("1", count, 1)}, "last_reward": ""}}'
        for count in ("0", "-1", "1.5", "1e999", "true", "null", '"1"', "[]")
    ),
)


def test_a_profile_that_cannot_be_read_is_an_error_and_not_written_over(tmp_path: Path) -> None:
    profiles = Profiles(Database(tmp_path))
    profiles.change(GAME, count)
    file = tmp_path / "games.sqlite3"
    for facts in DAMAGED:
        with sqlite3.connect(file) as database:
            database.execute("UPDATE profiles SET facts = ?", (facts,))
        database.close()
        with pytest.raises(StoreError):
            profiles.get(GAME)
        with pytest.raises(StoreError):
            profiles.change(GAME, count)
        with sqlite3.connect(file) as database:
            assert database.execute("SELECT facts FROM profiles").fetchall() == [(facts,)]
        database.close()


# --- wins --------------------------------------------------------------------------------------


class Clock:
    """A clock that a test sets."""

    def __init__(self, now: datetime = DAY) -> None:
        self.now = now

    def __call__(self) -> datetime:
        return self.now


def opened(tables: Tables, seed: int, level: str = "easy") -> Table:
    return tables.open(Setup(GAME, "standard", seed, level=level, house=1))[0]


def play_out(table: Table, player: Player | None = None) -> str:
    """Play the client's match to its end, greedily by default; return what was said last."""
    note = ""
    while table.match.to_move is not None:
        view = table.view()
        move = (player or GreedyPlayer()).choose(view, Dice(view.ply))
        note = table.play(table.match.game.move_names[move]).note
    return note


@functools.cache
def won_seed() -> int:
    """Return a seed whose match the client wins."""
    for seed in range(100):
        table = opened(Tables(), seed)
        play_out(table)
        outcome = table.match.outcome()
        assert outcome
        if outcome.winner == 0:
            return seed
    raise AssertionError


def packs(profiles: Profiles) -> int:
    return (sum(profiles.get(GAME)["cards"].values()) - len(STARTER)) // 3


def test_the_winning_answer_tells_the_pack_and_so_does_every_later_one() -> None:
    tables = Tables(None, Clock(), profiles=True)
    table = opened(tables, won_seed())
    note = play_out(table)
    assert note.startswith("First win of the day! Genesis pack: ")
    assert note.endswith(PASSING)
    assert tables.profiles
    assert packs(tables.profiles) == 1
    assert table.state().note == note
    assert table.state(1).note == ""
    assert table.play("end").note.endswith(note)  # a repeated call
    assert packs(tables.profiles) == 1


def test_one_pack_a_utc_day_whatever_the_clock_does() -> None:
    clock, seed = Clock(), won_seed()
    tables = Tables(None, clock, profiles=True)
    profiles = tables.profiles
    assert profiles
    steps: list[tuple[datetime, int]] = [
        (datetime(2026, 1, 31, 23, 59, 59, tzinfo=UTC), 1),
        (datetime(2026, 1, 31, 0, 0, tzinfo=UTC), 1),
        (datetime(2026, 2, 1, 0, 0, tzinfo=UTC), 2),
        (datetime(2026, 2, 1, 23, 0, tzinfo=UTC), 2),
        (datetime(2026, 1, 15, 12, 0, tzinfo=UTC), 2),  # set back
        (datetime(2026, 2, 1, 12, 0, tzinfo=UTC), 2),  # and forward again
        # Late on the second in New York is the third in UTC.
        (datetime(2026, 2, 2, 22, 0, tzinfo=timezone(timedelta(hours=-5))), 3),
        (datetime(2026, 2, 3, 1, 0, tzinfo=UTC), 3),
    ]
    for now, expected in steps:
        clock.now = now
        before = packs(profiles)
        note = play_out(opened(tables, seed))
        assert packs(profiles) == expected, now
        assert note.startswith("First win of the day!") == (expected > before), now


def test_a_loss_a_resignation_and_a_match_with_oneself_earn_nothing() -> None:
    tables = Tables(None, Clock(), profiles=True)
    assert tables.profiles
    lost = 0
    for seed in range(30):
        table = opened(Tables(None, Clock(), profiles=True), seed, "normal")
        note = play_out(table, RandomPlayer())
        outcome = table.match.outcome()
        assert outcome
        assert bool(note) == (outcome.winner == 0)
        lost += outcome.winner == 1
    assert lost
    assert opened(tables, won_seed()).resign().note == ""
    both, _ = tables.open(Setup(GAME, "standard", won_seed()))
    assert play_out(both) == ""
    assert packs(tables.profiles) == 0


def test_where_no_profile_is_kept_a_win_earns_nothing() -> None:
    assert play_out(opened(Tables(None, Clock()), won_seed())) == ""


def test_the_other_game_has_no_rewards() -> None:
    tables = Tables(None, Clock(), profiles=True)
    for seed in range(5):
        setup = Setup("smashclash", "classic", seed, level="random", house=1)
        table, _ = tables.open(setup)
        while table.match.to_move is not None:
            view = table.view()
            move = GreedyPlayer().choose(view, Dice(view.ply))
            assert table.play(table.match.game.move_names[move]).note == ""


def edited(change: Callable[[Record], Record], monkeypatch: pytest.MonkeyPatch) -> int:
    """Return how many packs a won match earns whose record is changed before it is checked."""
    tables = Tables(None, Clock(), profiles=True)
    table = opened(tables, won_seed())
    record = Match.record
    monkeypatch.setattr(Match, "record", lambda match: change(record(match)))  # type: ignore[misc]
    play_out(table)
    assert tables.profiles
    return packs(tables.profiles)


def with_result(record: Record, result: str) -> Record:
    return Record(record.setup, record.rules_version, record.first, result, record.moves)


def with_moves(record: Record, moves: tuple[tuple[int, str], ...]) -> Record:
    return Record(record.setup, record.rules_version, record.first, record.result, moves)


EDITS: dict[str, Callable[[Record], Record]] = {
    "another result": lambda record: with_result(record, "A wins, A 30 B 0 (core destroyed)"),
    "a move left out": lambda record: with_moves(record, record.moves[1:]),
    "the end left out": lambda record: with_moves(record, record.moves[:-1]),
    "another move": lambda record: with_moves(record, ((0, "end"), *record.moves[1:])),
}


@pytest.mark.parametrize("edit", EDITS)
def test_a_win_counts_only_when_its_record_replays_to_the_same_result(
    edit: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert edited(EDITS[edit], monkeypatch) == 0


def test_an_honest_record_earns_its_pack(monkeypatch: pytest.MonkeyPatch) -> None:
    assert edited(lambda record: Record.parse(record.text()), monkeypatch) == 1


def test_two_wins_at_once_in_one_process_earn_one_pack(tmp_path: Path) -> None:
    tables, seed = Tables(Database(tmp_path), Clock(), profiles=True), won_seed()
    notes: list[str] = []

    def win() -> None:
        notes.append(play_out(opened(tables, seed)))

    threads = [threading.Thread(target=win) for _ in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    (told,) = [note for note in notes if note]
    assert PASSING not in told
    assert tables.profiles
    assert packs(tables.profiles) == 1


def test_a_profile_that_cannot_be_written_costs_no_answer(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    tables = Tables(Database(tmp_path), Clock(), profiles=True)
    table = opened(tables, won_seed())
    assert tables.profiles
    tables.profiles.change(GAME, count)
    with sqlite3.connect(tmp_path / "games.sqlite3") as database:
        facts = database.execute("SELECT facts FROM profiles").fetchone()
        database.execute("UPDATE profiles SET facts = ?", ("[]",))
    assert play_out(table) == UNREWARDED
    assert table.match.outcome()
    assert "a reward is not kept" in caplog.text
    assert table.state().note == UNREWARDED
    assert Tables(Database(tmp_path), Clock(), profiles=True).find(table.id).table.state().note
    with database:
        database.execute("UPDATE profiles SET facts = ?", facts)
    database.close()
    assert table.state().note.startswith("First win of the day!")  # once it can be kept
    assert packs(tables.profiles) == 1
