"""Print how many o200k_base tokens a model reads: state blocks, whole games, rules, tools.

    python benchmarks/tokens.py [--games 200]

A row is one measure with its limit; `ok`, `over` and `under` judge it. State blocks are those of
the seat to move at every ply of games by random and greedy players, without legend and hints, in
Smash&Clash (mutators) and in Agent Battle (all_cards, random decks). Smash&Clash's facts as
indented JSON name every cell, every side and what was played, and list the legal moves one by
one; the rows of `View.data()` leave out much of that. A whole game is what `new_game` (with
legend) and every `play` would answer to one seat against the house.

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
from smashclash_mcp.players import GreedyPlayer, Player, RandomPlayer
from smashclash_mcp.server import build_server
from smashclash_mcp.tokens import counter

TITLE = "g_k7q2mx"
TILES = [column + row for row in "123" for column in "ABCDE"]
SIDE_NAMES = ("north", "east", "south", "west")
PLAYERS: tuple[Player, Player] = (RandomPlayer(), GreedyPlayer())
MIXES = tuple((a, b) for a in PLAYERS for b in PLAYERS)

Count = Callable[[str], int]


@dataclass(frozen=True, slots=True)
class Measured:
    """A game to measure: its ruleset, and how many tokens its answers may take."""

    game: str
    ruleset: str
    median_block: int
    worst_block: int
    whole_game: int | None = None


SMASHCLASH = Measured("smashclash", "mutators", 300, 500, 3600)
AGENTBATTLE = Measured("agentbattle", "all_cards", 330, 600)
MEASURED = (SMASHCLASH, AGENTBATTLE)
FIRST_ANSWERS = 1.2
"""How many times as long as Smash&Clash's Agent Battle's first answer may be."""


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


def play(what: Measured, seed: int, players: Sequence[Player], see: Callable[[View], None]) -> None:
    """Play a game, showing each view of the seat to move."""
    match = Match(Setup(what.game, what.ruleset, seed))
    while match.to_move is not None:
        view = match.view(match.to_move)
        see(view)
        match.play(choose(players[match.to_move], view, match.dice))


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
    return json.dumps(
        {"game_id": TITLE, **facts, "legal": legal_names(SMASHCLASH.game, view)}, indent=2
    )


def as_plain_json(game: str, view: View) -> str:
    """Return `View.data` with the flat list of legal moves, indented: our own compact shape."""
    facts = {"game_id": TITLE, **view.data(), "legal": legal_names(game, view)}
    return json.dumps(facts, indent=2)


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


def legal_names(game: str, view: View) -> list[str]:
    """Return the legal moves one by one."""
    names = get_game(game).move_names
    return [names[move] for move in view.legal_moves()]


def answers(what: Measured, seed: int, own: Player, house: Player, seat: int) -> list[str]:
    """Return what one seat is told in a game against the house: after new_game, after each play."""
    told: list[str] = []
    match = Match(Setup(what.game, what.ruleset, seed))
    while True:
        while match.to_move == 1 - seat:
            match.play(choose(house, match.view(match.to_move), match.dice))
        told.append(match.view(seat).text(TITLE, legend=not told))
        if match.to_move is None:
            return told
        match.play(choose(own, match.view(seat), match.dice))


def block_rows(count: Count, what: Measured, games: int) -> list[Row]:
    """Measure state blocks and the same facts as JSON."""
    blocks: list[int] = []
    objects: list[int] = []
    plain: list[int] = []

    def see(view: View) -> None:
        blocks.append(count(view.text(TITLE)))
        plain.append(count(as_plain_json(what.game, view)))
        if what is SMASHCLASH:
            objects.append(count(as_indented_json(view)))

    for seed in range(games):
        play(what, seed, MIXES[seed % len(MIXES)], see)
    blocks_sorted = sorted(blocks)
    middle, worst = median(blocks), blocks_sorted[-1]
    rows = [
        Row(f"state block with legal moves, median of {len(blocks):,}", middle, what.median_block),
        Row("state block with legal moves, 95 %", blocks_sorted[len(blocks) * 95 // 100]),
        Row("state block with legal moves, worst", worst, what.worst_block),
        Row("View.data() as indented JSON, flat legal list, median", median(plain)),
    ]
    if objects:
        rows.append(Row("the same as indented JSON, median", median(objects)))
        rows.append(Row("indented JSON / block, medians", median(objects) / middle, least=6))
    return rows


def game_rows(count: Count, what: Measured, games: int) -> list[Row]:
    """Measure what one seat reads in a whole game against the house."""
    sums: list[int] = []
    for seed in range(games):
        own, house = MIXES[seed % len(MIXES)]
        seat = seed // len(MIXES) % 2 if what is SMASHCLASH else 0
        sums.append(sum(map(count, answers(what, seed, own, house, seat))))
    return [
        Row("all answers of a game against the house, median", median(sums), what.whole_game),
        Row("all answers of a game against the house, worst", max(sums)),
    ]


def rules_rows(count: Count, what: Measured) -> list[Row]:
    """Measure the rules and the cards."""
    game = get_game(what.game)
    return [
        Row("short rules", count(game.rules()), 450),
        Row("longest topic of the rules", max(count(game.rules(topic)) for topic in game.topics)),
        Row("all cards", count(game.cards())),
    ]


def first_rows(count: Count, games: int) -> list[Row]:
    """Measure the answer to new_game, when the client is to move first."""

    def first(what: Measured) -> float:
        tokens: list[int] = []
        for seed in range(games):
            match = Match(Setup(what.game, what.ruleset, seed))
            tokens.append(count(match.view(match.to_move).text(TITLE, legend=True)))
        return median(tokens)

    one, other = first(SMASHCLASH), first(AGENTBATTLE)
    return [
        Row("first answer of Smash&Clash, median", one),
        Row("first answer of Agent Battle, median", other, one * FIRST_ANSWERS),
    ]


def fixed_rows(count: Count) -> list[Row]:
    """Measure the tool definitions and the instructions."""
    server = build_server()
    instructions = server.instructions or ""
    definitions = json.dumps(tool_definitions(server), ensure_ascii=False, separators=(",", ":"))
    return [
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
    print(f"Tokens in o200k_base, {options.games} games of each, seeds from 0")
    for what in MEASURED:
        print(f"\n{what.game} {what.ruleset}")
        for row in (
            *block_rows(count, what, options.games),
            *game_rows(count, what, options.games),
            *rules_rows(count, what),
        ):
            print(row)
    print("\nboth games")
    for row in (*first_rows(count, options.games), *fixed_rows(count)):
        print(row)


if __name__ == "__main__":
    main()
