"""Tables under random calls: a call lands whole or changes nothing, and the record always holds."""

from __future__ import annotations

import random

import pytest

from smashclash_mcp import GAMES, Record, Setup
from smashclash_mcp.tables import CallError, Table, Tables

CALLS = 100
JUNK = ["", ";;", "no move", "pass", "resign", "\x00", "x" * 2000]


def random_text(table: Table, sent: list[str], choose: random.Random) -> str:
    """Return a legal move, a text sent before, a list of moves, or junk."""
    names = table.match.game.move_names
    legal = [names[move] for move in table.match.position.legal_moves()]
    kind = choose.random()
    if kind < 0.55 and legal:
        return choose.choice(legal)
    if kind < 0.7 and sent:
        return choose.choice(sent)
    if kind < 0.85:
        pool = legal * 50 + list(names)
        return "; ".join(choose.choice(pool) for _ in range(choose.randint(1, 4)))
    return choose.choice(JUNK)


@pytest.mark.parametrize("house", [None, 0, 1])
@pytest.mark.parametrize("game", GAMES)
def test_any_call_lands_whole_or_changes_nothing(game: str, house: int | None) -> None:
    for seed in range(50):
        choose = random.Random(seed)
        level = "" if house is None else GAMES[game].default_level
        ruleset = choose.choice(GAMES[game].rulesets)
        table, _ = Tables().open(Setup(game, ruleset, seed, level=level, house=house))
        match, sent = table.match, list[str]()
        for _ in range(CALLS):
            text = random_text(table, sent, choose)
            count = len(match.played)
            move_no = choose.choice([0, 0, 0, count + 1, choose.randint(1, count + 3)])
            seat = choose.choice([None, 0, 1] if house is None else [None, 1 - house])
            before = count, match.position.to_text()
            try:
                reply = table.play(text, seat, move_no)
            except CallError:
                assert (len(match.played), match.position.to_text()) == before, f"seed {seed}"
                continue
            sent.append(text)
            if reply.note.startswith("already") and "; played " in reply.note:
                assert len(match.played) >= count, f"seed {seed}"  # the rest, as far as it went
            elif reply.note.startswith("already") and "played now" not in reply.note:
                assert (len(match.played), match.position.to_text()) == before, f"seed {seed}"
            else:
                assert len(match.played) > count, f"seed {seed}"
                assert ";" in text or move_no in (0, count + 1), f"seed {seed}"
            assert house is None or match.to_move in (None, 1 - house)
        again = Record.parse(match.record().text()).replay()
        assert again.position.to_text() == match.position.to_text(), f"seed {seed}"
