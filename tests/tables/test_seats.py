"""Two seats, two keys: who may see and do what, and how a game ends that nobody goes on with."""

from __future__ import annotations

import dataclasses
import sqlite3
import threading
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from smashclash_mcp import GAMES, Record, Setup
from smashclash_mcp.games.base import SEAT_NAMES, Seat
from smashclash_mcp.record import Tries, to_json
from smashclash_mcp.tables import Access, CallError, Database, Limits, Table, Tables, database
from smashclash_mcp.tables.registry import NO_KEY
from tests.checkers import check_record

START = datetime(2026, 1, 31, 12, 0, tzinfo=UTC)
SETUP = Setup("smashclash", "classic", 5, seats=("Ann", "client"))


class Clock:
    """A clock that a test moves."""

    def __init__(self) -> None:
        self.now = START

    def __call__(self) -> datetime:
        return self.now

    def later(self, **time: float) -> None:
        self.now += timedelta(**time)


def named(name: str = "Ben") -> Callable[[Setup, Seat], Setup]:
    """Return what completes a setup with a name alone."""

    def complete(setup: Setup, seat: Seat) -> Setup:
        seats = (name, setup.seats[1]) if seat == 0 else (setup.seats[0], name)
        return dataclasses.replace(setup, seats=seats)

    return complete


class Folder:
    """A data folder in which each client has a process of its own."""

    def __init__(self, path: Path) -> None:
        self.path, self.clock = path, Clock()

    def process(self, *, shared: bool = False) -> Tables:
        return Tables(Database(self.path), self.clock, shared=shared)

    def joined(self, free: Seat = 1, move_timeout_s: int = 0) -> list[Access]:
        """Return a game between two clients, as each seat's process has it."""
        one, other = self.process(), self.process()
        table, keys = one.open(SETUP, free=free, move_timeout_s=move_timeout_s)
        assert keys
        access, theirs = other.join(table.id, named())
        assert access.seat == free
        mine = one.find(keys[1 - free])
        both = [mine, other.find(theirs[free])]
        return both if free == 1 else both[::-1]


@pytest.fixture
def folder(tmp_path: Path) -> Folder:
    return Folder(tmp_path)


def legal(table: Table) -> list[str]:
    names = table.match.game.move_names
    return [names[move] for move in table.match.position.legal_moves()]


def shown(access: Access) -> str:
    """Return the block that a caller sees."""
    view = access.state().view
    assert view
    return view.text()


def play_first(seats: list[Access]) -> None:
    """Play the first legal move of whoever is to move."""
    seats[0].state()  # it knows what the other process has written
    to_move = seats[0].table.match.to_move
    assert to_move is not None
    seats[to_move].table.play(legal(seats[0].table)[0], to_move)


# --- taking a seat -----------------------------------------------------------------------------


@pytest.mark.parametrize("free", [0, 1])
def test_nobody_sees_or_plays_anything_before_the_free_seat_is_taken(
    free: Seat, folder: Folder
) -> None:
    tables = folder.process()
    table, keys = tables.open(SETUP, free=free)
    assert keys
    assert (keys[free], keys[1 - free][:2]) == ("", "s_")
    for access in (
        tables.find(table.id),
        tables.find(keys[1 - free]),
        folder.process().find(table.id),
    ):
        reply = access.state()
        assert reply.view is None
        assert f"seat {SEAT_NAMES[free]} is free" in reply.note
    for call in (lambda: table.view(1 - free), lambda: table.play(legal(table)[0], 1 - free)):
        with pytest.raises(CallError, match=r"not_your_turn: seat . is free"):
            call()
    other = folder.process()
    access, theirs = other.join(table.id, named())
    assert (access.seat, theirs[1 - free], theirs[free][:2]) == (free, "", "s_")
    assert table.view(1 - free).text()
    table.match.record().replay()
    assert table.match.setup.seats == (("Ann", "Ben") if free == 1 else ("Ben", "client"))


