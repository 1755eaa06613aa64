"""The examples run as a newcomer would run them."""

from __future__ import annotations

import subprocess
import sys

from .faults import ROOT


def run(*command: str) -> str:
    done = subprocess.run(
        [sys.executable, *command], cwd=ROOT, capture_output=True, text=True, timeout=60
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_own_player_beats_the_greedy_house() -> None:
    points = float(run("examples/own_player.py", "20").split()[3])
    assert points > 10


def test_mcp_client_plays_a_whole_game() -> None:
    assert "\nResult: " in run("examples/mcp_client.py")
