"""The sentences of the rules contract (docs/smashclash-rules.md), section by section.

`tests/manifest/smashclash.toml` says which test holds which sentence.
"""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest

from smashclash_mcp import (
    Dice,
    IllegalMoveError,
    InvalidMoveError,
    Match,
    RecordError,
    Setup,
    get_game,
    to_json,
)
from smashclash_mcp.games.smashclash import Position
from smashclash_mcp.games.smashclash.board import NEIGHBOURS, PIECES, TILE_NUMBERS, TILES, ZONES
from smashclash_mcp.games.smashclash.cards import CARDS, COLOURS, DECK, NUMBERS, SIDES

from .build import GAME, cards, hand, legal, number, play, position

FULL_HAND = "Pengu, Luna, Noodle, Tina, Po"
SEEDS = range(300)
AROUND = {"B2": "A Po", "A2": "B Joe", "C2": "B Amie", "B1": "A Poe", "B3": "B Alex"}


def deal(seed: int, ruleset: str = "mutators") -> Position:
    at = GAME.new(ruleset, Dice(seed))
    assert isinstance(at, Position)
    return at


def kinds(at: Position, *moves: str) -> list[str | int]:
    return [event[0] for event in play(at, *moves).public]


# --- 1. Board, seats, deck ---------------------------------------------------------------------


def test_the_board_has_15_tiles_in_columns_a_to_e_and_rows_1_to_3() -> None:
    assert ",".join(TILES) == "A1,B1,C1,D1,E1,A2,B2,C2,D2,E2,A3,B3,C3,D3,E3"


def test_north_is_towards_row_3_and_east_towards_column_e() -> None:
    ways = {TILES[tile]: direction for tile, direction in NEIGHBOURS[TILE_NUMBERS["C2"]]}
    assert ways == {"C3": 0, "D2": 1, "C1": 2, "B2": 3}


def test_the_deck_is_46_characters_and_5_effects_one_copy_each_for_both_seats() -> None:
    names = [card.name for card in CARDS]
    assert len(set(names)) == 51
    assert sum(card.printed is not None for card in CARDS) == 46
    assert names[46:] == ["BOULDER", "FLIP", "FREEZE", "RECRUIT", "SWAP"]
    assert [card.id for card in CARDS] == [*range(1, 47), *range(101, 106)]
    assert {tuple(sorted(deal(seed).deck)) for seed in SEEDS} == {tuple(range(1, 52))}


def test_seat_a_is_dealt_the_top_five_and_seat_b_the_next_five() -> None:
    at = deal(3)
    assert at.hands == [list(at.deck[:5]), list(at.deck[5:10])]


def test_the_draws_are_the_deck_then_who_goes_first_then_the_chess_tiles() -> None:
    dice = Dice(11)
    deck = list(DECK)
    for i in range(50, 0, -1):
        j = int(dice.random() * (i + 1))
        deck[i], deck[j] = deck[j], deck[i]
    first = int(dice.random() * 2)
    one = int(dice.random() * 15)
    two = [tile for tile in range(15) if tile != one][int(dice.random() * 14)]
    pieces = [PIECES[1 + int(dice.random() * 4)] for _ in range(2)]
    at = deal(11)
    assert list(at.deck) == deck
    assert at.to_move == first
    found = {tile: PIECES[piece] for tile, piece in enumerate(at.chess) if piece}
    assert found == dict(zip((one, two), pieces, strict=True))


def test_the_seed_decides_who_goes_first() -> None:
    assert 100 < sum(deal(seed).seat for seed in SEEDS) < 200