def test_a_seat_is_given_once_and_a_lost_answer_is_given_again(folder: Folder) -> None:
    one, other = folder.process(), folder.process()
    table, _ = one.open(SETUP, free=1)
    _, keys = other.join(table.id, named())
    access, again = other.join(table.id, named("Somebody else"))
    assert again == keys
    assert access.seat == 1
    for tables in (one, folder.process()):
        with pytest.raises(CallError, match="illegal: no seat is free there"):
            tables.join(table.id, named())
    house, _ = one.open(Setup("smashclash", "classic", 5, level="greedy", house=1))
    for given, code in (
        (house.id, "illegal"),
        ("g_222222", "format"),
        ("", "format"),
        (keys[1], "format"),
    ):
        with pytest.raises(CallError, match=code):
            folder.process().join(given, named())
    shared = folder.process(shared=True)
    table, _ = shared.open(SETUP, free=1)
    shared.join(table.id, named())
    with pytest.raises(CallError, match="no seat is free"):  # nobody is known there
        shared.join(table.id, named())


def test_of_two_that_join_at_once_one_gets_the_seat(folder: Folder) -> None:
    for _ in range(20):
        table, _ = folder.process().open(SETUP, free=1)
        barrier, told = threading.Barrier(2), list[str]()

        def join(name: str, game: str, barrier: threading.Barrier, told: list[str]) -> None:
            tables = folder.process()
            barrier.wait()
            try:
                told.append(tables.join(game, named(name))[1][1])
            except CallError as error:
                told.append(error.code)

        threads = [
            threading.Thread(target=join, args=(name, table.id, barrier, told))
            for name in ("Ben", "Cleo")
        ]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        key, code = sorted(told, reverse=True)
        assert (key[:2], code) == ("s_", "illegal")
        assert folder.process().find(key).seat == 1


def test_what_a_setup_is_refused_for_leaves_the_seat_free(folder: Folder) -> None:
    def refuse(setup: Setup, seat: Seat) -> Setup:
        raise CallError("format", "no such deck")

    table, _ = folder.process().open(SETUP, free=1)
    with pytest.raises(CallError, match="no such deck"):
        folder.process().join(table.id, refuse)
    assert folder.process().join(table.id, named())[0].seat == 1


# --- who acts ----------------------------------------------------------------------------------


def test_a_games_id_acts_for_the_keys_of_this_process_and_watches_elsewhere(folder: Folder) -> None:
    one, other, third = folder.process(), folder.process(), folder.process()
    table, keys = one.open(SETUP, free=1)
    other.join(table.id, named())
    assert keys
    for tables, seat in ((one, 0), (other, 1)):
        access = tables.find_seat(table.id)
        assert (access.seat, access.watching) == (seat, False)
        assert access == tables.find("")  # its only unfinished game
    access = third.find(table.id)
    assert access.watching
    assert shown(access) == access.table.match.view(None).text()
    with pytest.raises(CallError) as caught:
        third.find_seat(table.id)
    assert caught.value.reason == NO_KEY
    third.find(keys[0])  # now it has been given one
    assert third.find_seat(table.id).seat == 0
    both = folder.process()
    own, _ = both.open(SETUP, free=1)
    both.join(own.id, named())
    assert both.find(own.id).seat is None  # both keys are here: whoever is to move


def test_where_strangers_share_a_process_only_a_key_acts(folder: Folder) -> None:
    shared = folder.process(shared=True)
    house = Setup("smashclash", "classic", 5, level="greedy", house=1)
    for setup, free, clients in ((house, None, [0]), (SETUP, None, [0, 1]), (SETUP, 1, [0])):
        table, keys = shared.open(setup, free=free)
        assert keys
        assert [seat for seat in (0, 1) if keys[seat]] == clients
        for seat in clients:
            assert shared.find_seat(keys[seat]).seat == seat
        assert shared.find(table.id).watching
    answers: set[str] = set()
    table, keys = shared.open(SETUP)
    assert keys
    for wrong in (
        "",
        " ",
        "A",
        "Ann",
        table.id,
        "g_222222",
        keys[0] + "a",
        keys[0][:-1],
        "s_",
        "\u202e",
    ):
        with pytest.raises(CallError) as caught:
            shared.find_seat(wrong)
        answers.add(str(caught.value))
    assert answers == {f"format: {NO_KEY}"}


def test_the_key_of_another_seat_or_game_sees_and_moves_only_its_own(folder: Folder) -> None:
    seats = folder.joined()
    own = seats[0].table.match.to_move
    assert own is not None
    move = legal(seats[own].table)[0]
    with pytest.raises(CallError, match="not_your_turn"):
        seats[1 - own].table.play(move, 1 - own)
    stranger = folder.joined()
    before = shown(seats[0])
    stranger[own].table.play(move, own)
    assert shown(seats[0]) == before


