"""Check finished Smash&Clash records against a second, independent reading of the rules.

    python tests/check_smashclash.py FILE...        (`-` reads standard input)

A file holds one JSON record or JSON lines. What is random (deck, first seat, chess and power tiles)
comes from the record and is checked for validity; all else is worked out here and compared. Nothing
is shared with the engine, so that its slips show. Numbers in comments are sections of the rules.
"""

import json
import re
import sys
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any


class RecordFault(Exception):  # noqa: N818 (a fault of the record, no error of ours)
    """The first thing wrong with a record; ply 0 is the header and the start."""

    def __init__(self, ply: int, message: str) -> None:
        super().__init__(f"ply {ply}: {message}")
        self.ply, self.message = ply, message


# 1. Board, seats, deck
OTHER = {"A": "B", "B": "A"}
TILES = [column + row for row in "123" for column in "ABCDE"]
EFFECTS = {"BOULDER": 101, "FLIP": 102, "FREEZE": 103, "RECRUIT": 104, "SWAP": 105}
# Name, colour and printed top/right/bottom/left, in the order of the ids 1-46.
CHARACTERS = """Pengu pink 5432, Luna blue 6453, Noodle red 3215, Tina green 2354,
Lizzie orange 6666, Baa-Baa green 3132, Shadow blue 4356, Vega purple 7456, Nevermore gray 3645,
Mr. Nibbles orange 4354, Lifafa orange 6567, Stripes red 7265, Jasper green 4123, Stella pink 2453,
Stello blue 7656, Amber orange 3462, Po pink 6215, Mr. Lollihops blue 5324, Cornelius purple 7654,
Shelly green 2132, Black Beard purple 4721, Fluffkins green 3132, Arachnassile red 1354,
Freya blue 2543, Petite purple 4567, Phoenix gray 6275, Sprinkles blue 3725, Boomerang green 4152,
Glockodile green 3645, Tee-Toh blue 2354, Snowl orange 3213, Ronald green 4657, Pun-Pun blue 2271,
Bandit purple 5426, Mittens red 3362, Mittens Jr. purple 7564, Alex orange 6475, Alexus pink 3112,
Spikes green 5241, Amie gray 1423, Teddy blue 6755, Cupid pink 2364, Joe orange 3465,
Lizzie Jr. gray 6455, Fryum gray 5433, Poe purple 6345"""
ROWS = [entry.strip().rsplit(" ", 2) for entry in CHARACTERS.split(",")]
COLOUR = {name: colour for name, colour, _ in ROWS}
PRINTED = {name: [int(digit) for digit in digits] for name, _, digits in ROWS}
CARD_IDS = {name: number for number, name in enumerate(PRINTED, 1)} | EFFECTS


def step(tile: str, east: int, north: int) -> str:
    """The tile so many columns east and rows north, or "" off the board."""
    column, row = "ABCDE".index(tile[0]) + east, "123".index(tile[1]) + north
    return "ABCDE"[column] + "123"[row] if 0 <= column < 5 and 0 <= row < 3 else ""


# 2. Characters and captures. Always north, east, south, west: opposite to i is i - 2.
ORTHOGONAL = [(0, 1), (1, 0), (0, -1), (-1, 0)]


@dataclass
class Piece:
    """A character on the board."""

    card: str
    owner: str
    frozen: bool = False

    def sides(self) -> list[int]:
        """Sides in board terms: seat B's cards are turned by 180 degrees."""
        printed = PRINTED[self.card]
        return printed if self.owner == "A" else printed[2:] + printed[:2]


# 6. Mutators (see also Game.destinations, Game.arrive and the zones in Game.legal)
DIAGONAL = [(1, 1), (1, -1), (-1, -1), (-1, 1)]
SLIDES = {"bishop": DIAGONAL, "rook": ORTHOGONAL, "queen": ORTHOGONAL + DIAGONAL}
JUMPS = [(x, y) for x in (-2, -1, 1, 2) for y in (-2, -1, 1, 2) if abs(x) != abs(y)]
POWER = [[colour, boost] for colour in sorted(set(COLOUR.values())) for boost in (1, 2)]
ZONES = {zone: [step(zone, *way) for way in ORTHOGONAL] for zone in ("B2", "C2", "D2")}