def test_a_seat_draws_up_to_five_at_the_end_of_its_own_turn_to_the_end_of_its_hand() -> None:
    at = position(a=FULL_HAND, b="Poe, Joe, Amie, Alex", deck="Cupid, Lizzie, Shadow")
    events = play(at, "Luna@A1")
    assert hand(at, 0) == ["Pengu", "Noodle", "Tina", "Po", "Cupid"]
    assert hand(at, 1) == ["Poe", "Joe", "Amie", "Alex"]  # plays from four
    assert ("draw", 0, 1) in events.public
    assert events.private == ([("drew", NUMBERS["Cupid"])], [])
    play(at, "Poe@E3")
    assert hand(at, 1) == ["Joe", "Amie", "Alex", "Lizzie", "Shadow"]


def test_an_empty_deck_gives_no_card_and_is_not_reshuffled() -> None:
    at = position(a="Pengu, Luna", b="Joe", deck="", gone="Tina")
    play(at, "Pengu@A1")
    assert hand(at, 0) == ["Luna"]


def test_cards_that_leave_the_board_or_are_spent_never_come_back() -> None:
    board = {"A1": "B Joe", "C1": "A Amie"}
    at = position(board, a="BOULDER, Pengu", b="Luna", deck="Tina, Po, Alex")
    play(at, "BOULDER(A1)")
    gone = {NUMBERS[name] for name in ("Joe", "Amie", "BOULDER")}
    assert gone <= set(at.gone())
    for seed in range(5):
        later = at.copy()
        dice = Dice(seed)
        while later.outcome() is None:
            moves = later.legal_moves()
            later.play(moves[dice.below(len(moves))], dice)
            assert gone <= set(later.gone())


# --- 2. Characters and captures ----------------------------------------------------------------


def test_printed_sides_are_1_to_7_as_the_owner_reads_them() -> None:
    assert all(1 <= side <= 7 for card in CARDS if card.printed for side in card.printed)
    assert CARDS[0].printed == (5, 4, 3, 2)


def test_board_sides_of_seat_a_are_top_right_bottom_left_and_of_b_turned() -> None:
    for card in CARDS:
        if card.printed:
            top, right, bottom, left = card.printed
            assert SIDES[card.number] == (top, right, bottom, left)
            assert SIDES[card.number + 64] == (bottom, left, top, right)


def test_a_captured_card_faces_its_new_owner_with_its_sides_turned() -> None:
    at = position({"A1": "B Noodle"}, a="Pengu")
    before = at.snapshot()["board"]["A1"]
    play(at, "Pengu@A2")
    after = at.snapshot()["board"]["A1"]
    assert (before["owner"], after["owner"]) == ("B", "A")
    assert after["sides"] == before["sides"][2:] + before["sides"][:2]


def test_a_placement_attacks_orthogonal_enemies_only() -> None:
    board = {"B3": "B Noodle", "D1": "B Snowl", "C3": "B Amie", "D2": "A Luna"}
    at = position(board, a="Lizzie")
    play(at, "Lizzie@C2")  # B3 and D1 lie diagonally
    assert cards(at) == {**board, "C3": "A Amie", "C2": "A Lizzie"}


def test_a_placement_needs_an_empty_tile() -> None:
    at = position({"C2": "B Noodle"}, a="Pengu")
    assert "Pengu@C2" not in legal(at)
    assert len(legal(at)) == 14


@pytest.mark.parametrize(("attacker", "captured"), [("Boomerang", False), ("Pengu", True)])
def test_the_attacking_side_must_be_at_least_the_other_side(attacker: str, captured: bool) -> None:
    # Joe of seat B shows west its right side, 4; the attackers' east sides are 1 and 4.
    at = position({"B1": "B Joe"}, a=attacker)
    play(at, f"{attacker}@A1")
    assert (cards(at)["B1"] == "A Joe") is captured


def test_frozen_neighbours_are_not_attacked() -> None:
    at = position({"B1": "B Noodle*"}, a="Lizzie")
    play(at, "Lizzie@A1")
    assert cards(at)["B1"] == "B Noodle*"


