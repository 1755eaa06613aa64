"""Search random card sets of Agent Battle for how kills and seat A's share pull against each other.

    python benchmarks/frontier.py [--sets 300] [--matches 400] [--seed 1]

A random set keeps the names, classes and rarities of the real one and draws the rest: the total,
how much Resilience its Guardians and its others have, which abilities of the vocabulary are common
in it, and their amounts. Each is measured as `balance.py` does. Prints Markdown, as it stands in
docs/agentbattle-balance.md: for every band of kills how many sets fell in it, the lowest and the
median share of seat A among them, how many draws they had, and how far apart their cards are;
then the real set, in its own row. The same seed prints the same table on any machine.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial
from os import cpu_count
from pathlib import Path
from statistics import median

from smashclash_mcp.games.agentbattle.cards import CARDS, FILES, STATS
from smashclash_mcp.games.agentbattle.vocabulary import CLASSES, MOST, ON_PLAY, PASSIVE
from smashclash_mcp.games.base import Dice

BALANCE = Path(__file__).with_name("balance.py")
BAND = 0.1
NO_AMOUNT = ("shield", "attacks_first", "ignore_taunt")
EFFECTS = [(effect, t) for effect, ts in {**ON_PLAY, **PASSIVE}.items() for t in ts]


@dataclass(frozen=True, slots=True)
class Point:
    """What a set measures: shares from 0 to 1, and the spread of its cards' win rates."""

    kills: float
    draws: float
    a_share: float
    spread: float


def random_set(dice: Dice) -> str:
    """Return a random card file."""
    while True:
        total = 184 + 4 * dice.below(34)
        others, guardians = 4 + dice.below(40), 30 + dice.below(50)
        spread = 1 + dice.below(12)
        weights = [dice.random() ** 3 for _ in EFFECTS]
        most = [1 + dice.below(MOST) for _ in EFFECTS]
        lines = [f"total = {total}", f"starter = {json.dumps([c.name for c in CARDS[:8]])}"]
        for card in CARDS:
            resilience = guardians if card.klass == "Guardian" else others
            resilience = max(0, min(100, resilience + dice.below(2 * spread + 1) - spread))
            stats = _stats(total - resilience, CLASSES.index(card.klass), dice)
            at = _drawn(weights, dice)
            effect, target = EFFECTS[at]
            ability = {"name": card.ability.name, "effect": effect}
            ability |= {"target": target} if target else {}
            text = ", ".join(f"{key} = {json.dumps(value)}" for key, value in ability.items())
            if effect not in NO_AMOUNT:
                text += f", amount = {1 + dice.below(most[at])}"
            numbers = dict(zip(STATS, (*stats, total - sum(stats)), strict=True))
            if not all(0 <= number <= 100 for number in numbers.values()):
                break
            lines += [
                "[[card]]",
                f"name = {json.dumps(card.name)}",
                f'class = "{card.klass}"',
                f'rarity = "{card.rarity}"',
                f"stats = {{ {', '.join(f'{stat} = {n}' for stat, n in numbers.items())} }}",
                f"ability = {{ {text} }}",
            ]
        else:
            return "\n".join(lines) + "\n"


def _stats(four: int, best: int, dice: Dice) -> tuple[int, int, int, int]:
    """Return four stats with this sum (never 20 modulo 40), Speed at random."""
    four += four % 40 == 20
    speed = min(four, 20 + dice.below(60))
    rest = four - speed
    parts = [rest // 3, rest // 3, rest // 3]
    parts[best % 3] += rest - sum(parts)
    return parts[0], parts[1], parts[2], speed


def _drawn(weights: Sequence[float], dice: Dice) -> int:
    """Return an index, drawn in proportion to the weights."""
    at = dice.random() * sum(weights)
    for index, weight in enumerate(weights):
        at -= weight
        if at < 0:
            return index
    return len(weights) - 1


def measure(matches: int, seed: int, cards: str) -> Point:
    """Return what a card file measures, in a process of its own."""
    with tempfile.NamedTemporaryFile("w", suffix=".toml", encoding="utf-8") as file:
        file.write(cards)
        file.flush()
        command = [sys.executable, str(BALANCE), "--brief", "--mono", "0", "--hard", "0"]
        command += ["--matches", str(matches), "--seed", str(seed), "--cards", file.name]
        found: Mapping[str, float | dict[str, float]]
        found = json.loads(subprocess.run(command, check=True, capture_output=True).stdout)
    rates, kills, draws, a = (found[key] for key in ("cards", "kills", "draws", "a"))
    assert isinstance(rates, dict)
    assert isinstance(kills, float)
    assert isinstance(draws, float)
    assert isinstance(a, float)
    return Point(kills, draws, a, max(rates.values()) - min(rates.values()))


def row(name: str, points: Sequence[Point]) -> str:
    """Return a line of the table."""
    shares = sorted(point.a_share for point in points)
    draws = median(point.draws for point in points)
    spread = median(point.spread for point in points)
    return (
        f"| {name} | {len(points)} | {100 * shares[0]:.0f} % | {100 * median(shares):.0f} % "
        f"| {100 * draws:.0f} % | {100 * spread:.0f} |"
    )


def main() -> None:
    """Measure random sets and the real one, and print the table."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--sets", type=int, default=300)
    parser.add_argument("--matches", type=int, default=400)
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    dice = Dice(args.seed)
    files = [random_set(dice.derive("set", number)) for number in range(args.sets)]
    files.append(FILES.joinpath("cards.toml").read_text(encoding="utf-8"))
    with ThreadPoolExecutor(cpu_count()) as pool:
        *points, real = pool.map(partial(measure, args.matches, args.seed), files)
    print(f"{args.sets} random sets, {args.matches} matches each, seed {args.seed}\n")
    print(
        "| kills | sets | lowest share of A | median share of A | draws, median "
        "| best less worst card, points |\n| --- | --- | --- | --- | --- | --- |"
    )
    bands = sorted({int(point.kills / BAND) for point in points})
    for band in bands:
        inside = [point for point in points if int(point.kills / BAND) == band]
        print(row(f"{100 * band * BAND:.0f}-{100 * (band + 1) * BAND:.0f} %", inside))
    print(row(f"the set: {100 * real.kills:.0f} %", [real]))


if __name__ == "__main__":
    main()
