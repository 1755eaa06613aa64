"""The state block, the JSON facts and the match log: complete, true, and line by line."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest

from smashclash_mcp import Dice, Match, RandomPlayer, Setup
from smashclash_mcp.games.agentbattle import Position
from smashclash_mcp.games.agentbattle.cards import CARDS, FULL, NUMBERS
from smashclash_mcp.games.base import Seat
from smashclash_mcp.tables import Tables

from .build import bare, give, play, position

LINES = re.compile(r"^(Yours|[AB]'s|Hand|Legal|If you end now|Result|Last|Lesson): ?(.*)$", re.M)


def positions(seeds: range) -> Iterator[tuple[Match, Position]]:
    """Yield every position of random matches."""
    for seed in seeds:
        match = Match(Setup("agentbattle", "all_cards", seed))
        at = match.position
        assert isinstance(at, Position)
        dice = Dice(seed)
        while match.to_move is not None:
            yield match, at
            match.play(RandomPlayer().choose(match.view(match.to_move), dice))
        yield match, at


def read_agents(text: str) -> list[tuple[str, str, int, int, int, list[str]]]:
    """Read a board line: name, class, attack, health, full health, marks."""
    agents: list[tuple[str, str, int, int, int, list[str]]] = []
    for part in [] if text == "none" else text.split("; "):
        said, *marks = part.split(", ")
        found = re.fullmatch(r"(.+) (\w+) (\d+)/(\d+)(?:\((\d+)\))?", said)
        assert found, part
        full = int(found[5] or found[4])
        agents.append((found[1], found[2], int(found[3]), int(found[4]), full, marks))
    return agents


def test_a_block_has_every_fact_that_the_seat_may_know() -> None:
    for match, at in positions(range(40)):
        truth = at.snapshot()
        for seat in (0, 1):
            block = match.view(seat).text("g_k7q2mx")
            header, lines = block.splitlines()[0], dict(LINES.findall(block))
            own, other = "AB"[seat], "AB"[1 - seat]
            assert f" turn {at.turn} of 16, " in header
            cores = truth["cores"]
            assert f"Cores you {cores[own]}, {other} {cores[other]}." in header
            for label, owner in (("Yours", own), (f"{other}'s", other)):
                shown = read_agents(lines[label])
                facts = {agent["card"]: agent for agent in truth["boards"][owner]}
                assert [agent[0] for agent in shown] == attack_order(at, "AB".index(owner))
                for name, klass, power, left, full, marks in shown:
                    fact = facts[name]
                    assert (klass, power, left) == (fact["class"], fact["attack"], fact["health"])
                    assert full == fact["full_health"] == FULL[NUMBERS[name]]
                    assert ("shield" in marks, "new" in marks) == (fact["shield"], fact["new"])
                    assert ("taunt" in marks) == (klass == "Guardian")
                    ability = CARDS[NUMBERS[name] - 1].ability
                    assert (ability.mark() in marks) if ability.passive else len(marks) <= 3
            if match.to_move is None:
                assert "Result" in lines
                continue
            assert f"Energy {at.energy}." in header
            hands, decks = truth["hands"], truth["decks"]
            assert f"{other} hand {len(hands[other])}, deck {decks[other]}." in header
            deck = re.search(r"Your deck \(shuffled\): (.*?)\. [AB] hand", header)
            assert deck
            left = [] if deck[1] == "empty" else deck[1].split(", ")
            assert sorted(left) == sorted(
                CARDS[c - 1].name for c in at.decks[seat][at.tops[seat] :]
            )
            cards = [CARDS[NUMBERS[name] - 1] for name in hands[own]]
            in_hand = "; ".join(
                f"{card.name} {card.klass} {card.attack}/{card.health}, {card.ability.text()}"
                for card in cards
            )
            assert lines["Hand"] == (f"2 energy each: {in_hand}" if in_hand else "empty")
            legal: list[str] = lines["Legal"].split(", ") if "Legal" in lines else []
            assert legal == (truth["legal"] if match.to_move == seat else [])


def attack_order(at: Position, seat: Seat) -> list[str]:
    """Return a seat's agents in the order in which the contract lets them attack."""

    def key(place: int) -> tuple[bool, int, int]:
        card = CARDS[at.boards[seat][place].card - 1]
        return card.ability.effect != "attacks_first", -card.speed, place

    places = sorted(range(len(at.boards[seat])), key=key)
    return [CARDS[at.boards[seat][place].card - 1].name for place in places]