def test_captures_do_not_chain() -> None:
    # Noodle on B1 turns; turned, its side 5 would beat Snowl on C1, but it does not attack.
    at = position({"B1": "B Noodle", "C1": "B Snowl"}, a="Lizzie")
    play(at, "Lizzie@A1")
    assert cards(at)["B1"] == "A Noodle"
    assert cards(at)["C1"] == "B Snowl"


def test_only_placement_hop_recruit_and_overrun_attack() -> None:
    near = {"B1": "A Lizzie", "C1": "B Noodle", "B2": "B Snowl"}
    for move in ("FLIP", "FREEZE(B1)", "SWAP"):
        at = position(near, a="FLIP, FREEZE, SWAP, Tina", b="Po")
        assert "capture" not in kinds(at, move)
    at = position({**near, "E3": "B Amie"}, a="BOULDER", b="Po")
    assert "capture" not in kinds(at, "BOULDER(E3)")


# --- 3. Turn -----------------------------------------------------------------------------------


def test_power_tiles_appear_at_the_start_of_a_turn() -> None:
    at = position(a=FULL_HAND, b="Joe")
    events = play(at, "Pengu@A1").public
    assert [event[0] for event in events[-3:]] == ["turn", "power", "power"]
    assert [event[1:] for event in events[-2:]] == list(at.power)


def test_a_turn_is_one_card_and_then_the_other_seats() -> None:
    at = position(a=FULL_HAND, b="Joe, Amie")
    play(at, "Pengu@A1")
    assert at.to_move == 1
    play(at, "Joe@E3")
    assert at.to_move == 0


def test_a_hop_is_decided_by_the_same_seat_as_a_move_of_its_own_before_drawing() -> None:
    at = position(a=FULL_HAND, b="Joe", chess={"A1": "rook"})
    play(at, "Pengu@A1")
    assert (at.to_move, at.ply, len(at.hands[0])) == (0, 1, 4)
    play(at, "hop→B1")
    assert (at.to_move, at.ply, len(at.hands[0])) == (1, 2, 5)


def almost_full(**others: str) -> Position:
    names = [name for name in NUMBERS if NUMBERS[name] < 47 and name not in ("Lizzie", "Pengu")]
    board = {tile: f"B {name}" for tile, name in zip(TILES[:14], names, strict=False)}
    return position(board, a="Lizzie, Pengu", b="FLIP", chess=others)


def test_the_15th_card_attacks_then_the_game_is_over_and_nobody_draws() -> None:
    at = almost_full(E3="knight")
    done = kinds(at, "Lizzie@E3")
    assert done[-1] == "end"
    assert "capture" in done
    assert "draw" not in done
    assert at.to_move is None


def test_power_tiles_go_when_the_turn_ends() -> None:
    at = position(a=FULL_HAND, b="Joe", power={"C2": "pink+1"})
    play(at, "Pengu@C2")
    assert TILE_NUMBERS["C2"] not in [tile for tile, _, _ in at.power]
    assert len(at.power) == 2


def test_a_seat_without_a_legal_move_passes_by_itself_and_draws() -> None:
    at = position(a=FULL_HAND, b="FREEZE", deck="Cupid, Alex, Joe, Amie, Poe, Shadow")
    snapshots: list[dict[str, Any]] = []
    events = at.play(number("Pengu@A1"), Dice(1), lambda: snapshots.append(at.snapshot()))
    order = [event[0] for event in events.public if event[0] != "power"]
    assert order == ["place", "draw", "turn", "pass", "draw", "turn"]
    assert hand(at, 1) == ["FREEZE", "Alex", "Joe", "Amie", "Poe"]
    assert (at.to_move, at.ply) == (0, 2)
    (before,) = snapshots
    assert (before["to_move"], before["legal"]) == ("B", [])
    assert len(before["power"]) == 2


def test_nobody_types_or_lists_pass() -> None:
    assert "pass" not in GAME.move_names
    with pytest.raises(InvalidMoveError):
        position(a=FULL_HAND).view(0).read_move("pass")


