"""The checker of Agent Battle records: it passes real ones and finds each planted fault."""

from __future__ import annotations

import functools
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from smashclash_mcp import GreedyPlayer, Match, RandomPlayer, Setup, to_json
from smashclash_mcp.games import get_game
from tests import check_agentbattle

Facts = dict[str, Any]
RULESETS = ("standard", "all_cards")


def played(setup: Setup, resign_at: int | None = None) -> Facts:
    """Return the record of a match between two simple players, a different pair for each seed."""
    match = Match(setup)
    pair = (GreedyPlayer(), RandomPlayer())
    seats = (pair[setup.seed % 2], pair[setup.seed // 2 % 2])
    while match.to_move is not None:
        if len(match.played) == resign_at:
            match.resign(setup.seed % 2)
            break
        view = match.view(match.to_move)
        match.play(seats[match.to_move].choose(view, match.dice.derive("player", view.ply)))
    return to_json(match.record())


@functools.cache
def source(reason: str) -> str:
    """Return the first real record that ends so, as JSON."""
    for seed in range(500):
        facts = played(Setup("agentbattle", "all_cards", seed))
        if facts["result"]["reason"] == reason and facts["result"]["winner"]:
            return json.dumps(facts)
    raise AssertionError(reason)


def real(reason: str = "turn 16") -> Facts:
    """Return a fresh copy of that record, to damage."""
    return json.loads(source(reason))


def caught(facts: Facts) -> check_agentbattle.RecordFault:
    """Return the fault that the checker finds."""
    with pytest.raises(check_agentbattle.RecordFault) as found:
        check_agentbattle.check(facts)
    return found.value


# --- sound records ------------------------------------------------------------------------------


@pytest.mark.parametrize("ruleset", RULESETS)
@pytest.mark.parametrize("block", range(3))
def test_real_matches_pass(ruleset: str, block: int) -> None:
    for seed in range(block * 50, block * 50 + 50):
        check_agentbattle.check(played(Setup("agentbattle", ruleset, seed)))


@pytest.mark.parametrize("house", [0, 1])
def test_matches_against_an_easy_house_pass(house: int) -> None:
    for seed in range(10):
        facts = played(Setup("agentbattle", "standard", seed, level="easy", house=house))
        assert facts["start"]["state"]["cores"]["AB"[house]] == 20
        check_agentbattle.check(facts)


def test_a_resignation_of_either_seat_at_any_ply_passes() -> None:
    for seed in range(10):
        facts = played(Setup("agentbattle", "all_cards", seed), resign_at=seed)
        assert facts["moves"][-1]["move"] == "resign"
        check_agentbattle.check(facts)


def lesson() -> Facts:
    """Return the record of a match in which only the move that was made was on offer."""
    facts = real()
    facts["level"], facts["house"] = "tutorial", "B"
    states = [facts["start"]["state"], *(row["state"] for row in facts["moves"])]
    for before, row in zip(states, facts["moves"], strict=False):
        before["legal"] = [row["move"]]
    return facts


def test_a_tutorial_with_one_legal_move_at_a_time_passes() -> None:
    check_agentbattle.check(lesson())


@pytest.mark.parametrize("legal", [[], ["end", "end"], ["play Pi at once"], "end"])
def test_a_tutorial_that_offers_no_single_legal_move_is_found(legal: Any) -> None:
    facts = lesson()
    facts["moves"][2]["state"]["legal"] = legal
    assert caught(facts).ply == 3


def test_a_tutorial_move_that_was_not_on_offer_is_found() -> None:
    facts = lesson()
    row = next(row for row in facts["moves"] if row["move"] != "end")
    row["move"] = "end"
    assert caught(facts).ply == row["ply"]


# --- the header and the start -------------------------------------------------------------------


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("format", "smashclash-mcp record 2"),
        ("game", "smashclash"),
        ("rules_version", 1),
        ("rules_version", 2.0),
        ("ruleset", "mutators"),
        ("seed", "7"),
        ("seed", True),
        ("seed_source", "guessed"),
        ("seats", {"A": "x"}),
        ("seats", {"A": "x", "B": 1}),
        ("level", "brutal"),
        ("level", "easy"),
        ("house", "C"),
        ("house", "B"),
        ("decks", {"A": "Pi"}),
        ("decks", {"A": 1, "B": 2}),
        ("hints", 0),
        ("first", "B"),
        ("result", None),
        ("start", []),
        ("moves", {}),
    ],
)
def test_a_header_field_that_cannot_be_is_found(key: str, value: Any) -> None:
    facts = real()
    facts[key] = value
    assert caught(facts).ply == 0


@pytest.mark.parametrize("key", check_agentbattle.HEADER)
def test_a_header_field_that_is_missing_is_found(key: str) -> None:
    facts = real()
    del facts[key]
    assert "keys of the record" in caught(facts).message


def test_a_house_without_its_level_and_a_level_without_its_house_are_found() -> None:
    for key, value in (("house", "B"), ("level", "normal")):
        assert "does not go with" in caught(real() | {key: value}).message


