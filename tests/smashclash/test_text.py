"""The state block and the JSON facts, read back by a parser of the test's own."""

from __future__ import annotations

import csv
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

from smashclash_mcp import Dice, GreedyPlayer, Match, Setup, View
from smashclash_mcp.games import smashclash
from smashclash_mcp.games.base import Played, Seat

from .build import GAME, legal, play, position

Sides = tuple[int, ...]

CARDS_CSV = Path(smashclash.__file__).parent / "cards.csv"
PRINTED: dict[str, Sides] = {
    row["name"]: tuple(int(row[side]) for side in ("top", "right", "bottom", "left"))
    for row in csv.DictReader(CARDS_CSV.read_text("utf-8").splitlines())
    if row["kind"] == "character"
}
COLOURS = "pink|blue|red|green|orange|purple|gray"
ROWS = "321"
TILES = [column + row for row in "123" for column in "ABCDE"]
SEEDS = range(60)

# --- the parser --------------------------------------------------------------------------------


@dataclass
class Cell:
    own: bool = False
    frozen: bool = False
    card: str = ""
    sides: Sides = ()
    chess: str = ""
    used: bool = False
    power: str = ""


@dataclass
class Block:
    """A state block as this parser reads it."""

    ruleset: str = ""
    move: int = 0
    header: str = ""
    cells: dict[str, Cell] = field(default_factory=dict[str, Cell])
    hand: list[tuple[str, Sides, str]] = field(default_factory=list[tuple[str, Sides, str]])
    legal: list[str] = field(default_factory=list[str])
    takes: str = ""
    last: str = ""
    result: str = ""


CELL = re.compile(
    rf"(?P<tile>[A-E][1-3]) (?:\.|"
    rf"(?:(?P<mark>[+-])(?P<frozen>\*?)(?P<card>[A-Z][A-Za-z.' -]*) (?P<sides>\d(?:/\d){{3}}))?"
    rf" ?(?P<chess>knight|bishop|rook|queen)?(?P<used> \(used\))?"
    rf" ?(?P<power>(?:{COLOURS})\+[12])?)"
)


def read(text: str) -> Block:
    """Read a state block without a legend; raise AssertionError where it is not one."""
    block = Block()
    lines = text.split("\n")
    block.header = lines.pop(0)
    head = re.match(
        r"(mutators|classic), (?:move (\d+)\. |over after (\d+) moves\. )", block.header
    )
    assert head, block.header
    block.ruleset, block.move = head[1], int(head[2] or head[3])
    for row in ROWS:
        block.cells |= read_row(lines.pop(0), row)
    legal_lines: list[str] = []
    for line in lines:
        word, _, rest = line.partition(": ")
        if word == "Hand":
            assert not block.hand
            block.hand = [read_card(card) for card in rest.split("; ")] if rest != "empty" else []
        elif word == "Legal":
            legal_lines.append(rest)
        elif word == "Result":
            block.result = rest
        elif word == "Takes":
            block.takes = rest
        elif word == "Last":
            block.last = rest
        else:
            assert legal_lines, line
            assert not block.takes + block.last, line
            legal_lines.append(line)
    empty = [tile for tile in TILES if not block.cells[tile].card]
    block.legal = expand_lines(legal_lines, empty)
    return block


def read_row(line: str, row: str) -> dict[str, Cell]:
    cells: dict[str, Cell] = {}
    for text in re.split(r" (?=[A-E][1-3]\b)", line):
        match = CELL.fullmatch(text)
        assert match, text
        cells[match["tile"]] = Cell(
            own=match["mark"] == "+",
            frozen=bool(match["frozen"]),
            card=match["card"] or "",
            sides=numbers(match["sides"] or ""),
            chess=match["chess"] or "",
            used=bool(match["used"]),
            power=match["power"] or "",
        )
    assert list(cells) == [column + row for column in "ABCDE"]
    return cells


def read_card(text: str) -> tuple[str, Sides, str]:
    match = re.fullmatch(rf"(.+?)(?: (\d(?:/\d){{3}})(?: ({COLOURS}))?)?", text)
    assert match
    return match[1], numbers(match[2] or ""), match[3] or ""


