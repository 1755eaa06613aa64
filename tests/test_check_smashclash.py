"""The checker of records: it passes what the engine wrote and finds each kind of planted fault."""

from __future__ import annotations

import functools
import json
import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from smashclash_mcp import Match, Setup, to_json
from tests import check_smashclash

from .smashclash.passes import play_out_with_a_pass

Facts = dict[str, Any]


@functools.cache
def source() -> str:
    """Return a real record as JSON: with captures, hops, every kind of move and a pass."""
    return json.dumps(to_json(play_out_with_a_pass().record()))


def ply_of(facts: Facts, start: str) -> int:
    """Return the ply of the first move whose name starts so or, after a `*`, holds it."""
    for row in facts["moves"]:
        if start.strip("*") in row["move"] if start[0] == "*" else row["move"].startswith(start):
            return row["ply"]
    raise AssertionError(start)


def state(facts: Facts, ply: int) -> Facts:
    """Return the state after a ply, 0 for the start."""
    return facts["moves"][ply - 1]["state"] if ply else facts["start"]["state"]


def caught(facts: Facts) -> check_smashclash.RecordFault:
    """Return the fault that the checker finds."""
    with pytest.raises(check_smashclash.RecordFault) as found:
        check_smashclash.check(facts)
    return found.value


def test_a_record_with_every_kind_of_move_passes() -> None:
    facts = json.loads(source())
    moves = [row["move"] for row in facts["moves"]]
    kinds = ("hop→", "hop: stay", "BOULDER", "FLIP", "FREEZE", "RECRUIT", "SWAP", "pass")
    assert not [kind for kind in kinds if not any(move.startswith(kind) for move in moves)]
    assert any("@" in move for move in moves)
    assert any("!" in move for move in moves)
    check_smashclash.check(facts)


# --- the header and the start -------------------------------------------------------------------


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("format", "smashclash-mcp record 2"),
        ("game", "go"),
        ("rules_version", 2),
        ("rules_version", True),
        ("ruleset", "blitz"),
        ("seed", "7"),
        ("seed", True),
        ("seed_source", "guessed"),
        ("seats", {"A": "x"}),
        ("seats", {"A": "x", "B": 1}),
        ("seats", {"A": "x", "C": "y"}),
        ("level", None),
        ("hints", 0),
        ("first", "C"),
        ("start", []),
        ("moves", {}),
    ],
)
def test_a_header_field_that_cannot_be_is_found(key: str, value: Any) -> None:
    facts = json.loads(source())
    facts[key] = value
    assert caught(facts).ply == 0


@pytest.mark.parametrize("key", check_smashclash.HEADER)
def test_a_header_field_that_is_missing_is_found(key: str) -> None:
    facts = json.loads(source())
    del facts[key]
    assert "keys of the record" in caught(facts).message


def test_a_field_too_many_is_found() -> None:
    facts = json.loads(source())
    facts["moves"][4]["clock"] = 3
    assert caught(facts).ply == 5


def test_a_card_twice_in_the_deck_is_found() -> None:
    facts = json.loads(source())
    facts["start"]["deck"][40] = facts["start"]["deck"][41]
    assert "51 cards" in caught(facts).message


def test_a_deal_that_is_not_from_the_top_of_the_deck_is_found() -> None:
    facts = json.loads(source())
    hands = state(facts, 0)["hands"]
    hands["A"], hands["B"] = hands["B"], hands["A"]
    assert caught(facts).message.startswith("hands")


def test_another_first_seat_is_found() -> None:
    facts = json.loads(source())
    facts["first"] = check_smashclash.OTHER[facts["first"]]
    assert caught(facts).ply == 0


@pytest.mark.parametrize(
    "chess",
    [
        {"A1": "rook"},
        {"A1": "rook", "B1": "king"},
        {"A1": "rook", "F1": "rook"},
        {"A1": "rook", "B1": "rook", "C1": "rook"},
    ],
)
def test_chess_tiles_that_cannot_be_drawn_are_found(chess: Facts) -> None:
    facts = json.loads(source())
    state(facts, 0)["chess"] = chess
    assert "drawn tiles" in caught(facts).message


def test_two_cards_of_the_deck_that_change_places_are_found_when_they_are_drawn() -> None:
    facts = json.loads(source())
    deck = facts["start"]["deck"]
    deck[10], deck[30] = deck[30], deck[10]  # the top card of the stock: drawn after the first turn
    turn_ends = next(row["ply"] for row in facts["moves"] if row["state"]["deck"] < 41)
    fault = caught(facts)
    assert (fault.ply, fault.message[:5]) == (turn_ends, "hands")


# --- rows ---------------------------------------------------------------------------------------


