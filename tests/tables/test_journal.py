"""Games outlive their process; of two writers one lands; what is damaged costs that game alone."""

from __future__ import annotations

import logging
import sqlite3
import threading
from pathlib import Path

import pytest

from smashclash_mcp import GAMES, Setup
from smashclash_mcp.tables import CallError, Database, Table, Tables, database

SETUP = Setup("smashclash", "classic", 5)


def again(folder: Path) -> Tables:
    """Return the folder's tables as another process would see them."""
    return Tables(Database(folder))


def names(table: Table) -> list[str]:
    match = table.match
    return [match.game.move_names[move] for move in match.position.legal_moves()]


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("against", ["house", "self"])
def test_a_game_goes_on_in_another_process_to_its_end(
    game: str, against: str, tmp_path: Path
) -> None:
    house = 1 if against == "house" else None
    level = GAMES[game].default_level if house else ""
    first, keys = again(tmp_path).open(
        Setup(game, GAMES[game].rulesets[-1], 7, level=level, house=house)
    )
    assert (keys is None) == (against == "house")
    while True:
        table = again(tmp_path).find(first.id).table
        before = table.view().text()
        if table.match.to_move is None:
            break
        assert again(tmp_path).find(first.id).table.view().text() == before
        table.play(names(table)[0], move_no=len(table.match.played) + 1)
    assert first.view().outcome() == table.match.outcome()
    listed, count = again(tmp_path).latest(10, "finished")
    assert (listed[0].entry.id, listed[0].entry.result, count) == (
        first.id,
        str(table.match.outcome()),
        1,
    )
    if keys is not None:
        access = again(tmp_path).find(keys[1])
        assert (access.table.id, access.seat) == (first.id, 1)
    table.match.record().replay()


def race(both: tuple[Tables, Tables], key: str, moves: list[str]) -> list[str]:
    """Play a move from each of two processes at once; return both refusals' codes, sorted."""
    barrier = threading.Barrier(2)
    codes: list[str] = []

    def play(tables: Tables, move: str) -> None:
        access = tables.find(key)
        access.table.view()  # both know the game as it is before either move
        barrier.wait()
        try:
            access.table.play(move, access.seat, 1)
            codes.append("")
        except CallError as error:
            codes.append(error.code)

    threads = [threading.Thread(target=play, args=pair) for pair in zip(both, moves, strict=True)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return sorted(codes)


def test_of_two_moves_at_once_from_two_processes_one_lands(tmp_path: Path) -> None:
    both = again(tmp_path), again(tmp_path)
    for seed in range(20):
        table, keys = both[0].open(Setup("smashclash", "classic", seed))
        seat = table.match.to_move
        assert keys
        assert seat is not None
        assert race(both, keys[seat], names(table)[:2]) == ["", "illegal"]
        texts = {tables.find(table.id).table.view().text() for tables in both}
        assert len(texts) == 1


def test_a_move_of_another_process_is_seen_and_a_late_one_told_what_was_played(
    tmp_path: Path,
) -> None:
    one, other = again(tmp_path), again(tmp_path)
    table, _ = one.open(SETUP)
    there = other.find(table.id).table
    move, late = names(table)[:2]
    there.play(move)
    with pytest.raises(CallError, match="move 1 was already played"):
        table.play(late, move_no=1)
    assert table.play(move, move_no=1).note == "already played as move 1"
    there.resign()
    with pytest.raises(CallError, match="move 2 was already played: B resign"):
        table.play(names(table)[0], move_no=2)


def test_whose_turn_it_is_is_what_the_journal_says(tmp_path: Path) -> None:
    one, other = again(tmp_path), again(tmp_path)
    table, _ = one.open(SETUP)
    first = table.match.to_move
    assert first is not None
    table.play(names(table)[0], first)
    there = other.find(table.id).table
    there.view()
    there.play(names(there)[0], 1 - first)
    assert table.match.to_move == 1 - first  # as far as it knows
    table.play(names(there)[0], first)
    assert len(table.match.played) == 3


def test_a_game_whose_rows_are_damaged_costs_that_game_alone(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    tables = again(tmp_path)
    games = [tables.open(SETUP)[0] for _ in range(3)]
    games[1].play(names(games[1])[0])
    with sqlite3.connect(tmp_path / database.FILE) as file:
        file.execute("UPDATE games SET setup = '{' WHERE id = ?", (games[0].id,))
        file.execute("UPDATE moves SET name = 'nonsense' WHERE game = ?", (games[1].id,))
    file.close()
    later = again(tmp_path)
    with pytest.raises(CallError, match="unavailable"):
        later.find(games[0].id)
    with pytest.raises(CallError, match="unavailable"):
        later.find(games[1].id).table.state()
    assert games[0].id in caplog.text
    assert games[1].id in caplog.text
    later.find(games[2].id).table.play(names(games[2])[0])
    assert [game.entry.id for game in later.latest(10)[0]] == [games[1].id, games[2].id]


def test_while_the_file_is_locked_a_move_is_refused_and_then_goes_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(database, "PATIENCE_S", 0.1)
    table, _ = again(tmp_path).open(SETUP)
    move = names(table)[0]
    with sqlite3.connect(tmp_path / database.FILE, isolation_level=None) as file:
        file.execute("BEGIN IMMEDIATE")
        with pytest.raises(CallError, match="unavailable"):
            table.play(move)
        assert table.view().ply == 0
        file.execute("ROLLBACK")
    file.close()
    assert table.play(move, move_no=1).note == ""
    assert [entry.name for entry in table.match.played] == [move]


def test_a_file_that_is_locked_at_first_is_used_once_it_is_free(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(database, "PATIENCE_S", 0.1)
    with sqlite3.connect(tmp_path / database.FILE, isolation_level=None) as file:
        file.execute("BEGIN EXCLUSIVE")
        tables = again(tmp_path)
        assert "locked; each call tries again" in caplog.text
        with pytest.raises(CallError, match="unavailable"):
            tables.open(SETUP)
        file.execute("ROLLBACK")
    file.close()
    table, _ = tables.open(SETUP)
    assert again(tmp_path).find(table.id).table.view().ply == 0


@pytest.mark.parametrize("what", ["folder", "file"])
def test_a_folder_or_file_that_cannot_be_written_to_is_left_alone(
    what: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    again(tmp_path).open(SETUP)
    locked = tmp_path if what == "folder" else tmp_path / database.FILE

    def access(path: Path, mode: int) -> bool:
        return path != locked

    # The rights of a file mean nothing to a privileged user.
    monkeypatch.setattr("os.access", access)
    with caplog.at_level(logging.WARNING):
        tables = again(tmp_path)
    assert f"{locked.name} cannot be written to; games and collections are kept in" in caplog.text
    assert tables.latest(10) == ([], 0)
    assert not Database(tmp_path).on_disk


def test_a_file_of_a_newer_version_is_left_alone(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    again(tmp_path).open(SETUP)
    with sqlite3.connect(tmp_path / database.FILE) as file:
        file.execute("PRAGMA user_version = 99")
    with caplog.at_level(logging.WARNING):
        assert again(tmp_path).latest(10) == ([], 0)
    assert "of version 99, this program knows 2; games and collections are kept in memory only" in (
        caplog.text
    )
    assert file.execute("SELECT count(*) FROM games").fetchone() == (1,)
    file.close()