def test_the_game_ends_without_a_pass_when_neither_seat_could_move() -> None:
    at = position({"A1": "A Luna"}, a="Pengu", b="FREEZE", deck="")
    events = play(at, "Pengu@B1").public
    assert events[-1] == ("end", "no moves left")
    assert "pass" not in [event[0] for event in events]
    assert at.power == ()


def test_a_hand_of_unplayable_effects_is_possible() -> None:
    assert legal(position(a="FLIP, BOULDER, FREEZE, RECRUIT", b="Pengu")) == []


# --- 4. End and score --------------------------------------------------------------------------


def test_the_score_counts_the_cards_facing_each_seat() -> None:
    assert position({"A1": "A Luna", "B1": "B Joe", "C1": "B Po*"}).score() == (1, 2)


def test_more_cards_win_when_the_board_is_full() -> None:
    at = almost_full()
    play(at, "Lizzie@E3")
    outcome = at.outcome()
    assert outcome is not None
    assert (outcome.winner, outcome.reason) == (1, "board full")
    assert sum(outcome.score) == 15


@pytest.mark.parametrize(("other", "winner"), [("B", None), ("A", 0)])
def test_no_moves_left_is_counted_the_same_way_and_equal_is_a_draw(
    other: str, winner: int | None
) -> None:
    at = position({"E3": f"{other} Luna"}, a="Pengu", b="", deck="")
    play(at, "Pengu@A1")
    outcome = at.outcome()
    assert outcome is not None
    assert (outcome.winner, outcome.reason) == (winner, "no moves left")


@pytest.mark.parametrize("seat", [0, 1])
def test_either_seat_may_resign_at_any_time_and_loses(seat: int) -> None:
    at = position({"A2": "A Joe"}, a=FULL_HAND, b="Amie", chess={"A1": "rook"})
    play(at, "Pengu@A1")  # a hop is on offer
    at.stop("resign", seat)
    outcome = at.outcome()
    assert outcome is not None
    assert (outcome.winner, outcome.reason) == (1 - seat, "resignation")
    assert at.legal_moves() == []


def test_seed_hands_and_deck_are_told_once_the_game_is_over_and_not_before() -> None:
    match = Match(Setup("smashclash", "mutators", seed=918273645))
    assert "918273645" not in match.view(0).text()
    with pytest.raises(RecordError, match="still running"):
        to_json(match.record())
    match.resign(0)
    facts = to_json(match.record())
    assert facts["seed"] == 918273645
    assert len(facts["start"]["deck"]) == 51
    assert facts["start"]["state"]["hands"]["B"] == facts["start"]["deck"][5:10]


# --- 5. Effects --------------------------------------------------------------------------------


def test_boulder_takes_any_card_that_is_not_frozen_and_its_row_and_column() -> None:
    board = {"D2": "A Joe", "B2": "B Po*", "A2": "B Luna", "D3": "A Amie", "C3": "B Poe"}
    at = position(board, a="BOULDER", b="Pengu")
    assert legal(at) == ["BOULDER(A2)", "BOULDER(D2)", "BOULDER(C3)", "BOULDER(D3)"]
    play(at, "BOULDER(D2)")
    assert cards(at) == {"B2": "B Po*", "C3": "B Poe"}  # Po shields nothing


def test_flip_turns_board_and_chess_tiles_and_changes_sides_without_attack() -> None:
    board = {"A1": "A Lizzie", "B1": "B Noodle", "C2": "B Po*"}
    at = position(board, a="FLIP", chess={"A1": "rook", "B2": "queen"})
    assert "capture" not in kinds(at, "FLIP")
    assert cards(at) == {"E3": "B Lizzie", "D3": "A Noodle", "C2": "A Po*"}
    assert at.snapshot()["chess"] == {"D2": "queen", "E3": "rook"}


def test_flip_needs_a_card_on_the_board() -> None:
    assert legal(position(a="FLIP", b="Pengu")) == []
    assert legal(position({"A1": "B Po"}, a="FLIP")) == ["FLIP"]


