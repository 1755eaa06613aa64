"""Records that are damaged on purpose, as text or JSON: always a RecordError, never another."""

from __future__ import annotations

import json
import random
from typing import Any

import pytest

from smashclash_mcp import GAMES, Match, RandomPlayer, Record, RecordError, Setup, to_json

every_game = pytest.mark.parametrize("game", GAMES)
WRONG: tuple[Any, ...] = (None, 5, -1, 2.5, 1e400, "x", "\ud800", "\n", [], {}, [[]])


def finished(game: str) -> Record:
    """Return the record of a random game."""
    match, player = Match(Setup(game, GAMES[game].rulesets[0], 3)), RandomPlayer()
    while match.to_move is not None:
        view = match.view(match.to_move)
        match.play(player.choose(view, match.dice.derive("player", view.ply)))
    return match.record()


@every_game
def test_a_header_line_that_is_there_twice_is_refused(game: str) -> None:
    lines = finished(game).text().splitlines()
    for at in range(1, lines.index("")):
        with pytest.raises(RecordError, match="twice") as caught:
            Record.parse("\n".join([*lines[: at + 1], *lines[at:]]))
        assert caught.value.ply == 0


@every_game
def test_a_line_that_is_left_out_is_refused_at_its_ply(game: str) -> None:
    lines = finished(game).text().splitlines()
    start = lines.index("")
    for at in range(start + 1, len(lines) - 1):
        with pytest.raises(RecordError) as caught:
            Record.parse("\n".join([*lines[:at], *lines[at + 1 :]])).replay()
        assert caught.value.ply == at - start


@every_game
@pytest.mark.parametrize(
    "number", ["0", "01", "-1", "1.0", "١", pytest.param("1" * 5000, id="long"), ""]
)
def test_a_ply_number_that_is_not_the_coming_one_is_refused(game: str, number: str) -> None:
    text = finished(game).text().replace("\n1 ", f"\n{number} ")
    with pytest.raises(RecordError) as caught:
        Record.parse(text)
    assert caught.value.ply == 1


@every_game
@pytest.mark.parametrize(
    "key",
    ["format", "game", "rules_version", "ruleset", "seed", "seed_source", "seats", "hints",
     "first", "result", "moves"],
)  # fmt: skip
def test_a_json_field_of_another_kind_is_refused(game: str, key: str) -> None:
    facts = to_json(finished(game))
    for value in WRONG:
        with pytest.raises(RecordError):
            Record.parse(json.dumps({**facts, key: value})).replay()
    del facts[key]
    with pytest.raises(RecordError):
        Record.parse(json.dumps(facts))


@every_game
@pytest.mark.parametrize("key", ["winner", "reason", "score"])
def test_a_json_result_of_another_kind_is_refused(game: str, key: str) -> None:
    facts = to_json(finished(game))
    for value in (*WRONG[1:], {"A": 1e400, "B": 1}, {"A": 2.5, "B": 1}):
        wrong = {**facts["result"], key: value}
        with pytest.raises(RecordError):
            Record.parse(json.dumps({**facts, "result": wrong})).replay()


@every_game
@pytest.mark.parametrize("key", ["seat", "move"])
def test_a_json_move_of_another_kind_is_refused(game: str, key: str) -> None:
    facts = to_json(finished(game))
    for value in WRONG:
        moves = [{**facts["moves"][0], key: value}, *facts["moves"][1:]]
        with pytest.raises(RecordError):
            Record.parse(json.dumps({**facts, "moves": moves})).replay()


@pytest.mark.parametrize(
    "text",
    ["{", "{}", pytest.param('{"a":' * 100_000, id="deep"), '{"format": 1}', "{" * 10, "\x00"],
)
def test_what_is_no_json_record_is_refused(text: str) -> None:
    with pytest.raises(RecordError):
        Record.parse(text)


@every_game
def test_a_record_cut_or_changed_anywhere_is_refused_or_the_same(game: str) -> None:
    record = finished(game)
    text = record.text()
    seed = random.randrange(2**53)
    print("seed", seed)
    choose = random.Random(seed)
    start = text.index("\n\n") + 2
    for _ in range(300):
        at = choose.randrange(start, len(text))
        letter = choose.choice("ABCDE123@!→ \nab")
        changed = text[:at] + choose.choice((letter, "")) + text[at + 1 :]
        try:
            again = Record.parse(changed).replay().record()
        except RecordError:
            continue
        assert again.result == record.result, changed[at - 20 : at + 20]