def numbers(sides: str) -> Sides:
    return tuple(int(side) for side in sides.split("/")) if sides else ()


EFFECTS = ("BOULDER", "FLIP", "FREEZE", "RECRUIT", "SWAP")


def expand_lines(lines: list[str], empty: list[str]) -> list[str]:
    """Return the moves that factored lines stand for, in canonical order."""
    moves: list[str] = []
    effects: dict[str, list[str]] = {}
    for line in lines:
        if match := re.fullmatch(r"hop→([A-E1-3 ]+), or hop: stay", line):
            moves += [*(f"hop→{tile}" for tile in match[1].split(" ")), "hop: stay"]
        elif match := re.fullmatch(r"(.+) @ any empty(?:, or ! ([A-E1-3 ]+))?", line):
            cards = match[1].split(", ")
            moves += [f"{card}@{tile}" for card in cards for tile in empty]
            zones = match[2].split(" ") if match[2] else []
            moves += [f"{card}!{tile}" for card in cards for tile in zones]
        elif match := re.fullmatch(r"(BOULDER|FREEZE)\(([A-E1-3 ]+)\)", line):
            effects[match[1]] = [f"{match[1]}({tile})" for tile in match[2].split(" ")]
        elif match := re.fullmatch(r"RECRUIT\(([A-E1-3 ]+) > any empty\)", line):
            effects["RECRUIT"] = [
                f"RECRUIT({tile}→{to})" for tile in match[1].split(" ") for to in empty
            ]
        else:
            assert line in ("FLIP", "SWAP"), line
            effects[line] = [line]
    return moves + [move for name in EFFECTS for move in effects.get(name, [])]


def expand_data(factors: dict[str, list[str]]) -> list[str]:
    """Return the moves that `data()["legal"]` stands for, in canonical order."""
    moves = [
        f"{card}{sign}{tile}"
        for kind, sign in (("place", "@"), ("overrun", "!"))
        for card in factors.get("cards", [])
        for tile in factors.get(kind, [])
    ]
    if "hop" in factors:
        moves += [*(f"hop→{tile}" for tile in factors["hop"]), "hop: stay"]
    for name in EFFECTS:
        if name in ("FLIP", "SWAP"):
            moves += [name] * (name in factors)
        elif name == "RECRUIT":
            sources, empty = factors.get(name, []), factors.get("empty", [])
            moves += [f"RECRUIT({tile}→{to})" for tile in sources for to in empty]
        else:
            moves += [f"{name}({tile})" for tile in factors.get(name, [])]
    return moves


# --- positions ---------------------------------------------------------------------------------


def turned(sides: Sides, seat: Seat) -> Sides:
    """Return printed sides as they stand on the board from a seat."""
    return sides if seat == 0 else (sides[2], sides[3], sides[0], sides[1])


def matches(ruleset: str, seeds: range = SEEDS) -> Iterator[Match]:
    """Yield a match before every move of random and greedy games, and at its end."""
    for seed in seeds:
        match = Match(Setup("smashclash", ruleset, seed))
        dice = Dice(seed)
        while match.to_move is not None:
            yield match
            moves = match.position.legal_moves()
            if seed % 3 == 2:
                match.play(GreedyPlayer().choose(match.view(match.to_move), dice))
            else:
                match.play(moves[dice.below(len(moves))])
        yield match


def turns(ruleset: str, seeds: range = SEEDS) -> Iterator[tuple[Match, View]]:
    """Yield every match that runs with the view of the seat to move."""
    for match in matches(ruleset, seeds):
        if match.to_move is not None:
            yield match, match.view(match.to_move)


def names(view: View) -> list[str]:
    return [GAME.move_names[move] for move in view.legal_moves()]


def facts(match: Match) -> Any:
    return match.position.snapshot()


rulesets = pytest.mark.parametrize("ruleset", GAME.rulesets)


# --- the block read back -----------------------------------------------------------------------


