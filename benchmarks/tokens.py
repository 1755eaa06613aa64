"""Print how many o200k_base tokens a model reads: state blocks, whole games, rules, tools.

    python benchmarks/tokens.py [--games 200]

A row is one measure with its limit; `ok`, `over` and `under` judge it. State blocks are those of
the seat to move at every ply of mutators games by random and greedy players, without legend and
hints. The same facts as indented JSON name every cell, every side and what was played, and list
the legal moves one by one; the row without a limit is `View.data()`, which leaves out much of
that. A whole game is what `new_game` (with legend) and every `play` would answer to one seat
against the house.

`pip install -e .[test]` brings tiktoken and the vocabulary; without them nothing is counted.
"""

from __future__ import annotations

import argparse
import asyncio
import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from statistics import median
from typing import Any

from smashclash_mcp import Dice, Match, Setup, View, get_game
from smashclash_mcp.players import LEVELS, Player
from smashclash_mcp.server import build_server
from smashclash_mcp.tokens import counter

GAME = "smashclash"
TITLE = "g_k7q2mx"
TILES = [column + row for row in "123" for column in "ABCDE"]
SIDE_NAMES = ("north", "east", "south", "west")
MIXES = tuple((a, b) for a in ("random", "greedy") for b in ("random", "greedy"))

Count = Callable[[str], int]


@dataclass(frozen=True, slots=True)
class Row:
    """One measure; it should be at most `most` or at least `least`."""

    name: str
    value: float
    most: float | None = None
    least: float | None = None

    def __str__(self) -> str:
        shown = f"{self.value:,.1f}" if self.value < 20 else f"{self.value:,.0f}"
        line = f"{self.name:58}{shown:>9}"
        if self.most is not None:
            line += f"{'<=':>5}{self.most:>7,.0f}  {'ok' if self.value <= self.most else 'over'}"
        if self.least is not None:
            line += f"{'>=':>5}{self.least:>7,.0f}  {'ok' if self.value >= self.least else 'under'}"
        return line


def choose(player: Player, view: View, dice: Dice) -> int:
    """Return a player's move with dice of its own for this ply."""
    return player.choose(view, dice.derive("player", view.ply))


def play(seed: int, levels: Sequence[str], see: Callable[[View], None]) -> Match:
    """Play a game, showing each view of the seat to move, and return it."""
    match = Match(Setup(GAME, "mutators", seed))
    while match.to_move is not None:
        view = match.view(match.to_move)
        see(view)
        match.play(choose(LEVELS[levels[match.to_move]], view, match.dice))
    return match


def as_indented_json(view: View) -> str:
    """Return a view's facts as a server without a layout of its own would print them.

    What the block says by place or by mark has a name here, too: every cell of the board, every
    side of a card; the legal moves are one flat list.
    """
    facts = view.data()
    board, chess, power = (facts.pop(key) for key in ("board", "chess", "power"))
    facts["board"] = [
        {
            "tile": tile,
            **({"card": None} if tile not in board else named_sides(board[tile])),
            "chess": chess.get(tile),
            "power": power.get(tile),
        }
        for tile in TILES
    ]
    for hand in facts["hands"].values():
        hand["known"] = [named_sides(card) for card in hand["known"]]
    facts["last"] = [named_last(told) for told in facts["last"]]
    return json.dumps({"game_id": TITLE, **facts, "legal": legal_names(view)}, indent=2)


def as_plain_json(view: View) -> str:
    """Return `View.data` with the flat list of legal moves, indented: our own compact shape."""
    return json.dumps({"game_id": TITLE, **view.data(), "legal": legal_names(view)}, indent=2)


def named_sides(card: dict[str, Any]) -> dict[str, Any]:
    """Return a card's facts with a name for each side."""
    if "sides" not in card:
        return card
    return card | {"sides": dict(zip(SIDE_NAMES, card["sides"], strict=True))}


def named_last(told: str) -> dict[str, Any]:
    """Return what was played last, read from our line: who, which move, what it took."""
    seat, _, rest = told.partition(" ")
    move, _, taken = rest.partition(" took ")
    took = taken.split(", ") if taken not in ("", "nothing") else []
    return {"seat": seat, "move": move, "took": took}


