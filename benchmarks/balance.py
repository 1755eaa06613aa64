"""Measure how fair and how decisive the card set of Agent Battle is, by self-play.

    python benchmarks/balance.py [--matches 20000] [--mono 2000] [--hard 400] [--seed 1]
                                 [--cards FILE] [--brief]

Both seats play random decks of eight different cards by the one-turn-lookahead player `greedy`;
then decks that hold every card of one class meet random ones from both seats; then `hard` plays
itself, and `normal` (which is that greedy player) with the same decks from both seats. Prints
Markdown, as it stands in docs/agentbattle-balance.md: the limits of the contract (agentbattle 9)
with `ok` or `missed`, and the win rate of every class, rarity and card over the
decks that hold it. A draw counts half. Intervals are 95 %, by the normal approximation.

The same seed and settings print the same table on any machine and number of cores. `--cards`
measures another card file, `--brief` prints one JSON line instead of the tables.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections import defaultdict
from collections.abc import Callable, Iterable
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from functools import partial
from math import sqrt
from pathlib import Path

import smashclash_mcp
from smashclash_mcp.games import get_game
from smashclash_mcp.games.agentbattle.cards import CARDS, DECK_SIZE, FILES, RARITIES
from smashclash_mcp.games.agentbattle.vocabulary import CLASSES
from smashclash_mcp.games.base import Dice
from smashclash_mcp.players import get_level

GAME = get_game("agentbattle")
CHUNK = 250

Deck = tuple[int, ...]
Deal = tuple[int, Deck, Deck]
"""A match to be played: its seed, and the decks of A and B."""


@dataclass(frozen=True, slots=True)
class Result:
    """A played match: what A got of the point, and whether a core was destroyed."""

    decks: tuple[Deck, Deck]
    points: float
    drawn: bool
    killed: bool


def random_deck(dice: Dice, fixed: Deck = ()) -> Deck:
    """Return a legal deck that holds the `fixed` cards, every other one equally likely."""
    rest = [card.number for card in CARDS if card.number not in fixed]
    dice.shuffle(rest)
    return tuple(sorted((*fixed, *rest[: DECK_SIZE - len(fixed)])))


def play(levels: tuple[str, str], deals: Iterable[Deal]) -> list[Result]:
    """Play matches between players of two levels, the first as seat A."""
    players = [get_level(GAME, level) for level in levels]
    names = [card.name for card in CARDS]
    results: list[Result] = []
    for seed, a, b in deals:
        dice = Dice(seed)
        decks = [",".join(names[card - 1] for card in deck) for deck in (a, b)]
        position = GAME.new("all_cards", dice, (decks[0], decks[1]))
        own = dice.derive("players")
        while position.to_move is not None:
            seat = position.to_move
            position.play(players[seat].choose(position.view(seat), own), dice)
        outcome = position.outcome()
        assert outcome is not None
        points = 0.5 if outcome.winner is None else 1.0 - outcome.winner
        killed = outcome.reason == "core destroyed"
        results.append(Result((a, b), points, outcome.winner is None, killed))
    return results


def run(a: str, b: str, deals: list[Deal]) -> list[Result]:
    """Play matches of level `a` as seat A against `b` on all cores, in the order of the deals."""
    size = max(1, min(CHUNK, len(deals) // (os.cpu_count() or 1)))
    chunks = [deals[at : at + size] for at in range(0, len(deals), size)]
    with ProcessPoolExecutor() as pool:
        return [result for part in pool.map(partial(play, (a, b)), chunks) for result in part]


def random_deals(dice: Dice, count: int) -> list[Deal]:
    """Return matches between random decks."""
    return [(dice.below(1 << 40), random_deck(dice), random_deck(dice)) for _ in range(count)]


def mono_deals(dice: Dice, klass: str, count: int) -> list[tuple[int, Deal]]:
    """Return matches of every card of a class against random decks, with its seat, in turn."""
    fixed = tuple(card.number for card in CARDS if card.klass == klass)[:DECK_SIZE]
    deals: list[tuple[int, Deal]] = []
    for i in range(count):
        mono, other = random_deck(dice, fixed), random_deck(dice)
        decks = (mono, other) if i % 2 == 0 else (other, mono)
        deals.append((i % 2, (dice.below(1 << 40), *decks)))
    return deals


# --- what comes out of it ----------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Share:
    """A share of `count` matches or decks, 0 to 1."""

    value: float
    count: int

    @property
    def error(self) -> float:
        """Half of the 95 % interval."""
        return 1.96 * sqrt(max(self.value * (1 - self.value), 1e-9) / self.count)

    def __str__(self) -> str:
        return f"{100 * self.value:.1f} ± {100 * self.error:.1f} %"


def share(values: Iterable[float]) -> Share:
    """Return the mean of numbers from 0 to 1."""
    listed = list(values)
    return Share(sum(listed) / len(listed), len(listed))


@dataclass(frozen=True, slots=True)
class Totals:
    """The three numbers of section 9 that belong to the whole set."""

    kills: Share
    draws: Share
    a_points: Share


def totals(results: list[Result]) -> Totals:
    """Return how matches end, and what seat A gets."""
    return Totals(
        share(float(result.killed) for result in results),
        share(float(result.drawn) for result in results),
        share(float(result.points == 1) for result in results),
    )


def card_rates(results: list[Result]) -> dict[int, Share]:
    """Return each card's share of the points over the decks that hold it."""
    points: dict[int, list[float]] = defaultdict(list)
    for result in results:
        for deck, got in zip(result.decks, (result.points, 1 - result.points), strict=True):
            for card in deck:
                points[card].append(got)
    return {card.number: share(points[card.number]) for card in CARDS}


