"""The README's code runs, and its state block is what the engine prints."""

import re
from pathlib import Path

from smashclash_mcp import Match, Setup

README = (Path(__file__).parent.parent / "README.md").read_text(encoding="utf-8")

MOVES = (
    "Poe@E1;Vega@D1;Petite@A3;Fryum@A2;Stello@A1;Arachnassile@B2;Pengu@D2;Mr. Nibbles@E2;SWAP;"
    "Lizzie@B1;Nevermore@C3;Cornelius@B3;Mittens Jr.@D3;RECRUIT(D3→C2);hop: stay;Pun-Pun@D3"
)

TURNS = (
    "play Runway;end;play Perplexity;end;play Manus;end;play ShieldGemma;end;play Suno;end;"
    "play Devin;play Pixtral;end;play NeMo Guardrails;end;play OpenAI o3;play DeepSeek R1;end"
)


def after(mark: str) -> str:
    """Return the code block that follows `<!-- mark -->`."""
    found = re.search(rf"<!-- {mark} -->\n```\w*\n(.*?)```", README, re.DOTALL)
    assert found, mark
    return found[1]


def test_the_python_example_runs() -> None:
    exec(compile(after("run"), "README.md", "exec"), {})


def test_the_state_block_is_printed_by_the_engine() -> None:
    match = Match(Setup("smashclash", "mutators", seed=77))
    for name in MOVES.split(";"):
        match.play(match.game.moves_by_name[name])
    assert match.view(0).text("g_k7q2mx", legend=True) == after("block").rstrip("\n")


def test_the_state_block_of_agent_battle_is_printed_by_the_engine() -> None:
    match = Match(Setup("agentbattle", "all_cards", seed=3))
    for name in TURNS.split(";"):
        match.play(match.game.moves_by_name[name])
    assert match.view(0).text("g_k7q2mx", legend=True) == after("agentbattle").rstrip("\n")