# --- endings that no move makes ----------------------------------------------------------------


def read_by_all(seats: list[Access], folder: Folder) -> list[str]:
    """Return what both seats and a spectator read, here and after a restart."""
    table = seats[0].table.id
    texts: list[str] = []
    for tables in (None, folder.process()):
        for seat in (0, 1):
            access = seats[seat] if tables is None else Access(tables.find(table).table, seat)
            view = access.state().view
            assert view
            texts.append(view.text())
        view = (tables or folder.process()).find(table).table.watch().view
        assert view
        texts.append(view.text())
    return texts


def test_whoever_lets_the_time_for_a_move_run_out_has_lost(folder: Folder) -> None:
    for late in (False, True):
        seats = folder.joined(move_timeout_s=30)
        for _ in range(3):
            folder.clock.later(seconds=29)
            play_first(seats)
        seats[0].state()
        silent = seats[0].table.match.to_move
        assert silent is not None
        move = legal(seats[0].table)[0]
        folder.clock.later(seconds=30)
        assert seats[silent].table.due
        if late:  # the late move itself is what ends it
            with pytest.raises(CallError, match="game_over"):
                seats[silent].table.play(move, silent)
        name = SEAT_NAMES[silent]
        for text in read_by_all(seats, folder):
            assert f"Result: {SEAT_NAMES[1 - silent]} wins" in text
            assert "(timeout)" in text
            assert f"{name} ran out of time" in text
        record = seats[1 - silent].table.record()
        assert record.moves[-1] == (silent, "timeout")
        assert len(record.moves) == 4
        check_record(record)


def test_without_a_limit_nobody_runs_out_of_time_and_after_a_day_the_game_lapses(
    folder: Folder,
) -> None:
    seats = folder.joined()
    for _ in range(2):
        folder.clock.later(hours=23.9)
        play_first(seats)
    folder.clock.later(hours=24)
    for text in read_by_all(seats, folder):
        assert "Result: none, " in text
        assert "(lapsed)" in text
        assert "the game lapsed: nobody moved for too long" in text
    with pytest.raises(CallError, match="game_over"):
        seats[0].table.play("anything", 0)
    check_record(seats[0].table.record())


@pytest.mark.parametrize("game", GAMES)
def test_a_match_with_the_house_or_oneself_lapses_too_and_is_no_loss(
    game: str, folder: Folder
) -> None:
    tables = folder.process()
    for house in (1, None):
        level = GAMES[game].default_level if house else ""
        table, _ = tables.open(Setup(game, GAMES[game].rulesets[-1], 5, level=level, house=house))
        folder.clock.later(hours=23)
        table.play(legal(table)[0])
        folder.clock.later(hours=25)
        assert tables.latest(5, "active")[1] == 1
        tables.sweep()
        assert tables.latest(5, "active")[1] == 0
        outcome = table.match.outcome()
        assert outcome
        assert (outcome.winner, outcome.lapsed) == (None, True)


def test_a_table_that_nobody_joins_lapses_after_an_hour(folder: Folder) -> None:
    tables = folder.process()
    table, keys = tables.open(SETUP, free=1)
    assert keys
    folder.clock.later(minutes=59)
    assert table.state(0).view is None
    tables.sweep()
    assert tables.latest(5, "open")[1] == 1
    folder.clock.later(minutes=1)
    with pytest.raises(CallError, match="no seat is free there"):
        folder.process().join(table.id, named())
    view = folder.process().find(keys[0]).state().view
    assert view
    assert "Result: none, " in view.text()
    assert tables.latest(5, "open")[1] == 0
    assert folder.process().find(table.id).table.record().moves[0][1] == "lapse"


def test_the_limits_are_settings(folder: Folder) -> None:
    tables = Tables(Database(folder.path), folder.clock, limits=Limits(unjoined_s=5, idle_s=10))
    open_one, _ = tables.open(SETUP, free=1)
    other, _ = tables.open(SETUP)
    folder.clock.later(seconds=5)
    assert open_one.state(0).view is not None
    assert not other.due
    folder.clock.later(seconds=5)
    assert other.due