def mean_of(rates: dict[int, Share], cards: Iterable[int]) -> float:
    """Return the mean win rate of some cards."""
    values = [rates[card].value for card in cards]
    return sum(values) / len(values)


@dataclass(frozen=True, slots=True)
class Measured:
    """Everything that the contract limits."""

    totals: Totals
    cards: dict[int, Share]
    classes: dict[str, float]
    rarities: dict[str, float]
    mono: dict[str, Share]


def measure(seed: int, matches: int, mono: int) -> Measured:
    """Play the matches of `greedy` and count."""
    dice = Dice(seed)
    results = run("normal", "normal", random_deals(dice.derive("decks"), matches))
    rates = card_rates(results)
    mono_rates: dict[str, Share] = {}
    for klass in CLASSES if mono else ():
        seated = mono_deals(dice.derive("mono", klass), klass, mono)
        played = run("normal", "normal", [deal for _, deal in seated])
        mono_rates[klass] = share(
            result.points if seat == 0 else 1 - result.points
            for (seat, _), result in zip(seated, played, strict=True)
        )
    return Measured(
        totals(results),
        rates,
        {c: mean_of(rates, (x.number for x in CARDS if x.klass == c)) for c in CLASSES},
        {r: mean_of(rates, (x.number for x in CARDS if x.rarity == r)) for r in RARITIES},
        mono_rates,
    )


# --- print it ----------------------------------------------------------------------------------


def card_file() -> str:
    """Return the hash of the card file, by which a table is known to be of this very set."""
    return hashlib.sha256(FILES.joinpath("cards.toml").read_bytes()).hexdigest()


def verdict(ok: bool) -> str:
    """Return the word for a limit that is kept or not."""
    return "ok" if ok else "missed"


def print_limits(found: Measured) -> None:
    """Print the limits of agentbattle 9 and what was measured."""
    t = found.totals
    print("| limit | measured | |\n| --- | --- | --- |")
    print(
        f"| core kills decide >= 35 % of matches | {t.kills} | {verdict(t.kills.value >= 0.35)} |"
    )
    print(f"| draws <= 4 % | {t.draws} | {verdict(t.draws.value <= 0.04)} |")
    a_ok = 0.45 <= t.a_points.value <= 0.57
    print(f"| seat A wins 45-57 % | {t.a_points} | {verdict(a_ok)} |")
    ranges: list[tuple[str, Iterable[float], float, float]] = [
        ("every card 44-56 %", [rate.value for rate in found.cards.values()], 0.44, 0.56),
        ("every class's mean 47-53 %", found.classes.values(), 0.47, 0.53),
        ("every rarity's mean 47-53 %", found.rarities.values(), 0.47, 0.53),
    ]
    for what, values, low, high in ranges:
        least, most = min(values), max(values)
        ok = verdict(low <= least and most <= high)
        print(f"| {what} | {100 * least:.1f} to {100 * most:.1f} % | {ok} |")
    if found.mono:
        klass = max(found.mono, key=lambda name: found.mono[name].value)
        rate = found.mono[klass]
        print(
            f"| no deck with every card of a class above 62 % | {klass}: {rate} "
            f"| {verdict(rate.value <= 0.62)} |"
        )


