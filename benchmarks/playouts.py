"""Print how fast random games go: ours and other engines', side by side in one run.

    python benchmarks/playouts.py [--rounds 7] [--seconds 0.5]

The first table has a row for each engine: moves per second of CPU time in one process, the CPU
time of one move, the moves of an average game and, for the others, how many times faster our
games are, with the ratio we require (>=) or aim for, and of which game of ours. `ok` and `below`
judge the slowest of its rulesets.
In each round every engine plays for `--seconds`, in turn; a speed is the median over the rounds.

The second table is about positions in the middle of a game: the CPU time of `position.copy()`
(median over the rounds), the memory that one more copy takes (tracemalloc, over 10,000 of them)
and the size of all that a position holds beyond the package's constants (sys.getsizeof).

`pip install -e .[bench]` brings the other engines; those that are missing are left out.
"""

from __future__ import annotations

import argparse
import gc
import platform
import sys
import tracemalloc
from collections.abc import Container, Iterable, Sequence
from random import Random as Generator
from statistics import mean, median
from time import process_time
from typing import Any

from compare import RIVALS, SEED, Playout, Random, Rival, Speed, measure

from smashclash_mcp.games import get_game
from smashclash_mcp.games.base import Dice, Position

OURS = (("smashclash", "mutators"), ("smashclash", "classic"), ("agentbattle", "all_cards"))
"""Our games and rulesets."""
POSITIONS = 16
COPIES = 10_000
WARM_UP = 0.1


def our_playout(name: str, ruleset: str) -> Playout:
    """Return a game of ours by the public API, its events made at every move."""
    game = get_game(name)
    dice = Dice(SEED)

    def playout(random: Random) -> int:
        position = game.new(ruleset, dice)
        moves = 0
        while position.outcome() is None:
            legal = position.legal_moves()
            position.play(legal[int(random() * len(legal))], dice)
            moves += 1
        return moves

    return playout


def play_random(game: str, ruleset: str, seed: int, limit: int) -> tuple[Position, int]:
    """Return the position after at most `limit` random moves, and how many they were."""
    dice, random = Dice(seed), Generator(seed).random
    position = get_game(game).new(ruleset, dice)
    moves = 0
    while moves < limit and position.outcome() is None:
        legal = position.legal_moves()
        position.play(legal[int(random() * len(legal))], dice)
        moves += 1
    return position, moves