def drop(rows: list[Facts], at: int) -> None:
    del rows[at]


def double(rows: list[Facts], at: int) -> None:
    rows.insert(at, rows[at])


def other_seat(rows: list[Facts], at: int) -> None:
    rows[at]["seat"] = check_smashclash.OTHER[rows[at]["seat"]]


def other_number(rows: list[Facts], at: int) -> None:
    rows[at]["ply"] += 1


def illegal(rows: list[Facts], at: int) -> None:
    rows[at]["move"] = "Pengu@F9"


def needless_pass(rows: list[Facts], at: int) -> None:
    rows[at]["move"] = "pass"


def no_state(rows: list[Facts], at: int) -> None:
    del rows[at]["state"]


@pytest.mark.parametrize(
    ("change", "later"),
    [(drop, 0), (double, 1), (other_seat, 0), (other_number, 0), (illegal, 0),
     (needless_pass, 0), (no_state, 0)],
)  # fmt: skip
def test_a_damaged_row_is_found_at_its_ply(
    change: Callable[[list[Facts], int], None], later: int
) -> None:
    facts = json.loads(source())
    change(facts["moves"], 6)
    assert caught(facts).ply == 7 + later


def test_a_pass_that_is_left_out_is_found() -> None:
    facts = json.loads(source())
    ply = ply_of(facts, "pass")
    drop(facts["moves"], ply - 1)
    assert caught(facts).ply == ply


def test_a_row_after_the_end_is_found() -> None:
    facts = json.loads(source())
    last = facts["moves"][-1]
    facts["moves"].append({**last, "ply": last["ply"] + 1})
    assert "after the end" in caught(facts).message


def test_a_record_that_stops_too_early_is_found() -> None:
    facts = json.loads(source())
    facts["moves"].pop()
    assert "still to move" in caught(facts).message


# --- states -------------------------------------------------------------------------------------


def test_a_capture_that_is_not_told_is_found() -> None:
    facts = json.loads(source())
    before: Facts = {}
    for row in facts["moves"]:
        board = row["state"]["board"]
        placed = row["move"][-2:]
        for tile in set(before) & set(board) - {placed}:
            if before[tile]["owner"] != board[tile]["owner"] and "@" in row["move"]:
                board[tile] = before[tile]
                fault = caught(facts)
                assert (fault.ply, fault.message[:11]) == (row["ply"], f"board on {tile}")
                return
        before = board
    pytest.fail("no capture in the record")


@pytest.mark.parametrize(
    ("key", "value"),
    [("owner", "C"), ("frozen", True), ("card", "Nobody"), ("sides", [1, 1, 1, 1])],
)
def test_a_card_on_the_board_that_is_told_wrongly_is_found(key: str, value: Any) -> None:
    facts = json.loads(source())
    next(iter(state(facts, 9)["board"].values()))[key] = value
    fault = caught(facts)
    assert (fault.ply, fault.message[:8]) == (9, "board on")


def test_a_frozen_card_that_is_captured_is_found() -> None:
    facts = json.loads(source())
    ply = ply_of(facts, "FREEZE")
    tile = facts["moves"][ply - 1]["move"][7:9]
    piece = state(facts, ply)["board"][tile]
    piece["owner"] = check_smashclash.OTHER[piece["owner"]]
    assert caught(facts).ply == ply


@pytest.mark.parametrize("effect", ["BOULDER", "FLIP", "RECRUIT", "*!"])
def test_an_effect_or_an_overrun_that_changes_nothing_is_found(effect: str) -> None:
    facts = json.loads(source())
    ply = ply_of(facts, effect)
    state(facts, ply)["board"] = state(facts, ply - 1)["board"]
    fault = caught(facts)
    assert (fault.ply, fault.message[:8]) == (ply, "board on")


def test_a_swap_that_leaves_the_hands_is_found() -> None:
    facts = json.loads(source())
    ply = ply_of(facts, "SWAP")
    hands = state(facts, ply)["hands"]
    hands["A"], hands["B"] = hands["B"], hands["A"]
    fault = caught(facts)
    assert (fault.ply, fault.message[:5]) == (ply, "hands")


def test_a_hand_in_another_order_is_found() -> None:
    facts = json.loads(source())
    state(facts, 8)["hands"]["A"].reverse()
    assert caught(facts).message.startswith("hands")


def test_a_card_that_is_not_among_the_gone_is_found() -> None:
    facts = json.loads(source())
    ply = ply_of(facts, "BOULDER")
    state(facts, ply)["gone"].pop()
    fault = caught(facts)
    assert (fault.ply, fault.message[:4]) == (ply, "gone")