def test_freeze_takes_an_own_card_that_is_not_frozen() -> None:
    at = position({"A1": "A Po", "B1": "B Joe", "C1": "A Poe*"}, a="FREEZE", b="Luna")
    assert legal(at) == ["FREEZE(A1)"]


def test_a_frozen_card_is_never_captured_recruited_removed_or_overrun_but_flipped() -> None:
    at = position(AROUND, a="FREEZE, Tina", b="Lizzie, BOULDER, RECRUIT, FLIP, Stello")
    assert "Tina!B2" in legal(at)
    play(at, "FREEZE(B2)")
    assert not [name for name in legal(at) if name.startswith(("RECRUIT(B2", "BOULDER(B2"))]
    play(at, "BOULDER(A2)")
    assert cards(at)["B2"] == "A Po*"
    own = position({**AROUND, "B2": "A Po*"}, a="Tina")
    assert "Tina!B2" not in legal(own)
    flipped = position({"B2": "A Po*"}, a="FLIP")
    play(flipped, "FLIP")
    assert cards(flipped) == {"D2": "B Po*"}


def test_recruit_takes_an_enemy_card_to_a_tile_empty_before_and_attacks_there() -> None:
    board = {"A3": "B Lizzie", "C1": "B Noodle", "E3": "B Po*", "E1": "A Joe"}
    at = position(board, a="RECRUIT")
    moves = legal(at)
    assert {name[:10] for name in moves} == {"RECRUIT(A3", "RECRUIT(C1"}
    assert "RECRUIT(A3→A3)" not in moves
    assert len(moves) == 2 * 11
    play(at, "RECRUIT(A3→B1)")
    assert cards(at) == {"B1": "A Lizzie", "C1": "A Noodle", "E3": "B Po*", "E1": "A Joe"}


def test_recruit_may_be_followed_by_a_hop_even_back_to_the_tile_it_left() -> None:
    at = position({"A3": "B Lizzie"}, a="RECRUIT", b="Po", chess={"A1": "rook"})
    play(at, "RECRUIT(A3→A1)")
    assert "hop→A3" in legal(at)
    play(at, "hop→A3")
    assert cards(at) == {"A3": "A Lizzie"}


def test_swap_exchanges_hands_then_draws_and_needs_a_card_in_either_hand() -> None:
    at = position(a="SWAP, Pengu", b="Joe, Po", deck="Alex, Amie, Poe, Cupid")
    play(at, "SWAP")
    assert hand(at, 0) == ["Joe", "Po", "Alex", "Amie", "Poe"]
    assert hand(at, 1) == ["Pengu"]
    assert legal(position(a="SWAP", b="", deck="")) == []
    assert legal(position(a="SWAP", b="Joe", deck="")) == ["SWAP"]
    assert "SWAP" in legal(position(a="SWAP, FLIP", b="", deck=""))


# --- 6. Mutators -------------------------------------------------------------------------------


def test_classic_has_no_chess_tiles_power_tiles_or_overruns() -> None:
    at = deal(5, "classic")
    assert not any(at.chess)
    assert at.power == ()
    at = position(AROUND, a="Tina", ruleset="classic")
    assert "Tina!B2" not in legal(at)
    play(at, "Tina@A1")
    assert at.power == ()


def test_mutators_is_the_default_ruleset() -> None:
    assert get_game("smashclash").rulesets[0] == "mutators"


def test_two_chess_tiles_lie_on_two_different_tiles_any_piece_any_tile() -> None:
    tiles: Counter[int] = Counter()
    pieces: Counter[int] = Counter()
    for seed in range(900):
        chess = deal(seed).chess
        found = [tile for tile in range(15) if chess[tile]]
        assert len(found) == 2
        tiles.update(found)
        pieces.update(chess[tile] for tile in found)
    assert len(tiles) == 15
    assert set(pieces) == {1, 2, 3, 4}
    assert min(tiles.values()) > 80  # 120 each on average
    assert min(pieces.values()) > 380  # 450 each on average


