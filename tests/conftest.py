"""Golden files: `pytest --update-golden` (or UPDATE_GOLDEN=1) writes them instead of comparing."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Callable, Generator
from pathlib import Path

import pytest

FOLDER = Path(__file__).parent / "golden"


@pytest.fixture(scope="session", autouse=True)
def data_home() -> Generator[None]:
    """Keep what servers write by default away from the games of whoever runs the tests."""
    with tempfile.TemporaryDirectory() as folder, pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_DATA_HOME", folder)
        yield


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
