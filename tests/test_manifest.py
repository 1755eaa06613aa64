"""Every sentence of the rules contract names the test that holds it and a fault it must catch."""

from __future__ import annotations

import ast
import re

import pytest

from .faults import ROOT, Sentence, read_manifest

CONTRACT = (ROOT / "docs" / "smashclash-rules.md").read_text("utf-8")
MANIFEST = read_manifest()


def words(text: str) -> str:
    """Return a text as its words alone: markup and the contract's `[choice]` marks left out."""
    text = re.sub(r"\*\*\[choice\]\*\*|\[choice\]|[*#>|\\-]", " ", text)
    return " ".join(text.split())


def sections() -> dict[str, str]:
    """Return the contract's numbered sections by their number."""
    plain = re.sub(r"^(\d\.|-) ", "", CONTRACT, flags=re.MULTILINE)
    parts = re.split(r"^## (\d)\. .*$", plain, flags=re.MULTILINE)
    return dict(zip(parts[1::2], parts[2::2], strict=True))


@pytest.mark.parametrize("section", sections())
def test_every_sentence_of_the_contract_is_in_the_manifest(section: str) -> None:
    left = words(sections()[section])
    for sentence in MANIFEST:
        if sentence.section == section:
            quoted = words(sentence.text)
            assert quoted in left, f"not in the contract, or twice in the manifest: {quoted}"
            left = left.replace(quoted, " ¶ ", 1)
    left = re.sub(r"[\s¶.:;,:]+", " ", left)
    # What remains are the heads of the tables.
    heads = {"board side seat A's card seat B's card", "effect legal when what it does move name"}
    for head in heads:
        left = left.replace(head, "")
    assert not left.split(), left


@pytest.mark.parametrize("sentence", MANIFEST, ids=lambda s: f"{s.section}-{s.text[:40]}")
def test_the_test_of_a_sentence_exists_and_its_fault_fits(sentence: Sentence) -> None:
    path, _, name = sentence.test.partition("::")
    tree = ast.parse((ROOT / path).read_text("utf-8"))
    tests = {node.name for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)}
    assert name.partition("[")[0] in tests
    source = (ROOT / "smashclash_mcp" / sentence.file).read_text("utf-8")
    assert source.count(sentence.old) == 1, f"{sentence.file}: {sentence.old!r}"
    assert sentence.new != sentence.old