@dataclass
class Game:
    """A running game, and the rules that move it on."""

    mutators: bool
    to_move: str | None
    hands: dict[str, list[str]]
    deck: list[str]
    chess: dict[str, str] = field(default_factory=dict[str, str])
    board: dict[str, Piece] = field(default_factory=dict[str, Piece])
    gone: set[str] = field(default_factory=set[str])
    power: dict[str, list[Any]] | None = None  # None: the record has yet to tell the new turn's
    hop: str | None = None
    hopped_from: set[str] = field(default_factory=set[str])  # chess tiles used up this turn
    result: dict[str, Any] = field(default_factory=dict[str, Any])

    def empty(self) -> list[str]:
        """The empty tiles in tile order."""
        return [tile for tile in TILES if tile not in self.board]

    # 2 and 6: attack and hop
    def attack(self, tile: str) -> None:
        """Capture what the card on this tile beats; a power tile boosts only the attacker."""
        attacker = self.board[tile]
        colour, boost = (self.power or {}).get(tile, ["", 0])
        boost = boost if colour == COLOUR[attacker.card] else 0
        for side, way in enumerate(ORTHOGONAL):
            neighbour = self.board.get(step(tile, *way))
            force = attacker.sides()[side] + boost
            if neighbour and not neighbour.frozen and force >= neighbour.sides()[side - 2]:
                neighbour.owner = attacker.owner  # no change if it is an own card

    def destinations(self, tile: str) -> list[str]:
        """The empty tiles this chess tile's piece reaches, in tile order."""
        kind, reached = self.chess[tile], set[str]()
        for east, north in SLIDES.get(kind, JUMPS):
            to = step(tile, east, north)
            while to and to not in self.board:
                reached.add(to)
                to = step(to, east, north) if kind in SLIDES else ""
        return [to for to in TILES if to in reached]

    def arrive(self, tile: str, piece: Piece) -> None:
        """A character lands: it attacks, then may be offered a hop."""
        self.board[tile] = piece
        self.attack(tile)
        fresh = tile in self.chess and tile not in self.hopped_from
        self.hop = tile if fresh and self.destinations(tile) else None

    # 5 and 7: legal moves by canonical name, in canonical order
    def legal(self, seat: str) -> list[str]:
        """What the seat could do if it were to move."""
        if self.hop:
            return [f"hop→{to}" for to in self.destinations(self.hop)] + ["hop: stay"]
        hand, empty = self.hands[seat], self.empty()
        characters = [card for card in hand if card not in EFFECTS]
        loose = [tile for tile in TILES if tile in self.board and not self.board[tile].frozen]
        own = [tile for tile in loose if self.board[tile].owner == seat]
        enemy = [tile for tile in loose if tile not in own]
        zones = [zone for zone in ZONES if zone in own and self.board.keys() >= {*ZONES[zone]}]
        effects = {
            "BOULDER": [f"BOULDER({tile})" for tile in loose],
            "FLIP": ["FLIP"] if self.board else [],
            "FREEZE": [f"FREEZE({tile})" for tile in own],
            "RECRUIT": [f"RECRUIT({tile}→{to})" for tile in enemy for to in empty],
            "SWAP": ["SWAP"] if len(self.hands["A"] + self.hands["B"]) > 1 else [],  # 1: itself
        }
        moves = [f"{card}@{tile}" for card in characters for tile in empty]
        moves += [f"{card}!{zone}" for card in characters for zone in zones if self.mutators]
        return moves + [move for effect in EFFECTS if effect in hand for move in effects[effect]]

    # 3 to 5: a move and what follows by itself
    def play(self, seat: str, move: str) -> None:
        """Make a legal move; the next turn's power tiles are left to the record."""
        card, *tiles = re.split("[@!(→:]", move.rstrip(")"))
        origin, self.hop = self.hop or "", None
        if card != "hop":
            self.hands[seat].remove(card)
        self.gone |= {card} & EFFECTS.keys()
        match card:
            case "hop":
                self.hopped_from.add(origin)
                if "stay" not in move:
                    self.arrive(tiles[0], self.board.pop(origin))
            case "BOULDER":
                target = tiles[0]
                for tile, piece in list(self.board.items()):
                    if (tile[0] == target[0] or tile[1] == target[1]) and not piece.frozen:
                        self.gone.add(self.board.pop(tile).card)
            case "FLIP":
                turned = dict(zip(TILES, reversed(TILES), strict=True))
                self.board = {turned[tile]: piece for tile, piece in self.board.items()}
                self.chess = {turned[tile]: kind for tile, kind in self.chess.items()}
                for piece in self.board.values():
                    piece.owner = OTHER[piece.owner]
            case "FREEZE":
                self.board[tiles[0]].frozen = True
            case "RECRUIT":
                self.arrive(tiles[1], Piece(self.board.pop(tiles[0]).card, seat))
            case "SWAP":
                self.hands = {owner: self.hands[OTHER[owner]] for owner in self.hands}
            case _:
                self.gone |= {self.board[tile].card for tile in tiles if "!" in move}
                self.arrive(tiles[0], Piece(card, seat))
        if not self.empty():
            self.finish("board full")
        elif not self.hop:
            self.end_turn(seat)

    def end_turn(self, seat: str) -> None:
        """Draw up to five; then the other seat's turn, or the end if neither seat could move."""
        while self.deck and len(self.hands[seat]) < 5:
            self.hands[seat].append(self.deck.pop(0))
        self.to_move, self.power, self.hopped_from = OTHER[seat], None, set()
        if not self.legal("A") and not self.legal("B"):
            self.finish("no moves left")

    def score(self) -> dict[str, int]:
        """Cards facing each seat."""
        return {seat: sum(p.owner == seat for p in self.board.values()) for seat in OTHER}

    def finish(self, reason: str, loser: str | None = None) -> None:
        """End the game; the loser is the one given, else the seat with fewer cards does."""
        score = self.score()
        if loser is None and score["A"] != score["B"]:
            loser = "A" if score["A"] < score["B"] else "B"
        winner = None if reason == "lapsed" else loser and OTHER[loser]
        self.result = {"winner": winner, "reason": reason, "score": score}
        self.to_move, self.power, self.hop = None, {}, None

    def state(self) -> dict[str, Any]:
        """The state as a record tells it."""
        board = {t: vars(p) | {"sides": p.sides()} for t, p in self.board.items()}
        state: dict[str, Any] = {"board": board, "to_move": self.to_move, "score": self.score()}
        state |= {"hands": self.hands, "hop": self.hop, "chess": self.chess, "power": self.power}
        state |= {"deck": len(self.deck), "gone": sorted(self.gone, key=CARD_IDS.__getitem__)}
        return state | {"legal": self.legal(self.to_move) if self.to_move else []}