@rulesets
def test_the_board_reads_back(ruleset: str) -> None:
    for match in matches(ruleset):
        truth = facts(match)
        for seat in (0, 1, None):
            block = read(match.view(seat).text())
            for tile, cell in block.cells.items():
                card = truth["board"].get(tile)
                power = truth["power"].get(tile)
                assert cell.card == (card["card"] if card else "")
                assert cell.chess == truth["chess"].get(tile, "")
                assert cell.power == (f"{power[0]}+{power[1]}" if power else "")
                if card:
                    assert cell.own == (card["owner"] == "AB"[seat or 0])
                    assert cell.frozen == card["frozen"]
                    owner = "AB".index(card["owner"])
                    assert cell.sides == turned(PRINTED[card["card"]], owner)


@rulesets
def test_the_header_reads_back(ruleset: str) -> None:
    for match, view in turns(ruleset):
        truth, block, seat = facts(match), read(view.text()), match.to_move
        assert seat is not None
        own, other = "AB"[seat], "AB"[1 - seat]
        assert (block.ruleset, block.move) == (ruleset, len(match.played) + 1)
        assert f" You are {own}, to " in block.header
        assert f" You {truth['score'][own]}, {other} {truth['score'][other]}." in block.header
        assert f" Deck {truth['deck']}." in block.header
        assert re.search(rf" {other} holds {len(truth['hands'][other])}[.:]", block.header)
        gone = re.search(r" Gone: (.+)\.$", block.header)
        assert (gone[1].split(", ") if gone else []) == truth["gone"]


@rulesets
def test_the_hand_reads_back_with_its_sides_as_they_would_stand_on_the_board(ruleset: str) -> None:
    for match, view in turns(ruleset):
        seat = match.to_move
        assert seat is not None
        hand = read(view.text()).hand
        assert [name for name, _, _ in hand] == facts(match)["hands"]["AB"[seat]]
        for name, sides, colour in hand:
            assert sides == (turned(PRINTED[name], seat) if name in PRINTED else ())
            assert bool(colour) == (name in PRINTED and ruleset == "mutators")


@rulesets
def test_the_factored_legal_lines_stand_for_exactly_the_legal_moves(ruleset: str) -> None:
    for match, view in turns(ruleset):
        text = view.text()
        assert read(text).legal == names(view) == legal_names(match)
        assert view.legal_text() in text


def legal_names(match: Match) -> list[str]:
    return [GAME.move_names[move] for move in match.position.legal_moves()]


@rulesets
def test_the_json_legal_factors_stand_for_exactly_the_legal_moves(ruleset: str) -> None:
    for match, view in turns(ruleset):
        assert expand_data(view.data()["legal"]) == legal_names(match)


@rulesets
def test_the_hints_are_exactly_what_each_move_would_take(ruleset: str) -> None:
    for match, view in turns(ruleset, range(30)):
        expected: dict[str, int] = {}
        for move in match.position.legal_moves():
            name = GAME.move_names[move]
            events = match.position.copy().play(move, Dice(0)).public
            count = sum(event[0] == "capture" for event in events)
            if count and "(" not in name:
                expected[name] = count
        takes = read(view.text(hints=True)).takes
        assert takes == view.data(hints=True)["hints"].removeprefix("Takes: ")
        assert read_takes(takes) == expected
        assert not read(view.text()).takes


def read_takes(takes: str) -> dict[str, int]:
    found: dict[str, int] = {}
    for part in takes.split("; ") if takes != "nothing anywhere" else []:
        match = re.fullmatch(r"(.+?) ((?:!?[A-E][1-3] \d(?:, )?)+)", part)
        assert match, part
        for at in match[2].split(", "):
            tile, count = at.split(" ")
            sign = "" if tile.startswith("!") else "→" if match[1] == "hop" else "@"
            found[f"{match[1]}{sign}{tile}"] = int(count)
    return found


@rulesets
def test_last_tells_what_was_played_since_the_seats_own_last_turn_and_what_it_took(
    ruleset: str,
) -> None:
    for match in matches(ruleset):
        for seat in (0, 1):
            told = read(match.view(seat).text()).last
            assert told == "; ".join(map(retold, since_own_turn(match.played, seat)))


