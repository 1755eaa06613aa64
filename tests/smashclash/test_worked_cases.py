"""The worked cases of the contract's section 8, by their numbers."""

from __future__ import annotations

import pytest

from smashclash_mcp.games.smashclash.board import TILE_NUMBERS, TILES, destinations
from smashclash_mcp.games.smashclash.cards import NUMBERS, SIDES

from .build import cards, hand, legal, play, position


def test_case_1_ties_capture_and_comparisons_are_by_touching_sides() -> None:
    at = position(
        {"C3": "B Mr. Lollihops", "C1": "B Noodle", "D2": "B Ronald", "B2": "A Luna"}, a="Pengu"
    )
    play(at, "Pengu@C2")
    assert cards(at) == {
        "C3": "A Mr. Lollihops",
        "C1": "A Noodle",
        "D2": "B Ronald",
        "B2": "A Luna",
        "C2": "A Pengu",
    }


def test_case_2_a_card_of_seat_b_is_turned_by_180_degrees() -> None:
    assert SIDES[NUMBERS["Pengu"] + 64] == (3, 2, 5, 4)


def test_case_3_vega_on_purple_plus_1_attacks_8_5_6_7() -> None:
    board = {"C3": "B Stello", "D2": "B Ronald", "C1": "B Lizzie", "B2": "B Petite"}
    at = position(board, a="Vega", power={"C2": "purple+1"})
    sides = {tile: facts["sides"] for tile, facts in at.snapshot()["board"].items()}
    touching = sides["C3"][2], sides["D2"][3], sides["C1"][0], sides["B2"][1]
    assert touching == (7, 6, 6, 7)
    play(at, "Vega@C2")  # 8, 5, 6, 7: all but Ronald
    assert cards(at) == {
        "C3": "A Stello",
        "D2": "B Ronald",
        "C1": "A Lizzie",
        "B2": "A Petite",
        "C2": "A Vega",
    }


def test_case_4_a_knight_on_b1_reaches_a3_c3_and_d2() -> None:
    tiles = destinations(1, TILE_NUMBERS["B1"], [0] * 15)
    assert [TILES[tile] for tile in tiles] == ["D2", "A3", "C3"]


def test_case_5_flip_turns_the_board_and_changes_sides() -> None:
    at = position({"A1": "A Pengu", "B2": "B Luna*"}, a="FLIP")
    play(at, "FLIP")
    assert cards(at) == {"E3": "B Pengu", "D2": "A Luna*"}


def test_case_6_boulder_removes_row_and_column_but_for_frozen_cards() -> None:
    at = position(
        {"A2": "A Po", "D1": "B Poe", "D2": "A Joe", "E2": "B Amie", "D3": "B Luna*"}, a="BOULDER"
    )
    play(at, "BOULDER(D2)")
    assert cards(at) == {"D3": "B Luna*"}


@pytest.mark.parametrize("to_move", ["A", "B"])
def test_case_7_the_15th_placement_ends_the_game_after_its_captures(to_move: str) -> None:
    names = [name for name in NUMBERS if NUMBERS[name] < 47][:15]
    other = "B" if to_move == "A" else "A"
    board = {tile: f"{other} {name}" for tile, name in zip(TILES, names, strict=True)}
    del board["E3"]
    hands = {"a": "Mittens Jr., Alex", "b": "Cupid"}
    if to_move == "B":
        hands = {"a": "Cupid", "b": "Mittens Jr., Alex"}
    at = position(board, a=hands["a"], b=hands["b"], to_move=to_move, chess={"E3": "queen"})
    play(at, "Mittens Jr.@E3")
    outcome = at.outcome()
    assert outcome is not None
    assert outcome.reason == "board full"
    assert sum(outcome.score) == 15
    assert outcome.score["AB".index(to_move)] > 1  # it captured before the end
    assert legal(at) == []
    assert hand(at, "AB".index(to_move)) == ["Alex"]  # nobody draws


def test_case_8_swap_exchanges_hands_and_its_player_draws_up_to_five() -> None:
    at = position(a="SWAP, Pengu, Luna, Noodle, Tina", b="Po, Poe, Joe, Amie, Alex")
    play(at, "SWAP")
    assert hand(at, 0) == ["Po", "Poe", "Joe", "Amie", "Alex"]
    assert hand(at, 1) == ["Pengu", "Luna", "Noodle", "Tina"]
