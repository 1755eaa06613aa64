"""Golden files: `pytest --update-golden` (or UPDATE_GOLDEN=1) writes them instead of comparing."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest

FOLDER = Path(__file__).parent / "golden"


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--update-golden", action="store_true", help="write tests/golden anew")


@pytest.fixture
def golden(request: pytest.FixtureRequest) -> Callable[[str, str], None]:
    """Return a check that a text is what `tests/golden/<name>` holds."""
    update = request.config.getoption("--update-golden") or os.environ.get("UPDATE_GOLDEN") == "1"

    def check(name: str, text: str) -> None:
        path = FOLDER / name
        if update:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8", newline="\n")
        assert path.exists(), f"{name} is missing: run pytest --update-golden and review it"
        assert text == path.read_text(encoding="utf-8")

    return check