# The record: of each header field the type, or the values allowed
HEADER: dict[str, Any] = (
    {"format": ["smashclash-mcp record 1"], "game": ["smashclash"], "rules_version": [1]}
    | {"ruleset": ["mutators", "classic"], "seed": [int], "seed_source": ["given", "drawn"]}
    | {"seats": [dict], "level": [str], "hints": [bool], "first": ["A", "B"]}
    | {"result": [dict], "start": [dict], "moves": [list]}
)
HOUSE = {"house": ["A", "B"]}  # only where there is one


def text(value: Any) -> str:
    """One spelling per JSON value; unlike ==, it tells 1, 1.0 and true apart."""
    return json.dumps(value, sort_keys=True, ensure_ascii=False)


def same(ply: int, what: str, expected: Any, recorded: Any) -> None:
    """Raise the fault that shows both values, unless they are the same."""
    if text(expected) != text(recorded):
        raise RecordFault(ply, f"{what}: expected {text(expected)}, recorded {text(recorded)}")


def keys(ply: int, what: str, value: Any, *expected: str) -> None:
    """The value must be an object with exactly these keys."""
    same(ply, f"keys of {what}", sorted(expected), sorted(value) if type(value) in [dict] else 0)


def deal(record: Any) -> Game:
    """Check the header; then the game from the recorded deck, first seat and chess tiles."""
    header = HEADER | HOUSE if type(record) in [dict] and "house" in record else HEADER
    if type(record) in [dict] and "tries" in record:  # only told: nothing else follows from them
        header = header | {"tries": (dict,)}
    keys(0, "the record", record, *header)
    for key, allowed in header.items():
        value = record[key]
        # Neither isinstance() nor ==: true is no seed and no version.
        if type(value) not in allowed and repr(value) not in map(repr, allowed):
            raise RecordFault(0, f"{key} is {text(value)}, not {allowed}")
    keys(0, "seats", record["seats"], *OTHER)
    same(0, "types of seats", ["str"] * 2, [type(n).__name__ for n in record["seats"].values()])
    keys(0, "start", record["start"], "deck", "state")
    deck, state = record["start"]["deck"], record["start"]["state"]
    if type(deck) not in [list] or sorted(map(text, deck)) != sorted(map(text, CARD_IDS)):
        raise RecordFault(0, "start deck is not one copy of each of the 51 cards")
    hands = {"A": deck[:5], "B": deck[5:10]}
    game = Game(record["ruleset"] == "mutators", record["first"], hands, deck[10:])
    keys(0, "the start state", state, *game.state())
    game.chess = drawn(0, state["chess"], 2 if game.mutators else 0, TILES, ["knight", *SLIDES])
    check_state(game, 0, state)
    return game