def midgame_positions(game: str, ruleset: str) -> list[Position]:
    """Return positions from the middle of random games."""
    lengths = [play_random(game, ruleset, seed, sys.maxsize)[1] for seed in range(POSITIONS)]
    return [play_random(game, ruleset, seed, n // 2)[0] for seed, n in enumerate(lengths)]


def copy_microseconds(positions: Sequence[Position]) -> float:
    """Return the CPU time of one `copy()`, averaged over 10,000."""
    gc.collect()
    repeats = range(COPIES // len(positions))
    start = process_time()
    for position in positions:
        for _ in repeats:
            position.copy()
    return (process_time() - start) / (len(repeats) * len(positions)) * 1e6


def copied_bytes(positions: Sequence[Position]) -> float:
    """Return the memory that one more copy takes, averaged over 10,000 kept ones."""
    repeats = range(COPIES // len(positions))
    gc.collect()
    tracemalloc.start()
    before, _ = tracemalloc.get_traced_memory()
    kept = [position.copy() for position in positions for _ in repeats]
    after, _ = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    return (after - before - sys.getsizeof(kept)) / len(kept)


def reachable(roots: Iterable[Any], known: Container[int] = ()) -> dict[int, Any]:
    """Return all that the roots hold, directly or not, by id, without the known ids."""
    found: dict[int, Any] = {}
    stack = list(roots)
    while stack:
        item = stack.pop()
        if id(item) in found or id(item) in known:
            continue
        found[id(item)] = item
        stack += gc.get_referents(item)
    return found


def held_bytes(positions: Sequence[Position]) -> float:
    """Return the average size of what a position holds beyond the package's constants."""
    modules = [module for name, module in sys.modules.items() if name.startswith("smashclash_mcp")]
    constants = reachable([*modules, *range(-5, 257)])  # Python shares these numbers everywhere
    return mean(
        sum(map(sys.getsizeof, reachable([position], constants).values())) for position in positions
    )


def load_rivals() -> tuple[dict[Rival, Playout], list[Rival]]:
    """Return the playouts of the engines that are installed, and the engines that are not."""
    playouts: dict[Rival, Playout] = {}
    missing: list[Rival] = []
    for rival in RIVALS:
        try:
            playouts[rival] = rival.load()
        except ModuleNotFoundError:
            missing.append(rival)
    return playouts, missing


def run_rounds(
    playouts: Sequence[Playout], samples: Sequence[Sequence[Position]], rounds: int, seconds: float
) -> tuple[list[list[Speed]], list[list[float]]]:
    """Return each playout's speeds and each sample's copy times, a round after the other."""
    random = Generator(SEED).random
    speeds: list[list[Speed]] = [[] for _ in playouts]
    copies: list[list[float]] = [[] for _ in samples]
    for playout in playouts:
        measure(playout, random, WARM_UP)
    for _ in range(rounds):
        for playout, found in zip(playouts, speeds, strict=True):
            found.append(measure(playout, random, seconds))
        for sample, times in zip(samples, copies, strict=True):
            times.append(copy_microseconds(sample))
    return speeds, copies


def per_second(speeds: Sequence[Speed]) -> float:
    """Return the median over the rounds of moves per second."""
    return median(speed.moves / speed.seconds for speed in speeds)


def speed_columns(name: str, speeds: Sequence[Speed]) -> str:
    """Return the columns that every engine has."""
    speed = per_second(speeds)
    length = sum(s.moves for s in speeds) / sum(s.games for s in speeds)
    return f"{name:32}{speed:10,.0f}{1e6 / speed:9.2f}{length:12.1f}"


def ratio_columns(rival: Rival, ours: Sequence[float], theirs: float) -> str:
    """Return how many times faster each of ours is, and what that is worth."""
    text = "".join(f"{our / theirs:11.2f} x" for our in ours)
    if rival.ratio is None:
        return text
    word = ">=" if rival.required else "aim"
    slowest = min(our for our, (game, _) in zip(ours, OURS, strict=True) if game == rival.game)
    verdict = "ok" if slowest >= rival.ratio * theirs else "below"
    return f"{text}  {word:>3} {rival.ratio:.1f} x {rival.game}  {verdict}"


def print_speeds(
    ours: Sequence[Sequence[Speed]],
    theirs: dict[Rival, Sequence[Speed]],
    missing: Sequence[Rival],
) -> None:
    """Print the first table."""
    heads = "".join(f"{ruleset:>13}" for _, ruleset in OURS)
    print(f"{'engine':32}{'moves/s':>10}{'µs/move':>9}{'moves/game':>12}{heads}  required")
    for own, speeds in zip(OURS, ours, strict=True):
        print(speed_columns(" ".join(own), speeds))
    our_speeds = [per_second(speeds) for speeds in ours]
    for rival, speeds in theirs.items():
        columns = speed_columns(f"{rival.name} {rival.version}", speeds)
        print(columns + ratio_columns(rival, our_speeds, per_second(speeds)))
    for rival in missing:
        print(f"{rival.name:32}not installed (pip install {rival.package})")


def print_positions(
    samples: Sequence[Sequence[Position]], copies: Sequence[Sequence[float]]
) -> None:
    """Print the second table."""
    print(f"{'position in mid-game':32}{'copy, µs':>10}{'bytes a copy':>14}{'bytes held':>12}")
    for own, sample, times in zip(OURS, samples, copies, strict=True):
        taken, held = copied_bytes(sample), held_bytes(sample)
        print(f"{' '.join(own):32}{median(times):10.2f}{taken:14,.0f}{held:12,.0f}")


def read_arguments() -> argparse.Namespace:
    """Read the command line."""
    parser = argparse.ArgumentParser(description="Compare the speed of random playouts.")
    parser.add_argument("--rounds", type=int, default=7, help="default 7")
    parser.add_argument("--seconds", type=float, default=0.5, help="per engine and round")
    return parser.parse_args()


def main() -> None:
    """Run every engine that is installed and print both tables."""
    options = read_arguments()
    rivals, missing = load_rivals()
    playouts = [*(our_playout(*own) for own in OURS), *rivals.values()]
    samples = [midgame_positions(*own) for own in OURS]
    speeds, copies = run_rounds(playouts, samples, options.rounds, options.seconds)
    print(
        f"Random playouts, {platform.python_implementation()} {platform.python_version()}, one"
        f" process, median of {options.rounds} rounds of {options.seconds:g} s of CPU time each\n"
    )
    ours, theirs = speeds[: len(OURS)], speeds[len(OURS) :]
    print_speeds(ours, dict(zip(rivals, theirs, strict=True)), missing)
    print()
    print_positions(samples, copies)


if __name__ == "__main__":
    main()
