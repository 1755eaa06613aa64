"""Apply the manifests' faults, one at a time, and expect its tests to fail.

    python tests/faults.py            a sample of 12, the same every time (CI's short form)
    python tests/faults.py --all      every fault (the long form)
    python tests/faults.py WORD       those whose sentence or test has this word in it

Each fault replaces one line's text in a copy of the package; the test named beside it must then
fail (that it passes without the fault is the test suite's business). Prints a line a fault, then
`N passed, N failed`.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
import tomllib
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parent.parent
MANIFESTS = Path(__file__).parent / "manifest"
"""A file for each game, named after it."""
SHORT = 12


@dataclass(frozen=True)
class Sentence:
    """One sentence of a contract, the test that holds it, and a fault this test must catch."""

    game: str
    section: str
    text: str
    test: str
    file: str
    old: str
    new: str


def read_manifest() -> list[Sentence]:
    """Return the entries of all manifests, a game after the other, in their order."""
    return [
        Sentence(path.stem, **entry)
        for path in sorted(MANIFESTS.glob("*.toml"))
        for entry in tomllib.loads(path.read_text("utf-8"))["sentence"]
    ]


def fails(sentence: Sentence) -> bool:
    """Say whether the sentence's test fails on a copy of the package with the fault in it."""
    with tempfile.TemporaryDirectory() as folder:
        for part in ("smashclash_mcp", "tests", "docs"):
            ignored = shutil.ignore_patterns("__pycache__")
            shutil.copytree(ROOT / part, Path(folder) / part, ignore=ignored)
        for name in ("pyproject.toml", "README.md"):
            shutil.copy(ROOT / name, folder)
        path = Path(folder) / "smashclash_mcp" / sentence.file
        text = path.read_text("utf-8")
        assert text.count(sentence.old) == 1, f"{sentence.file}: {sentence.old!r}"
        path.write_text(text.replace(sentence.old, sentence.new), "utf-8")
        run = subprocess.run(
            [sys.executable, "-m", "pytest", "-q", "-x", "-n", "0", "-p", "no:cacheprovider",
             sentence.test],
            cwd=folder,
            env=os.environ | {"PYTHONPATH": folder, "PYTHONDONTWRITEBYTECODE": "1"},
            capture_output=True,
            timeout=300,
        )  # fmt: skip
        if run.returncode not in (0, 1):
            raise RuntimeError(f"{sentence.text}: {(run.stdout + run.stderr).decode()[-2000:]}")
        return run.returncode == 1


def main(words: Sequence[str]) -> int:
    """Run the chosen faults; return 1 if one was not caught."""
    faults = read_manifest()
    if words and words != ["--all"]:
        faults = [s for s in faults if any(w in s.text or w in s.test for w in words)]
    elif not words:
        faults = faults[:: max(1, len(faults) // SHORT)][:SHORT]
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        caught = list(pool.map(fails, faults))
    for sentence, found in zip(faults, caught, strict=True):
        print(
            "caught" if found else "MISSED",
            f"{sentence.game} {sentence.section}: {sentence.text[:60]}",
        )
    print(f"{sum(caught)} passed, {len(caught) - sum(caught)} failed")
    return 0 if all(caught) else 1


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