def test_chess_tiles_stay_for_the_whole_game_and_under_a_card() -> None:
    at = position(a=FULL_HAND, b="Joe, Amie", chess={"A1": "rook", "E3": "queen"})
    before = at.chess
    play(at, "Pengu@A1", "hop: stay", "Joe@C1")
    assert at.chess == before


def test_arriving_on_a_chess_tile_attacks_then_offers_a_hop_that_attacks_again() -> None:
    at = position({"A2": "B Noodle", "D1": "B Snowl"}, a="Lizzie", b="Po", chess={"A1": "rook"})
    first = kinds(at, "Lizzie@A1")
    assert first == ["place", "capture"]
    assert legal(at) == ["hop→B1", "hop→C1", "hop: stay"]
    assert kinds(at, "hop→C1")[:2] == ["hop", "capture"]
    assert cards(at) == {"A2": "A Noodle", "C1": "A Lizzie", "D1": "A Snowl"}


def test_an_overrun_and_a_hop_also_arrive_on_chess_tiles() -> None:
    at = position(AROUND, a="Tina", b="Luna", chess={"B2": "knight", "D1": "rook"})
    play(at, "Tina!B2")
    assert "hop→D1" in legal(at)
    play(at, "hop→D1")
    assert "hop→E1" in legal(at)  # the other chess tile offers another hop


def test_knights_jump_and_the_others_slide_until_a_card_blocks() -> None:
    block = {"B1": "B Po", "A2": "B Joe", "B2": "B Amie"}
    for piece, hops in (
        ("knight", ["hop→C2", "hop→B3"]),
        ("bishop", []),
        ("rook", []),
        ("queen", []),
    ):
        at = position(block, a="Tina", b="Luna", chess={"A1": piece})
        play(at, "Tina@A1")
        assert [name for name in legal(at) if name.startswith("hop→")] == hops
    for piece, hops in (
        ("bishop", ["hop→B2", "hop→C3"]),
        ("rook", ["hop→B1", "hop→C1", "hop→A2", "hop→A3"]),
        ("queen", ["hop→B1", "hop→C1", "hop→A2", "hop→B2", "hop→A3", "hop→C3"]),
    ):
        at = position({"D1": "B Po"}, a="Tina", b="Luna", chess={"A1": piece})
        play(at, "Tina@A1")
        assert [name for name in legal(at) if name.startswith("hop→")] == hops


def test_each_chess_tile_grants_one_hop_a_turn_so_three_attacks_at_most() -> None:
    at = position(a="Tina", b="Luna, Po", chess={"A1": "rook", "E1": "rook"})
    play(at, "Tina@A1", "hop→E1")
    assert "hop→A1" in legal(at)
    events = play(at, "hop→A1").public
    assert at.hop == -1
    assert "turn" in [event[0] for event in events]
    play(at, "Luna@E1")
    assert at.hop >= 0  # a new turn, a new hop


def test_while_a_hop_is_on_offer_only_hops_and_stay_are_legal() -> None:
    at = position(a=FULL_HAND, b="Joe", chess={"A1": "knight"})
    play(at, "Pengu@A1")
    assert legal(at) == ["hop→C2", "hop→B3", "hop: stay"]


def test_declining_a_hop_ends_the_turn() -> None:
    at = position(a="Tina", b="Luna", chess={"A1": "rook"})
    play(at, "Tina@A1", "hop: stay")
    assert (at.to_move, cards(at)) == (1, {"A1": "A Tina"})


def test_no_hop_is_offered_without_an_empty_destination() -> None:
    at = position({"C2": "A Po", "B3": "B Joe"}, a="Tina", b="Luna", chess={"A1": "knight"})
    play(at, "Tina@A1")
    assert (at.hop, at.to_move) == (-1, 1)