@pytest.mark.parametrize("place", ["decks", "start", "both"])
@pytest.mark.parametrize("change", ["twice", "unknown", "short"])
def test_a_deck_that_breaks_a_rule_is_found(place: str, change: str) -> None:
    facts = real()
    deck = list(facts["start"]["decks"]["B"])
    deck[7:] = {"twice": [deck[0]], "unknown": ["HAL 9000"], "short": []}[change]
    if place != "start":
        facts["decks"]["B"] = ", ".join(deck)
    if place != "decks":
        facts["start"]["decks"]["B"] = deck
    assert "not 8 different cards" in caught(facts).message


def test_a_start_deck_of_other_cards_is_found() -> None:
    facts = real()
    deck = facts["start"]["decks"]["A"]
    deck[7] = next(card for card in check_agentbattle.CARDS if card not in deck)
    assert "cards of the start deck" in caught(facts).message


def test_an_easy_house_with_a_full_core_is_found() -> None:
    facts = real()
    facts["level"], facts["house"] = "easy", "B"
    assert caught(facts).message.startswith("state.cores.B: expected 20")


# --- the states ---------------------------------------------------------------------------------


def state_of(facts: Facts, key: str) -> Facts:
    """Return the first state in which this list or number is not empty for a seat."""
    return next(row["state"] for row in facts["moves"] if any(row["state"][key].values()))


def an_agent(facts: Facts) -> Facts:
    """Return an agent as a state shows it."""
    boards = state_of(facts, "boards")["boards"]
    return (boards["A"] or boards["B"])[0]


def add(name: str, amount: int) -> Callable[[Facts], None]:
    """Return a damage that changes a number of an agent."""

    def damage(facts: Facts) -> None:
        an_agent(facts)[name] += amount

    return damage


def flip(name: str) -> Callable[[Facts], None]:
    """Return a damage that changes a flag of an agent."""

    def damage(facts: Facts) -> None:
        an_agent(facts)[name] ^= True

    return damage


def put(value: Any, *path: Any) -> Callable[[Facts], None]:
    """Return a damage that sets one value in the third move's row."""

    def damage(facts: Facts) -> None:
        place = facts["moves"][2]
        for key in path[:-1]:
            place = place[key]
        assert place[path[-1]] != value
        place[path[-1]] = value

    return damage


def wrong_draw(facts: Facts) -> None:
    hand = next(row["state"]["hands"] for row in facts["moves"] if row["move"] == "end")["B"]
    hand[-1] = facts["start"]["decks"]["B"][-1]


def hand_in_another_order(facts: Facts) -> None:
    facts["start"]["state"]["hands"]["A"].reverse()


def legal_move_missing(facts: Facts) -> None:
    facts["start"]["state"]["legal"].pop(0)


def legal_move_too_many(facts: Facts) -> None:
    facts["moves"][0]["state"]["legal"].append("resign")


def legal_list_in_another_order(facts: Facts) -> None:
    facts["start"]["state"]["legal"].reverse()


def agent_gone(facts: Facts) -> None:
    boards = state_of(facts, "boards")["boards"]
    boards["A"], boards["B"] = [], []


def agent_without_class(facts: Facts) -> None:
    del an_agent(facts)["class"]


def boards_in_another_order(facts: Facts) -> None:
    boards = [board for row in facts["moves"] for board in row["state"]["boards"].values()]
    next(board for board in boards if len(board) > 1).reverse()


def out_list_forgotten(facts: Facts) -> None:
    state = state_of(facts, "out")
    state["out"] = {"A": [], "B": []}


def state_field_missing(facts: Facts) -> None:
    del facts["moves"][3]["state"]["blocked"]


def state_field_too_many(facts: Facts) -> None:
    facts["moves"][3]["state"]["weather"] = "fine"


def seat_missing_in_cores(facts: Facts) -> None:
    del facts["moves"][3]["state"]["cores"]["B"]


def state_of_the_ply_before(facts: Facts) -> None:
    facts["moves"][5]["state"] = facts["moves"][4]["state"]


STATES: dict[str, Callable[[Facts], None]] = {
    "attack": add("attack", 1),
    "health": add("health", -1),
    "full health": add("full_health", 1),
    "health as a float": add("health", 0.0),  # type: ignore[arg-type]
    "shield": flip("shield"),
    "new": flip("new"),
    "turn": put(16, "state", "turn"),
    "to move": put(None, "state", "to_move"),
    "energy": put(7, "state", "energy"),
    "core": put(11, "state", "cores", "A"),
    "cards left": put(0, "state", "decks", "B"),
    "out": put(["Pi"], "state", "out", "B"),
    "blocked": put(3, "state", "blocked", "A"),
    "no state": put(None, "state"),
    "board of a wrong type": put({}, "state", "boards", "A"),
    "legal of a wrong type": put("end", "state", "legal"),
}
MORE_STATES = (
    wrong_draw,
    hand_in_another_order,
    legal_move_missing,
    legal_move_too_many,
    legal_list_in_another_order,
    agent_gone,
    agent_without_class,
    boards_in_another_order,
    out_list_forgotten,
    state_field_missing,
    state_field_too_many,
    seat_missing_in_cores,
    state_of_the_ply_before,
)
STATES.update({damage.__name__: damage for damage in MORE_STATES})


