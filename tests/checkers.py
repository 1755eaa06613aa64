"""The independent checker of each game's records; a third game adds its own."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

from smashclash_mcp import Record, to_json
from tests import check_agentbattle, check_smashclash

CHECKERS: dict[str, Callable[[dict[str, Any]], None]] = {
    "smashclash": check_smashclash.check,
    "agentbattle": check_agentbattle.check,
}


def check_record(record: Record) -> None:
    """Raise the checker's fault for a finished game whose record breaks a rule of the game."""
    CHECKERS[record.setup.game](json.loads(json.dumps(to_json(record))))