def test_power_tiles_are_two_different_empty_tiles_uniform_in_colour_bonus_and_tile() -> None:
    tiles: Counter[int] = Counter()
    boosts: Counter[tuple[str, int]] = Counter()
    for seed in range(1400):
        power = deal(seed).power
        assert len({tile for tile, _, _ in power}) == 2
        tiles.update(tile for tile, _, _ in power)
        boosts.update((colour, bonus) for _, colour, bonus in power)
    assert set(boosts) == {(colour, bonus) for colour in COLOURS for bonus in (1, 2)}
    assert min(boosts.values()) > 140  # 200 each on average
    assert len(tiles) == 15
    assert min(tiles.values()) > 130  # 187 each on average


def test_there_is_one_power_tile_when_only_one_tile_is_empty() -> None:
    names = [name for name in NUMBERS if NUMBERS[name] < 47][:13]
    board = {tile: f"B {name}" for tile, name in zip(TILES, names, strict=False)}
    at = position(board, a="Alex", b="Cupid")
    play(at, "Alex@D3")
    ((tile, _, _),) = at.power
    assert TILES[tile] == "E3"


@pytest.mark.parametrize(("power", "captured"), [("purple+1", True), ("pink+2", False)])
def test_a_card_of_the_colour_attacks_with_every_side_raised(power: str, captured: bool) -> None:
    at = position({"C1": "B Lizzie"}, a="Vega", power={"C2": power})
    play(at, "Vega@C2")  # south 5 against 6: only the colour helps
    assert (cards(at)["C1"] == "A Lizzie") is captured


def test_the_boost_never_defends_and_is_not_kept() -> None:
    at = position(a="Noodle", b="Pengu", power={"B1": "red+2"})
    play(at, "Noodle@B1")
    assert at.snapshot()["board"]["B1"]["sides"] == [3, 2, 1, 5]
    play(at, "Pengu@B2")  # of seat B: south 5 against north 3, which 3 + 2 would not hold
    assert cards(at)["B1"] == "B Noodle"
    at = position(a="Po", b="Pengu", power={"B1": "pink+2"})
    play(at, "Po@B1")  # north 6: south 5 does not take it, and takes no notice of the boost
    play(at, "Pengu@B2")
    assert cards(at)["B1"] == "A Po"


@pytest.mark.parametrize("how", ["placement", "hop", "recruit"])
def test_the_boost_counts_for_placement_hop_and_recruit(how: str) -> None:
    power = {"C2": "orange+1"}  # Lizzie is orange and 6 all round
    board = {"C3": "B Stello"}  # of seat B: south 7
    if how == "placement":
        at = position(board, a="Lizzie", power=power)
        play(at, "Lizzie@C2")
    elif how == "hop":
        at = position(board, a="Lizzie", power=power, chess={"A2": "rook"})
        play(at, "Lizzie@A2", "hop→C2")
    else:
        at = position({**board, "A1": "B Lizzie"}, a="RECRUIT", power=power)
        play(at, "RECRUIT(A1→C2)")
    assert cards(at)["C3"] == "A Stello"


def test_overrun_zones_are_the_tiles_with_four_neighbours() -> None:
    assert [TILES[tile] for tile in ZONES] == ["B2", "C2", "D2"]
    assert [tile for tile in range(15) if len(NEIGHBOURS[tile]) == 4] == list(ZONES)


def test_an_overrun_needs_an_own_card_not_frozen_and_four_occupied_neighbours() -> None:
    assert "Tina!B2" in legal(position(AROUND, a="Tina"))
    for tile in ("A2", "C2", "B1", "B3"):
        board = {at: card for at, card in AROUND.items() if at != tile}
        assert "Tina!B2" not in legal(position(board, a="Tina")), tile
    assert "Tina!B2" not in legal(position({**AROUND, "B2": "B Po"}, a="Tina"))
    assert "Tina!B2" not in legal(position({**AROUND, "B2": "A Po*"}, a="Tina"))