def since_own_turn(played: list[Played], seat: Seat) -> list[Played]:
    """Return the entries from the first move of the seat's last turn on."""
    first = 0
    for i, entry in enumerate(played):
        opens = i == 0 or played[i - 1].seat != seat
        if entry.seat == seat and entry.name != "pass" and opens:
            first = i
    return played[first:]


def retold(entry: Played) -> str:
    who = "AB"[entry.seat]
    if entry.name == "pass":
        return f"{who} passed, no legal move"
    took = [CARD_NAMES[event[2]] for event in entry.public if event[0] == "capture"]
    removed = [CARD_NAMES[event[2]] for event in entry.public if event[0] == "remove"]
    line = f"{who} {entry.name}"
    for event in entry.public:
        if event[0] == "recruit":
            line += f" got {CARD_NAMES[event[4]]},"
    if re.search(r"[@!→]", entry.name):
        line += f" took {', '.join(took) or 'nothing'}"
    if removed:
        line += f" removed {', '.join(removed)}"
    return line


CARD_NAMES: dict[str | int, str] = dict(enumerate(PRINTED, start=1))


@rulesets
def test_a_finished_game_has_a_result_line_and_no_legal_moves(ruleset: str) -> None:
    for match in matches(ruleset):
        if match.to_move is None:
            outcome = match.outcome()
            for seat in (0, 1, None):
                block = read(match.view(seat).text(hints=True))
                assert block.result == f"{outcome}."
                assert not block.legal
                assert not block.takes
                assert match.view(seat).legal_text() == "No legal moves: the game is over."


def test_a_resigned_game_says_who_won_and_who_resigned() -> None:
    match = Match(Setup("smashclash", "classic", 1))
    match.resign(1)
    block = read(match.view(0).text())
    assert block.result == "A wins, A 0 B 0 (resignation)."
    assert block.last == "B resigned"


# --- its form ----------------------------------------------------------------------------------


@rulesets
def test_a_block_is_ascii_but_for_the_arrow_without_padding(ruleset: str) -> None:
    for match in matches(ruleset):
        for seat in (0, 1, None):
            view = match.view(seat)
            text = view.text("g_k7q2mx", legend=True, hints=True)
            for part in (text, view.legal_text()):
                assert part.replace("→", "").isascii()
                assert "  " not in part
                assert "\t" not in part
                assert "\n\n" not in part
                assert all(line == line.strip() and line for line in part.split("\n"))


@rulesets
def test_the_same_position_gives_the_same_text(ruleset: str) -> None:
    for match in matches(ruleset, range(20)):
        again = GAME.from_text(match.position.to_text())
        for seat in (0, 1, None):
            recent = match.recent(seat)
            for view in (match.position.copy().view(seat, recent), again.view(seat, recent)):
                assert view.text(hints=True) == match.view(seat).text(hints=True)
                assert view.data(hints=True) == match.view(seat).data(hints=True)


def test_the_title_opens_the_block_and_the_legend_is_its_second_line() -> None:
    view = GAME.new("mutators", Dice(1)).view(0)
    plain = view.text().split("\n")
    full = view.text("g_k7q2mx", legend=True).split("\n")
    assert full[0] == f"g_k7q2mx {plain[0]}"
    assert full[1].startswith("+ yours, - theirs, * frozen; sides N/E/S/W, N is up; ")
    assert full[2:] == plain[1:]


def test_both_seats_see_the_same_board_with_the_marks_exchanged() -> None:
    at = position({"C3": "B Luna", "B2": "A Pengu*"}, a="Tina", b="Po", chess={"B2": "rook"})
    a, b = (at.view(seat).text().split("\n")[1:4] for seat in (0, 1))
    assert a == [
        "A3 . B3 . C3 -Luna 5/3/6/4 D3 . E3 .",
        "A2 . B2 +*Pengu 5/4/3/2 rook C2 . D2 . E2 .",
        "A1 . B1 . C1 . D1 . E1 .",
    ]
    assert b == [row.translate(str.maketrans("+-", "-+")) for row in a]