def test_a_hop_that_is_not_offered_is_found() -> None:
    facts = json.loads(source())
    ply = ply_of(facts, "hop") - 1
    state(facts, ply)["hop"] = None
    assert caught(facts).ply == ply


def occupied_power(now: Facts) -> Facts:
    return {tile: ["pink", 1] for tile in [*now["board"]][:2]}


def strong_power(now: Facts) -> Facts:
    return {tile: ["pink", 3] for tile in now["power"]}


def white_power(now: Facts) -> Facts:
    return {tile: ["white", 1] for tile in now["power"]}


def single_power(now: Facts) -> Facts:
    return dict([*now["power"].items()][:1])


@pytest.mark.parametrize("power", [occupied_power, strong_power, white_power, single_power])
def test_power_tiles_that_cannot_be_drawn_are_found(power: Callable[[Facts], Facts]) -> None:
    facts = json.loads(source())
    ply = next(row["ply"] for row in facts["moves"] if len(row["state"]["board"]) == 5)
    while state(facts, ply)["hop"]:
        ply += 1
    now = state(facts, ply)
    now["power"] = power(now)
    fault = caught(facts)
    assert (fault.ply, "drawn tiles" in fault.message) == (ply, True)


def test_power_tiles_that_change_while_a_hop_is_decided_are_found() -> None:
    facts = json.loads(source())
    ply = ply_of(facts, "hop") - 1
    state(facts, ply)["power"] = {"A1": ["pink", 1], "E3": ["pink", 2]}
    fault = caught(facts)
    assert (fault.ply, fault.message[:5]) == (ply, "power")


def missing(legal: list[str]) -> list[str]:
    return legal[:-1]


def extra(legal: list[str]) -> list[str]:
    return [*legal, "Nobody@A1"]


def reordered(legal: list[str]) -> list[str]:
    return legal[::-1]


@pytest.mark.parametrize("change", [missing, extra, reordered])
def test_a_legal_list_with_a_fault_is_found(change: Callable[[list[str]], list[str]]) -> None:
    facts = json.loads(source())
    state(facts, 10)["legal"] = change(state(facts, 10)["legal"])
    fault = caught(facts)
    assert (fault.ply, fault.message[:5]) == (10, "legal")


# --- the result ---------------------------------------------------------------------------------


@pytest.mark.parametrize("key", ["winner", "reason", "score"])
def test_another_result_is_found(key: str) -> None:
    facts = json.loads(source())
    others = {"winner": None, "reason": "board full", "score": {"A": 1, "B": 2}}
    assert facts["result"][key] != others[key]
    facts["result"][key] = others[key]
    fault = caught(facts)
    assert (fault.ply, fault.message[:6]) == (len(facts["moves"]), "result")


def test_a_resignation_that_wins_is_found() -> None:
    match = Match(Setup("smashclash", "classic", 5))
    match.resign(0)
    facts = json.loads(json.dumps(to_json(match.record())))
    check_smashclash.check(facts)
    facts["result"]["winner"] = "A"
    assert caught(facts).message.startswith("result")


# --- anything at all ----------------------------------------------------------------------------


def leaves(value: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """Return the path of every plain value in a JSON value."""
    if isinstance(value, dict):
        return [leaf for key in value for leaf in leaves(value[key], (*path, key))]  # pyright: ignore
    if isinstance(value, list):
        return [leaf for key, item in enumerate(value) for leaf in leaves(item, (*path, key))]  # pyright: ignore
    return [path]


def other(value: Any) -> Any:
    """Return a value of the same type that is not the same."""
    if isinstance(value, bool):
        return not value
    if isinstance(value, int):
        return value + 1
    return "B" if value == "A" else "A"


def test_no_value_of_any_state_can_be_another_unseen() -> None:
    facts = json.loads(source())
    paths = [path for path in leaves(facts["moves"]) if "power" not in path]
    for path in random.Random(1).sample(paths, 300):
        changed = json.loads(source())
        place: Any = changed["moves"]
        for key in path[:-1]:
            place = place[key]
        place[path[-1]] = other(place[path[-1]])
        assert caught(changed).ply == path[0] + 1, path


# --- the command --------------------------------------------------------------------------------


def test_the_command_says_ok_or_bad_a_line_a_record(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    bad = json.loads(source())
    bad["moves"][2]["seat"] = "C"
    file = tmp_path / "records.jsonl"
    file.write_text(f"{source()}\n{json.dumps(bad)}\n", "utf-8")
    assert check_smashclash.main([str(file)]) == 1
    first, second = capsys.readouterr().out.splitlines()
    assert first.startswith(f"ok {file}:1: ")
    assert second.startswith(f"bad {file}:2: ply 3: seat")
    file.write_text(source(), "utf-8")
    assert check_smashclash.main([str(file)]) == 0
