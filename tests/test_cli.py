"""The command line, as a process of its own."""

from __future__ import annotations

import re
import subprocess
import sys

import pytest

from smashclash_mcp import GAMES, Record, __version__


def run(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "smashclash_mcp", *arguments],
        input="",
        capture_output=True,
        text=True,
        encoding="utf-8",
        timeout=120,
        check=False,
        env={"PYTHONIOENCODING": "utf-8", "NO_COLOR": "1", "COLUMNS": "100"},
    )


def test_version_is_printed() -> None:
    result = run("--version")
    assert (result.returncode, result.stderr) == (0, "")
    assert result.stdout == f"smashclash-mcp {__version__}\n"


def test_help_names_the_commands() -> None:
    result = run("--help")
    assert (result.returncode, result.stderr) == (0, "")
    for word in ("serve", "demo", "--version", "MCP over stdio"):
        assert word in result.stdout


@pytest.mark.parametrize("arguments", [(), ("serve",), ("serve", "--memory")])
def test_serving_ends_with_its_input_and_prints_nothing_of_its_own(
    arguments: tuple[str, ...],
) -> None:
    result = run(*arguments)
    assert (result.returncode, result.stdout, result.stderr) == (0, "", "")


@pytest.mark.parametrize(
    ("game", "ruleset"), [(game.name, rules) for game in GAMES.values() for rules in game.rulesets]
)
def test_the_demo_plays_a_whole_game_and_counts_tokens(game: str, ruleset: str) -> None:
    result = run("demo", "--seed", "7", "--game", game, "--ruleset", ruleset)
    assert (result.returncode, result.stderr) == (0, "")
    shown = result.stdout
    assert f"\n> new_game(game='{game}', ruleset='{ruleset}', seed='7')  [" in shown
    assert len(re.findall(r"^> play\(.*\)  \[\d+ tokens\]$", shown, re.MULTILINE)) > 5
    assert len(re.findall(r"^Result: ", shown, re.MULTILINE)) == 1
    total = re.search(r"^All answers together: (\d+) tokens\.$", shown, re.MULTILINE)
    assert total
    each = re.findall(r"^> .*\[(\d+) tokens\]$", shown, re.MULTILINE)
    assert int(total[1]) == sum(map(int, each)) > 1000
    record = Record.parse(
        shown.partition("> get_replay()")[2].partition("\n")[2].split("\n\nAll")[0]
    )
    assert (record.setup.seed, record.setup.ruleset) == (7, ruleset)
    assert f"\nResult: {record.replay().outcome()}.\n" in shown


def test_the_demo_plays_the_same_game_from_the_same_seed() -> None:
    one, other = (re.sub(r"g_\w{6}", "g", run("demo", "--seed", "8").stdout) for _ in range(2))
    assert re.sub(r"\d+ tokens", "", one) == re.sub(r"\d+ tokens", "", other)


@pytest.mark.parametrize(
    ("arguments", "named"),
    [
        (("--sed",), "--sed"),
        (("dance",), "dance"),
        (("demo", "--seed", "x"), "--seed"),
        (("demo", "--seed", "-1"), "--seed"),
        (("demo", "--seed", str(2**53)), "--seed"),
        (("demo", "--ruleset", "poker"), "ruleset"),
        (("demo", "--game", "poker"), "game"),
        (("demo", "--game", "agentbattle", "--ruleset", "classic"), "ruleset"),
        (("serve", "--port", "1"), "--port"),
    ],
)
def test_what_it_does_not_know_is_a_clear_error(arguments: tuple[str, ...], named: str) -> None:
    result = run(*arguments)
    assert result.returncode != 0
    assert result.stdout == ""
    assert named in result.stderr
    assert "Traceback" not in result.stderr
    assert len(result.stderr) < 1500