@pytest.mark.parametrize("seat", [0, 1])
def test_a_hand_card_keeps_its_sides_when_its_seat_places_it(seat: Seat) -> None:
    at = position(a="Po" if seat else "Tina", b="Tina" if seat else "Po", to_move="AB"[seat])
    sides = read(at.view(seat).text()).hand[0][1]
    assert sides == ((2, 3, 5, 4), (5, 4, 2, 3))[seat]
    play(at, "Tina@C2")
    assert read(at.view(seat).text()).cells["C2"].sides == sides


# --- hops --------------------------------------------------------------------------------------


def hopping() -> smashclash.Position:
    """Return a position in which A has hopped from a rook to a knight tile and may hop again."""
    at = position(
        {"B3": "B Luna"},
        a="Pengu, FLIP",
        b="Po",
        chess={"A1": "rook", "E1": "knight"},
        power={"D2": "pink+2", "E1": "red+1"},
    )
    play(at, "Pengu@A1", "hop→E1")
    return at


def test_a_hop_on_offer_is_in_the_header_and_nothing_else_is_legal() -> None:
    at = hopping()
    text = at.view(0).text()
    assert "You are A, to hop Pengu from E1, or stay." in text
    assert read(text).legal == legal(at) == ["hop→C2", "hop→D3", "hop: stay"]
    assert "You are B; A to hop Pengu from E1, or stay." in at.view(1).text()
    assert at.view(0).data()["hop"] == "E1"


def test_a_used_chess_tile_is_marked_for_this_turn() -> None:
    at = hopping()
    assert read(at.view(0).text()).cells["A1"].used
    assert "A1 rook (used) " in at.view(0).text()
    assert at.view(1).data()["chess_used"] == ["A1"]
    play(at, "hop: stay")
    assert not any(cell.used for cell in read(at.view(1).text()).cells.values())


def test_a_cell_names_card_chess_and_power_in_this_order() -> None:
    text = hopping().view(0).text()
    assert "E1 +Pengu 5/4/3/2 knight red+1" in text
    assert "D2 pink+2" in text


# --- data --------------------------------------------------------------------------------------


@rulesets
def test_data_is_valid_by_the_schema_and_holds_nothing_beyond_it(ruleset: str) -> None:
    validator_class: Any = import_module("jsonschema").Draft202012Validator
    schema: Any = GAME.data_schema
    validator_class.check_schema(schema)
    validator = validator_class(schema)
    for match in matches(ruleset, range(20)):
        for seat in (0, 1, None):
            data = match.view(seat).data(hints=True)
            errors = [error.message for error in validator.iter_errors(data)]
            assert not errors
            assert set(data) <= set(schema["properties"])


@rulesets
def test_data_says_what_the_block_says(ruleset: str) -> None:
    for match, view in turns(ruleset):
        block, data, seat = read(view.text()), view.data(), match.to_move
        assert seat is not None
        assert (data["ruleset"], data["move"]) == (block.ruleset, block.move)
        assert data["you"] == data["to_move"] == "AB"[seat]
        assert "; ".join(data["last"]) == block.last
        for tile, cell in block.cells.items():
            card = data["board"].get(tile)
            assert (card["card"] if card else "") == cell.card
            assert tuple(card["sides"] if card else ()) == cell.sides
            assert bool(card and card["frozen"]) == cell.frozen
            assert data["chess"].get(tile, "") == cell.chess
            assert (tile in data["chess_used"]) == cell.used
            power = data["power"].get(tile)
            assert (f"{power['colour']}+{power['bonus']}" if power else "") == cell.power
        own = data["hands"]["AB"[seat]]
        assert own["count"] == len(block.hand)
        assert [(c["card"], tuple(c.get("sides", ()))) for c in own["known"]] == [
            (name, sides) for name, sides, _ in block.hand
        ]
        gone = f" Gone: {', '.join(data['gone'])}." if data["gone"] else f" Deck {data['deck']}."
        assert gone in block.header