def drawn(ply: int, found: Any, count: int, tiles: list[str], values: list[Any]) -> Any:
    """The recorded random tiles, if they could have been drawn."""
    fits = type(found) in [dict] and len(found) == count and set(found) <= set(tiles)
    if not fits or not {text(value) for value in found.values()} <= set(map(text, values)):
        raise RecordFault(ply, f"cannot be {count} drawn tiles out of {tiles}: {text(found)}")
    return found


def check_state(game: Game, ply: int, recorded: Any) -> None:
    """Compare a recorded state with ours, after taking a new turn's power tiles from it."""
    keys(ply, "the state", recorded, *game.state())
    if game.power is None:
        count = min(2, len(game.empty())) if game.mutators else 0
        game.power = drawn(ply, recorded["power"], count, game.empty(), POWER)
    for key, expected in game.state().items():
        found = recorded[key]
        if key == "board" and type(found) in [dict]:
            for tile in TILES:
                same(ply, f"board on {tile}", expected.get(tile), found.get(tile))
        if key == "legal" and type(found) in [list]:
            missing = [move for move in expected if move not in found]
            extra = [move for move in found if move not in expected]
            if missing or extra:
                raise RecordFault(ply, f"legal moves differ: missing {missing}, extra {extra}")
        same(ply, key, expected, found)


def check_row(game: Game, ply: int, row: Any) -> None:
    """Check one entry of the moves list and make its move."""
    keys(ply, "the row", row, "ply", "seat", "move", "state")
    same(ply, "ply number", ply, row["ply"])
    seat, move = row["seat"], row["move"]
    if game.to_move is None:
        raise RecordFault(ply, f"a row after the end of the game: {text(move)}")
    legal = game.legal(game.to_move)
    if move == "resign" and seat in list(OTHER) and legal:  # a due pass comes first, by itself
        game.finish("resignation", loser=seat)
    elif move in ("timeout", "lapse") and seat == game.to_move and legal:
        game.finish({"timeout": "timeout", "lapse": "lapsed"}[move], loser=seat)
    else:
        same(ply, "seat", game.to_move, seat)
        if move not in (legal or ["pass"]):
            raise RecordFault(ply, f"illegal move {text(move)}; legal: {text(legal or ['pass'])}")
        game.play(seat, move) if legal else game.end_turn(seat)
    check_state(game, ply, row["state"])


def check(record: dict[str, Any]) -> None:
    """Raise RecordFault at the first thing wrong with a finished game's record."""
    game = deal(record)
    for ply, row in enumerate(record["moves"], 1):
        check_row(game, ply, row)
    last = len(record["moves"])
    if game.to_move is not None:
        raise RecordFault(last, f"the record stops, but {game.to_move} is still to move")
    same(last, "result", game.result, record["result"])


def load(source: str) -> list[Any]:
    """The records of a file: one JSON value, or one on each line."""
    try:
        return [json.loads(source)]
    except ValueError:
        return [json.loads(line) for line in re.split(r"\s*\n\s*", source.strip())]


def main(paths: list[str]) -> int:
    """Print one line for each record; 1 if any is bad."""
    status = 0
    for path in paths:
        label = path
        try:
            raw = sys.stdin.buffer.read() if path == "-" else Path(path).read_bytes()
            records = load(raw.decode("utf-8"))
            for number, record in enumerate(records, 1):
                label = f"{path}:{number}" if len(records) > 1 else path
                check(record)
                seat, reason, score = (record["result"][k] for k in ("winner", "reason", "score"))
                cards = f"{score[seat or 'A']}-{score[OTHER[seat or 'A']]} ({reason})"
                outcome = f"{seat} wins {cards}" if seat else f"draw {cards}"
                print(f"ok {label}: {len(record['moves'])} moves, {outcome}")
        except (RecordFault, ValueError, OSError) as fault:
            print(f"bad {label}: {fault}")
            status = 1
    return status


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]) if sys.argv[1:] else __doc__)
