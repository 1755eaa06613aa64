"""Fixtures for tests of Agent Battle: both seats, and cards without printed abilities."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from smashclash_mcp.games.base import Seat

from .build import bare


@pytest.fixture(params=[0, 1], ids=["A", "B"])
def seat(request: pytest.FixtureRequest) -> Seat:
    """Return the seat to move, each in turn."""
    return request.param


@pytest.fixture
def bare_cards() -> Iterator[None]:
    """Take all printed abilities off the cards, so that a test's own are the only ones."""
    with bare():
        yield