def test_a_clock_that_is_set_back_ends_nothing(folder: Folder) -> None:
    seats = folder.joined(move_timeout_s=30)
    folder.clock.later(days=-400)
    play_first(seats)
    assert seats[0].table.match.to_move is not None


def test_giving_up_before_anybody_joins_closes_the_table_without_a_result(folder: Folder) -> None:
    tables = folder.process()
    table, _ = tables.open(SETUP, free=0)
    reply = tables.find(table.id).table.resign(1)
    assert reply.view
    assert "Result: none, " in reply.view.text()
    with pytest.raises(CallError, match="no seat is free there"):
        folder.process().join(table.id, named())


def test_of_joining_and_closing_at_once_one_wins(folder: Folder) -> None:
    for _ in range(20):
        one, other = folder.process(), folder.process()
        table, _ = one.open(SETUP, free=1)
        barrier, told = threading.Barrier(2), dict[str, str]()

        def close(
            tables: Tables, table: Table, barrier: threading.Barrier, told: dict[str, str]
        ) -> None:
            barrier.wait()
            table.resign(0)

        def join(
            tables: Tables, table: Table, barrier: threading.Barrier, told: dict[str, str]
        ) -> None:
            barrier.wait()
            try:
                told["key"] = tables.join(table.id, named())[1][1]
            except CallError as error:
                told["refused"] = error.code

        threads = [
            threading.Thread(target=act, args=(tables, table, barrier, told))
            for act, tables in ((close, one), (join, other))
        ]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        record = folder.process().find(table.id).table.record()
        # Closed before it was joined, or resigned to whoever had joined.
        assert record.moves[0][1] == ("resign" if "key" in told else "lapse")
        record.replay()


# --- tries -------------------------------------------------------------------------------------


def test_refused_tries_are_counted_by_seat_in_the_record(folder: Folder) -> None:
    seats = folder.joined()
    to_move = seats[0].table.match.to_move
    assert to_move is not None
    held = [
        name for name in seats[0].table.match.game.move_names if name not in legal(seats[0].table)
    ]
    for text in ("what?", "no move", held[0]):
        with pytest.raises(CallError):
            seats[to_move].table.play(text, to_move)
    seats[to_move].table.play(legal(seats[0].table)[0], to_move)
    with pytest.raises(CallError, match="not_your_turn"):  # no try of a move
        seats[to_move].table.play("nonsense", to_move)
    for text in ("nonsense", "resign"):
        with pytest.raises(CallError):
            seats[1 - to_move].table.play(text, 1 - to_move)
    seats[1 - to_move].table.resign(1 - to_move)
    with pytest.raises(CallError, match="game_over"):
        seats[to_move].table.play("nonsense", to_move)
    record = folder.process().find(seats[0].table.id).table.record()
    assert record.tries[to_move] == Tries(illegal=1, unreadable=2)
    assert record.tries[1 - to_move] == Tries(illegal=0, unreadable=2)
    assert "\ntries: A " in record.text()
    assert Record.parse(record.text()) == record
    check_record(record)
    assert to_json(record)["tries"][SEAT_NAMES[to_move]] == {"illegal": 1, "unreadable": 2}


def test_a_record_without_tries_says_nothing_of_them(folder: Folder) -> None:
    seats = folder.joined()
    seats[0].table.resign(0)
    assert "tries" not in seats[0].table.record().text()
    assert "tries" not in to_json(seats[0].table.record())


# --- the file ----------------------------------------------------------------------------------


def test_a_file_of_the_first_version_is_brought_up_to_date(folder: Folder) -> None:
    folder.path.mkdir(exist_ok=True)
    with sqlite3.connect(folder.path / database.FILE) as file:
        for statement in database.MIGRATIONS[0]:
            file.execute(statement)
        file.execute("PRAGMA user_version = 1")
        setup = (
            '{"game":"smashclash","ruleset":"classic","seed":5,"seats":["A","B"],"decks":["",""]}'
        )
        file.execute(
            "INSERT INTO games (id, created, rules_version, setup) VALUES ('g_old234', ?, ?, ?)",
            (START.timestamp(), GAMES["smashclash"].rules_version, setup),
        )
    file.close()
    table = folder.process().find("g_old234").table
    table.play(legal(table)[0])
    assert folder.process().find("g_old234").table.view().ply == 1
    folder.joined()