def print_rates(found: Measured) -> None:
    """Print the win rates of classes, rarities and cards."""
    print("\n| class | mean of its cards | a deck of all its cards |\n| --- | --- | --- |")
    for klass, rate in found.classes.items():
        print(f"| {klass} | {100 * rate:.1f} % | {found.mono.get(klass, '')} |")
    print("\n| rarity | mean of its cards |\n| --- | --- |")
    for rarity, rate in found.rarities.items():
        print(f"| {rarity} | {100 * rate:.1f} % |")
    print("\n| card | class | attack/health | ability | wins |\n| --- | --- | --- | --- | --- |")
    for card in CARDS:
        print(
            f"| {card.name} | {card.klass} | {card.attack}/{card.health} | {card.ability.text()} "
            f"| {found.cards[card.number]} |"
        )


def print_hard(seed: int, count: int, ours: Totals) -> None:
    """Print what `hard` gets in random matches against itself, and the means side by side."""
    deals = random_deals(Dice(seed).derive("hard"), count)
    theirs = totals(run("hard", "hard", deals))
    print(f"\n`hard` against itself, {count} matches; the limits hold within its intervals:\n")
    print("| | greedy | hard | |\n| --- | --- | --- | --- |")
    rows: list[tuple[str, Share, Share, Callable[[float, float], bool]]] = [
        ("core kills", ours.kills, theirs.kills, lambda low, high: high >= 0.35),
        ("draws", ours.draws, theirs.draws, lambda low, high: low <= 0.04),
        ("seat A", ours.a_points, theirs.a_points, lambda low, high: high >= 0.45 and low <= 0.57),
    ]
    for what, one, other, holds in rows:
        ok = holds(other.value - other.error, other.value + other.error)
        print(f"| {what} | {one} | {other} | {verdict(ok)} |")
    points = [result.points for result in run("hard", "normal", deals)]
    points += [1 - result.points for result in run("normal", "hard", deals)]
    print(f"\n`hard` against `normal`, the same {count} deals from both seats: {share(points)}")


def measure_other(cards: Path) -> int:
    """Run this very command with a copy of the package that has another card file."""
    with tempfile.TemporaryDirectory() as folder:
        package = Path(folder) / "smashclash_mcp"
        shutil.copytree(Path(smashclash_mcp.__file__).parent, package)
        shutil.copy(cards, package / "games" / "agentbattle" / "cards.toml")
        at = sys.argv.index("--cards") if "--cards" in sys.argv else -1
        rest = sys.argv[1:at] + sys.argv[at + 2 :]
        command = [sys.executable, __file__, *rest]
        return subprocess.run(command, env={**os.environ, "PYTHONPATH": folder}).returncode


def main() -> int:
    """Read the command line, measure and print."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--matches", type=int, default=20_000)
    parser.add_argument("--mono", type=int, default=2_000, help="matches for each class")
    parser.add_argument("--hard", type=int, default=400)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--cards", type=Path)
    parser.add_argument("--brief", action="store_true")
    args = parser.parse_args()
    if args.cards:
        return measure_other(args.cards)
    found = measure(args.seed, args.matches, args.mono)
    if args.brief:
        brief = {
            "kills": found.totals.kills.value,
            "draws": found.totals.draws.value,
            "a": found.totals.a_points.value,
            "cards": {card.name: found.cards[card.number].value for card in CARDS},
            "mono": {klass: rate.value for klass, rate in found.mono.items()},
        }
        print(json.dumps(brief))
        return 0
    print(
        f"{args.matches} matches, {args.mono} for each class, seed {args.seed}, "
        f"cards.toml sha256 {card_file()[:16]}\n"
    )
    print_limits(found)
    if args.hard:
        print_hard(args.seed, args.hard, found.totals)
    print_rates(found)
    return 0


if __name__ == "__main__":
    sys.exit(main())
