"""Every sentence of the rules contracts names the test that holds it and a fault it must catch."""

from __future__ import annotations

import ast
import re

import pytest

from smashclash_mcp import GAMES

from .faults import ROOT, Sentence, read_manifest

MANIFEST = read_manifest()


def words(text: str) -> str:
    """Return a text as its words alone: markup and the contract's `[choice]` marks left out."""
    text = re.sub(r"\*\*\[choice\]\*\*|\[choice\]|[*#>|\\-]", " ", text)
    return " ".join(text.split())


def sections(game: str) -> dict[str, str]:
    """Return the numbered sections of a game's contract by their number."""
    contract = (ROOT / "docs" / f"{game}-rules.md").read_text("utf-8")
    plain = re.sub(r"^(\d\.|-) ", "", contract, flags=re.MULTILINE)
    parts = re.split(r"^## (\d)\. .*$", plain, flags=re.MULTILINE)
    return dict(zip(parts[1::2], parts[2::2], strict=True))


def test_every_game_has_its_contract_and_its_manifest() -> None:
    assert {sentence.game for sentence in MANIFEST} == set(GAMES)


@pytest.mark.parametrize(
    ("game", "section"), [(game, section) for game in GAMES for section in sections(game)]
)
def test_every_sentence_of_the_contract_is_in_the_manifest(game: str, section: str) -> None:
    left = words(sections(game)[section])
    for sentence in MANIFEST:
        if (sentence.game, sentence.section) == (game, section):
            quoted = words(sentence.text)
            assert quoted in left, f"not in the contract, or twice in the manifest: {quoted}"
            left = left.replace(quoted, " ¶ ", 1)
    left = re.sub(r"[\s¶.:;,:]+", " ", left)
    # What remains are the heads of the tables.
    heads = {
        "board side seat A's card seat B's card",
        "effect legal when what it does move name",
        "class trait",
    }
    for head in heads:
        left = left.replace(head, "")
    assert not left.split(), left


@pytest.mark.parametrize("sentence", MANIFEST, ids=lambda s: f"{s.game}-{s.section}-{s.text[:40]}")
def test_the_test_of_a_sentence_exists_and_its_fault_fits(sentence: Sentence) -> None:
    path, _, name = sentence.test.partition("::")
    tree = ast.parse((ROOT / path).read_text("utf-8"))
    tests = {
        node.name
        for node in ast.walk(tree)
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
    }
    assert name.partition("[")[0] in tests
    source = (ROOT / "smashclash_mcp" / sentence.file).read_text("utf-8")
    assert source.count(sentence.old) == 1, f"{sentence.file}: {sentence.old!r}"
    assert sentence.new != sentence.old