@pytest.mark.parametrize("name", STATES)
def test_a_damaged_state_is_found(name: str) -> None:
    facts = real()
    STATES[name](facts)
    assert json.dumps(facts) != source("turn 16")
    caught(facts)


# --- moves and result ---------------------------------------------------------------------------


def move_of_the_other_seat(facts: Facts) -> None:
    facts["moves"][0]["seat"] = "B"


def card_that_is_not_in_the_hand(facts: Facts) -> None:
    facts["moves"][0]["move"] = f"play {facts['start']['decks']['A'][-1]}"


def move_of_a_wrong_type(facts: Facts) -> None:
    facts["moves"][0]["move"] = ["end"]


def card_without_the_energy(facts: Facts) -> None:
    row = next(row for row in facts["moves"] if row["state"]["legal"] == ["end"])
    hand = row["state"]["hands"][row["state"]["to_move"]]
    facts["moves"][row["ply"]]["move"] = f"play {hand[0]}"


def ply_number(facts: Facts) -> None:
    facts["moves"][4]["ply"] = 6


def row_with_a_field_too_many(facts: Facts) -> None:
    facts["moves"][4]["clock"] = 3


def row_dropped(facts: Facts) -> None:
    del facts["moves"][4]


def last_row_dropped(facts: Facts) -> None:
    facts["moves"].pop()


def move_after_the_end(facts: Facts) -> None:
    facts["moves"].append(facts["moves"][-1] | {"ply": len(facts["moves"]) + 1})


def resignation_after_the_end(facts: Facts) -> None:
    row = {"ply": len(facts["moves"]) + 1, "move": "resign"}
    facts["moves"].append(facts["moves"][-1] | row)


def resignation_of_nobody(facts: Facts) -> None:
    facts["moves"][-1] |= {"move": "resign", "seat": None}


def winner(facts: Facts) -> None:
    facts["result"]["winner"] = check_agentbattle.OTHER[facts["result"]["winner"]]


def draw(facts: Facts) -> None:
    facts["result"]["winner"] = None


def reason(facts: Facts) -> None:
    facts["result"]["reason"] = "resignation"


def score(facts: Facts) -> None:
    facts["result"]["score"]["A"] += 1


def result_without_score(facts: Facts) -> None:
    del facts["result"]["score"]


MOVES = (
    move_of_the_other_seat,
    card_that_is_not_in_the_hand,
    move_of_a_wrong_type,
    card_without_the_energy,
    ply_number,
    row_with_a_field_too_many,
    row_dropped,
    last_row_dropped,
    move_after_the_end,
    resignation_after_the_end,
    resignation_of_nobody,
    winner,
    draw,
    reason,
    score,
    result_without_score,
)


@pytest.mark.parametrize("damage", MOVES)
@pytest.mark.parametrize("end", ["turn 16", "core destroyed"])
def test_a_damaged_move_or_result_is_found(end: str, damage: Callable[[Facts], None]) -> None:
    facts = real(end)
    damage(facts)
    caught(facts)


def test_a_core_below_0_is_found() -> None:
    facts = real("core destroyed")
    cores = facts["moves"][-1]["state"]["cores"]
    loser = check_agentbattle.OTHER[facts["result"]["winner"]]
    assert cores[loser] == 0
    cores[loser] = -1
    assert caught(facts).message.startswith(f"state.cores.{loser}")


def test_a_resignation_that_the_resigner_wins_is_found() -> None:
    facts = played(Setup("agentbattle", "all_cards", 3), resign_at=5)
    facts["result"]["winner"] = facts["moves"][-1]["seat"]
    assert "result.winner" in caught(facts).message


# --- the command --------------------------------------------------------------------------------


def test_every_ruleset_of_the_game_is_known_to_the_checker() -> None:
    assert sorted(get_game("agentbattle").rulesets) == sorted(RULESETS)
    assert check_agentbattle.HEADER["ruleset"] == list(RULESETS)


def test_the_command_tells_good_from_bad(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    good, bad = tmp_path / "good.jsonl", tmp_path / "bad.json"
    good.write_text(source("turn 16") + "\n" + source("core destroyed") + "\n", encoding="utf-8")
    facts = real()
    winner(facts)
    bad.write_text(json.dumps(facts, indent=1), encoding="utf-8")
    assert check_agentbattle.main([str(good)]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert [line.split()[0] for line in lines] == ["ok", "ok"]
    assert lines[1].endswith("(core destroyed)")
    assert check_agentbattle.main([str(bad)]) == 1
    assert "result.winner" in capsys.readouterr().out


def test_the_checker_shares_no_code_with_the_engine() -> None:
    code = Path(check_agentbattle.__file__).read_text(encoding="utf-8")
    lines = [line for line in code.splitlines() if line.startswith(("import", "from"))]
    assert not [line for line in lines if "smashclash_mcp" in line or "tests" in line]