def test_an_overrun_removes_the_old_card_and_attacks_and_the_count_stays() -> None:
    at = position({**AROUND, "A2": "B Snowl"}, a="Tina", b="Luna")
    play(at, "Tina!B2")
    assert cards(at)["B2"] == "A Tina"
    assert cards(at)["A2"] == "A Snowl"  # west 4 against its east 3
    assert len(cards(at)) == 5
    assert NUMBERS["Po"] in at.gone()


# --- 7. Move names -----------------------------------------------------------------------------


def test_moves_have_the_canonical_names() -> None:
    names = ["Pengu@C2", "Pengu!C2", "hop→E3", "hop: stay", "BOULDER(D2)", "FREEZE(B1)"]
    names += ["RECRUIT(A3→B1)", "FLIP", "SWAP"]
    assert set(names) <= set(GAME.move_names)
    assert len(set(GAME.move_names)) == len(GAME.move_names)


@pytest.mark.parametrize(
    ("typed", "name"),
    [
        ("lizzie jr@c2", "Lizzie Jr.@C2"),
        ("lizziejr @ c2.", "Lizzie Jr.@C2"),
        ("`Lizzie Jr.#44@C2`", "Lizzie Jr.@C2"),
        ("Lizzie@C2", "Lizzie@C2"),
        ('"LIZZIE @ C2"', "Lizzie@C2"),
        ("recruit(a3->b1)", "RECRUIT(A3→B1)"),
        ("RECRUIT(A3 => B1)", "RECRUIT(A3→B1)"),
        ("Recruit A3 to B1", "RECRUIT(A3→B1)"),
        ("hop -> e3", "hop→E3"),
        ("Pun\u2011Pun@C2", "Pun-Pun@C2"),
        ("baa\u2013baa on c2", "Baa-Baa@C2"),
        ("boulder on d2", "BOULDER(D2)"),
        ("Pengu –> C2", "Pengu@C2"),
        ("Hop: Stay", "hop: stay"),
    ],
)
def test_loose_spellings_are_read(typed: str, name: str) -> None:
    assert GAME.move_names[GAME.parse_move(typed)] == name


def test_an_unclear_or_illegal_move_is_refused_with_its_reason_and_changes_nothing() -> None:
    at = position({"C2": "B Joe"}, a="Pengu")
    before = at.to_text()
    with pytest.raises(IllegalMoveError, match="C2 is not empty"):
        at.view(0).read_move("Pengu@C2")
    with pytest.raises(InvalidMoveError, match="several moves"):
        at.view(0).read_move("Pengu@B1 or Pengu@B2")
    assert at.to_text() == before


def test_a_legal_list_is_ordered_by_hand_tile_overruns_and_effects() -> None:
    at = position(AROUND, a="RECRUIT, Tina, BOULDER, Cupid, FREEZE")
    empty = [tile for tile in TILES if tile not in AROUND]
    expected = [f"Tina@{tile}" for tile in empty] + [f"Cupid@{tile}" for tile in empty]
    expected += ["Tina!B2", "Cupid!B2"]
    expected += [f"BOULDER({tile})" for tile in ("B1", "A2", "B2", "C2", "B3")]
    expected += ["FREEZE(B1)", "FREEZE(B2)"]
    expected += [f"RECRUIT({tile}→{to})" for tile in ("A2", "C2", "B3") for to in empty]
    assert legal(at) == expected


def test_a_hop_list_is_destinations_in_tile_order_then_stay() -> None:
    at = position(a="Tina", b="Luna", chess={"C2": "queen"})
    play(at, "Tina@C2")
    tiles = [name.removeprefix("hop→") for name in legal(at)[:-1]]
    assert tiles == sorted(tiles, key=TILE_NUMBERS.__getitem__)
    assert legal(at)[-1] == "hop: stay"
