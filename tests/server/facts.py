"""A state block and its JSON tell the same facts: a check for each game."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from typing import Any

from .pipes import game_id, number

Check = Callable[[str, dict[str, object]], None]


def smashclash(text: str, facts: dict[str, object]) -> None:
    """Fail unless a block and an object tell the same facts of the same state."""
    data = json.loads(json.dumps(facts))
    you, other = data["you"], "B" if data["you"] == "A" else "A"
    assert game_id(text) == data["game_id"]
    assert number(text) == data["move"]
    assert f" You {data['score'][you]}, {other} {data['score'][other]}." in text
    rows = "\n".join(line for line in text.splitlines() if re.match("A[1-3] ", line))
    cells = dict(re.findall(r"([A-E][1-3]) (.*?)(?: \|)?(?= [A-E][1-3] |$)", rows, re.MULTILINE))
    assert len(cells) == 15
    for tile, cell in cells.items():
        card = data["board"].get(tile)
        parts: list[str] = []
        if card:
            mark = ("+" if card["owner"] == you else "-") + "*" * card["frozen"]
            parts.append(f"{mark}{card['card']} {'/'.join(map(str, card['sides']))}")
        if tile in data["chess"]:
            parts.append(data["chess"][tile] + " (used)" * (tile in data["chess_used"]))
        if tile in data["power"]:
            parts.append("{colour}+{bonus}".format(**data["power"][tile]))
        assert cell == (" ".join(parts) or "."), tile
    last = text.partition("\nLast: ")[2]
    assert last == "; ".join(data["last"])
    if data["to_move"] == "":
        assert f"\nResult: {data['result']['winner'] or 'draw'}" in text
        return
    assert f" Deck {data['deck']}." in text
    assert f" {other} holds {data['hands'][other]['count']}" in text
    for card in data["hands"][other]["known"]:
        assert card["card"] in text.splitlines()[0]
    hand = re.search(r"^Hand: (.*)$", text, re.MULTILINE)
    assert hand
    assert [re.split(r" \d", card)[0] for card in hand[1].split("; ")] == [
        card["card"] for card in data["hands"][you]["known"]
    ]
    gone = re.search(r" Gone: (.*)\.$", text.splitlines()[0])
    assert (gone[1].split(", ") if gone else []) == data["gone"]
    if data["to_move"] == you:
        assert data["hints"] in text
        for values in data["legal"].values():
            assert all(value in text for value in values)
    else:
        assert data["legal"] == {}
        assert "\nLegal: " not in text


def agentbattle(text: str, facts: dict[str, object]) -> None:
    """Fail unless a block and an object tell the same facts of the same state."""
    data = json.loads(json.dumps(facts))
    you, other = data["you"], "B" if data["you"] == "A" else "A"
    header, *lines = text.splitlines()
    assert (game_id(text), number(text)) == (data["game_id"], data["move"])
    assert f" Cores you {data['cores'][you]}, {other} {data['cores'][other]}." in header
    for whose, seat in (("Yours", you), (f"{other}'s", other)):
        agents = "; ".join(map(_agent, data["boards"][seat])) or "none"
        assert f"{whose}: {agents}" in lines
    out = [
        f"{whose} {', '.join(data['out'][seat])}"
        for seat, whose in sorted(((you, "yours"), (other, f"{other}'s")))
        if data["out"][seat]
    ]
    assert re.findall(r" Out: (.*)\.$", header) == (["; ".join(out)] if out else [])
    assert "\n".join(data["last"]) == text.partition("\nLast:\n")[2]
    if data["to_move"] == "":
        assert f"\nResult: {data['result']['winner'] or 'draw'}" in text
        return
    assert f" turn {data['turn']} of {data['turns']}, " in header
    assert f" Energy {data['energy']}." in header
    for seat, whose in ((you, "Your"), (other, f"{other}'s")):
        next_ones = f"{whose} next (?:(\\d+) abilities are|ability is)"
        blocked = re.search(f"{next_ones} blocked", header)
        assert data["blocked"][seat] == (int(blocked[1] or 1) if blocked else 0)
    hands, decks = data["hands"], data["decks"]
    assert f" {other} hand {hands[other]['count']}, deck {decks[other]['count']}." in header
    assert (hands[other]["known"], decks[other]["known"]) == ([], [])
    assert f" Your deck (shuffled): {', '.join(decks[you]['known']) or 'empty'}." in header
    assert decks[you]["count"] == len(decks[you]["known"])
    cards = "; ".join(
        "{card} {class} {attack}/{health}, {ability}".format(**card) for card in hands[you]["known"]
    )
    assert f"Hand: {f'2 energy each: {cards}' if cards else 'empty'}" in lines
    assert {card["cost"] for card in hands[you]["known"]} <= {2}
    if data["to_move"] == you:
        assert f"Legal: {', '.join(data['legal'])}" in lines
        assert data["hints"] in lines
    else:
        assert data["legal"] == []
        assert "\nLegal: " not in text


def _agent(agent: dict[str, Any]) -> str:
    hurt = agent["health"] != agent["full_health"]
    health = f"{agent['health']}({agent['full_health']})" if hurt else f"{agent['health']}"
    marks: list[str] = agent["marks"]
    assert ("shield" in marks, "new" in marks) == (agent["shield"], agent["new"])
    return ", ".join([f"{agent['card']} {agent['class']} {agent['attack']}/{health}", *marks])


SAME_FACTS: dict[str, Check] = {"smashclash": smashclash, "agentbattle": agentbattle}