def test_the_json_facts_are_the_positions() -> None:
    for match, at in positions(range(20)):
        truth = at.snapshot()
        for seat in (0, 1, None):
            facts = match.view(seat).data()
            for key in ("turn", "energy", "cores", "out", "blocked"):
                assert facts[key] == truth[key]
            assert facts["to_move"] == (truth["to_move"] or "")
            assert facts["legal"] == (truth["legal"] if seat == match.to_move else [])
            for owner, name in enumerate("AB"):
                known: list[str] = truth["hands"][name] if owner == seat else []
                shown = facts["hands"][name]
                assert [card["card"] for card in shown["known"]] == known
                assert shown["count"] == len(truth["hands"][name])
                assert facts["decks"][name]["count"] == truth["decks"][name]
                board = facts["boards"][name]
                marks = [agent.pop("marks") for agent in board]
                assert len(marks) == len(board)
                assert sorted(board, key=str) == sorted(truth["boards"][name], key=str)


def test_hints_say_what_the_end_of_the_turn_then_does() -> None:
    for match, at in positions(range(20)):
        if at.to_move is None:
            continue
        block = match.view(at.to_move).text(hints=True)
        assert "If you end now: " not in match.view(at.to_move).text()
        (hint,) = re.findall(r"^If you end now: (.*)$", block, re.M)
        name = "AB"[at.to_move]
        log = play(at.copy(), "end")[1:]
        log = [line for line in log if not line.startswith("Turn ")]
        told = [line.removeprefix(f"{name} ") for line in log] or ["no attack"]
        assert hint == "; ".join(told)
        assert match.view(1 - at.to_move).text(hints=True).count("If you end now") == 0


@pytest.mark.parametrize("seat", [0, 1])
def test_everything_that_happens_has_its_own_short_line(seat: Seat) -> None:
    own, other = "AB"[seat], "AB"[1 - seat]
    with bare():
        give("Suno", "damage", "lowest_health_enemy", 3)
        give("Alexa+", "block_next", "", 2)
        give("Cursor", "shield", "other_allies")
        at = position(
            ["Grok @3 2", "GPT-4o @2"],
            ["QwQ 3*", "Pi 14"],
            seat=seat,
            hand="Suno,Cursor,Alexa+",
            enemy_hand="Runway",
            enemy_deck="Claude",
        )
        grok = min(FULL[NUMBERS["Grok"]], 6)
        assert play(at, "play Cursor") == [
            f"{own} play Cursor",
            f"{own} Cursor trait: {own} Grok +{grok - 2} health, {grok} now",
            f"{own} Cursor, Test of Cursor: {own} Grok shield; {own} GPT-4o shield",
        ]
        # The board is full with three: the next agents need room.
        at = position(
            ["Grok @3"],
            ["QwQ 3*", "Pi 14"],
            seat=seat,
            hand="Suno,Alexa+",
            enemy_hand="Runway",
            enemy_deck="Claude",
        )
        assert play(at, "play Suno", "play Alexa+", "end") == [
            f"{own} play Suno",
            f"{own} Suno trait: 2 to {other} core, 28 left",
            f"{own} Suno, Test of Suno: {other} QwQ shield broken",
            f"{own} play Alexa+",
            f"{own} Alexa+, Test of Alexa+: {other}'s next 2 abilities are blocked",
            f"{own} end",
            f"{own} Grok hits {other} Pi for 6, 8 left",
            f"Turn {8 + seat}: {other} draws 1",
        ]
        give("Runway", "core_damage", "enemy_core", 9)
        assert play(at, "play Runway", "end")[:3] == [
            f"{other} play Runway",
            f"{other} Runway trait: 2 to {own} core, 28 left",
            f"{other} Runway, Test of Runway: blocked",
        ]


def test_an_agent_knocked_out_and_the_result_have_lines_too() -> None:
    with bare():
        at = position(["Suno @9", "Runway @9"], ["Grok 1"], cores=(30, 9))
        assert play(at, "end") == [
            "A end",
            "A Runway hits B Grok for 10, 0 left",
            "B Grok out",
            "A Suno hits B core for 10, 0 left",
            "Over: core destroyed",
        ]
        view = at.view(0)
        assert view.text().splitlines()[-1] == "Result: A wins, A 30 B 0 (core destroyed)."


def test_the_log_goes_back_to_the_seats_last_decision() -> None:
    match = Match(Setup("agentbattle", "all_cards", 11))
    dice = Dice(1)
    for _ in range(12):
        match.play(RandomPlayer().choose(match.view(match.to_move), dice))
    for seat in (0, 1):
        entries = match.recent(seat)
        assert entries[0].seat == seat
        assert entries[-1] == match.played[-1]
        last = match.view(seat).data()["last"]
        assert last == match.view(seat).text().partition("Last:\n")[2].split("\n")


def test_several_moves_of_one_turn_are_one_call() -> None:
    deck = "Pi, Codestral, Claude, Sora, Grok, QwQ, Manus, Siri"
    table, _ = Tables().open(Setup("agentbattle", "all_cards", 1, decks=(deck, deck)))
    for _ in range(8):
        table.play("end")
    reply = table.play("play Pi; play Codestral; end")
    assert reply.note == ""
    assert [entry.name for entry in table.match.played[-3:]] == [
        "play Pi",
        "play Codestral",
        "end",
    ]
    assert table.match.to_move == 1