def legal_names(view: View) -> list[str]:
    """Return the legal moves one by one."""
    names = get_game(GAME).move_names
    return [names[move] for move in view.legal_moves()]


def answers(seed: int, level: str, house: str, seat: int) -> list[str]:
    """Return what one seat is told in a game against the house: after new_game, after each play."""
    told: list[str] = []
    match = Match(Setup(GAME, "mutators", seed))
    while True:
        while match.to_move == 1 - seat:
            view = match.view(match.to_move)
            match.play(choose(LEVELS[house], view, match.dice))
        told.append(match.view(seat).text(TITLE, legend=not told))
        if match.to_move is None:
            return told
        match.play(choose(LEVELS[level], match.view(seat), match.dice))


def block_rows(count: Count, games: int) -> list[Row]:
    """Measure state blocks and the same facts as JSON."""
    blocks: list[int] = []
    objects: list[int] = []
    plain: list[int] = []

    def see(view: View) -> None:
        blocks.append(count(view.text(TITLE)))
        objects.append(count(as_indented_json(view)))
        plain.append(count(as_plain_json(view)))

    for seed in range(games):
        play(seed, MIXES[seed % len(MIXES)], see)
    blocks_sorted = sorted(blocks)
    return [
        Row(f"state block with legal moves, median of {len(blocks):,}", median(blocks), 300),
        Row("state block with legal moves, 95 %", blocks_sorted[len(blocks) * 95 // 100]),
        Row("state block with legal moves, worst", blocks_sorted[-1], 500),
        Row("the same as indented JSON, median", median(objects)),
        Row("indented JSON / block, medians", median(objects) / median(blocks), least=6),
        Row("View.data() as indented JSON, flat legal list, median", median(plain)),
    ]


def game_rows(count: Count, games: int) -> list[Row]:
    """Measure what one seat reads in a whole game against the house."""
    sums: list[int] = []
    for seed in range(games):
        level, house = MIXES[seed % len(MIXES)]
        sums.append(sum(map(count, answers(seed, level, house, seed // len(MIXES) % 2))))
    return [
        Row("all answers of a game against the house, median", median(sums), 3600),
        Row("all answers of a game against the house, worst", max(sums)),
    ]


def fixed_rows(count: Count) -> list[Row]:
    """Measure the rules, the cards, the tool definitions and the instructions."""
    game = get_game(GAME)
    server = build_server()
    instructions = server.instructions or ""
    definitions = json.dumps(tool_definitions(server), ensure_ascii=False, separators=(",", ":"))
    return [
        Row("short rules", count(game.rules()), 450),
        Row("longest topic of the rules", max(count(game.rules(topic)) for topic in game.topics)),
        Row("all cards", count(game.cards())),
        Row("all tool definitions", count(definitions), 1600),
        Row("instructions", count(instructions), 350),
        Row("instructions, characters", len(instructions), 1200),
    ]


def tool_definitions(server: Any) -> list[dict[str, Any]]:
    """Return the tools as a client lists them: name, description and input schema."""
    tools = asyncio.run(server.list_tools())
    return [
        {
            "name": tool.name,
            "description": tool.description,
            "inputSchema": tool.model_dump(by_alias=True)["inputSchema"],
        }
        for tool in tools
    ]


def read_arguments() -> argparse.Namespace:
    """Read the command line."""
    parser = argparse.ArgumentParser(description="Count the tokens that a model reads.")
    parser.add_argument("--games", type=int, default=200, help="default 200")
    return parser.parse_args()


def main() -> None:
    """Count everything and print the table."""
    options = read_arguments()
    count = counter()
    if count is None:
        raise SystemExit("tiktoken or its vocabulary is missing: pip install -e .[test]")
    print(f"Tokens in o200k_base, {options.games} mutators games, seeds from 0\n")
    rows = [*block_rows(count, options.games), *game_rows(count, options.games)]
    for row in [*rows, *fixed_rows(count)]:
        print(row)


if __name__ == "__main__":
    main()
