"""No answer gives anything away: every answer of whole games over every tool, held to its seat.

`Canary` keeps all answers and checks them after the game against what the seat that was answered
may have known by then; leaks planted on purpose show that it sees.
"""

from __future__ import annotations

import json
import random
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

import pytest

from smashclash_mcp import GAMES, Match, Record
from smashclash_mcp.games import agentbattle, smashclash
from smashclash_mcp.games.agentbattle import text as agent_text
from smashclash_mcp.games.agentbattle import view as agent_view
from smashclash_mcp.games.smashclash import text, view
from smashclash_mcp.server import strict, tools
from smashclash_mcp.tables import Access, Keys, Listed, Reply, Table

from .known import SECRETS, moments
from .pipes import Said, connected, game_id, keys, number, piped

SEED = 8_123_456_789_012_345
WRONG = "xyzzy 12"
"""A text that is no move and is like no card's name."""
RULESETS = [(game.name, ruleset) for game in GAMES.values() for ruleset in game.rulesets]


class LeakError(AssertionError):
    """An answer told a seat something that it may not know."""


class Caller(Protocol):
    async def call(self, tool: str, arguments: dict[str, Any]) -> Said: ...


@dataclass
class Canary:
    """Calls tools and keeps every answer, with the seat that got it and the move it came at."""

    caller: Caller
    ply: int = 0
    over: bool = False
    heard: list[tuple[int | None, int, str, str]] = field(
        default_factory=list[tuple[int | None, int, str, str]]
    )

    async def call(self, seat: int | None, tool: str, **arguments: Any) -> Said:
        answer = await self.caller.call(tool, arguments)
        if tool == "play" and not answer.is_error:
            self.ply = number(answer.text) - 1
            self.over = "\nResult: " in answer.text
        if self.over:  # then all is open
            return answer
        asked = str(arguments.get("move", ""))
        self.heard.append((seat, self.ply, asked, answer.text))
        if answer.data is not None:
            self.heard.append((seat, self.ply, asked, json.dumps(answer.data, ensure_ascii=False)))
        return answer

    def check(self, record: Record) -> None:
        """Raise LeakError for an answer that tells more than its seat may know."""
        secrets = SECRETS[record.setup.game]
        plies = moments(record)
        for seat, ply, asked, told in self.heard:
            for example in secrets.examples:
                told = told.replace(example, "")
            if str(record.setup.seed) in told.replace(",", ""):
                raise LeakError(f"the seed, at ply {ply}: {told}")
            named = secrets.cards_in(told)
            typed = {card for card, name in secrets.names.items() if name in asked}
            may = plies[ply].known[seat] | typed
            if secret := set(named) - may:
                names = [secrets.names[card] for card in secret]
                raise LeakError(f"{names} told to seat {seat} at ply {ply}: {told}")
            for deck in plies[ply].decks:
                if tells_order(told, deck, secrets.ids) or tells_names(named, deck):
                    raise LeakError(f"the deck's order, at ply {ply}: {told}")


def tells_order(told: str, deck: Sequence[int], ids: Any) -> bool:
    """Return whether five cards of a deck are listed in order, as numbers or as ids."""
    if len(deck) < 5:  # four may be a card's sides
        return False
    for names in ([ids[card] for card in deck[:5]], [str(card) for card in deck[:5]]):
        if re.search(r"[ ,]\s*".join(rf"\b{name}\b" for name in names), told):
            return True
    return False


def tells_names(named: Sequence[int], deck: Sequence[int]) -> bool:
    """Return whether the next four cards are named in order, and that is not the set's order."""
    coming = list(deck[:4])
    if len(coming) < 4 or coming == sorted(coming):
        return False
    return any(list(named[at : at + 4]) == coming for at in range(len(named) - 3))


async def ask_about(canary: Canary, seat: int | None, ask: dict[str, Any], wrong: Any) -> None:
    """Ask for everything, and try wrong moves, those with other cards' names among them."""
    for shape in ("text", "json"):
        await canary.call(seat, "get_state", format=shape, **ask)
    for shape in ("text", "list", "json"):
        await canary.call(seat, "legal_moves", format=shape, **ask)
    for move in (*wrong, WRONG):
        await canary.call(seat, "play", move=move, **ask)  # now and then it is legal
    await canary.call(seat, "play", move=WRONG, move_no=1, **ask)
    await canary.call(seat, "play", move=WRONG, move_no=999, **ask)
    await canary.call(None, "list_games")
    await canary.call(seat, "get_replay", **ask)


async def play_and_listen(
    caller: Caller, game: str, ruleset: str, opponent: str, seed: int
) -> Canary:
    """Play a whole game, asking every seat's questions at each move; check all answers."""
    secrets = SECRETS[game]
    canary = Canary(caller)
    choose = random.Random(seed)
    setup = {"game": game, "ruleset": ruleset, "opponent": opponent, "seed": SEED + seed}
    start = await caller.call("new_game", setup | {"hints": True, "deck": ""})
    block = start.text.partition("\n")[2] if opponent == "self" else start.text
    canary.ply = number(block) - 1
    own = 0 if opponent == "house" else "AB".index(block.partition("You are ")[2][0])
    canary.heard.append((own, canary.ply, "", block))
    table = game_id(block)
    ids = keys(start.text) if opponent == "self" else (table,)
    ask = [{"game_id": one} for one in ids]
    while not canary.over:
        name = choose.choice(list(secrets.names.values()))
        for seat, argument in enumerate(ask):
            await ask_about(canary, seat, argument, secrets.move(name))
            legal = (await canary.call(seat, "legal_moves", format="list", **argument)).text
            if moves := legal.splitlines():
                move = "SWAP" if "SWAP" in moves else choose.choice(moves)
                await canary.call(seat, "play", move=move, **argument)
    replay = await caller.call("get_replay", {"game_id": table})
    assert not replay.is_error, replay.text
    canary.check(Record.parse(replay.text))
    return canary


@pytest.mark.parametrize("seed", range(2))
@pytest.mark.parametrize(("game", "ruleset"), RULESETS)
@pytest.mark.parametrize("opponent", ["house", "self"])
async def test_no_answer_gives_away_a_card_the_seed_or_the_decks_order(
    opponent: str, game: str, ruleset: str, seed: int
) -> None:
    async with piped() as pipes:
        canary = await play_and_listen(pipes, game, ruleset, opponent, seed)
    assert len(canary.heard) > 100


# --- planted leaks: the canary is worth something ----------------------------------------------


def hidden_cards(table: Table, seat: int | None) -> list[int]:
    """Return the cards in the other hand of a table."""
    own = table.client_seat if seat is None else seat
    position = table.match.position
    assert isinstance(position, smashclash.Position | agentbattle.Position)
    return list(position.hands[0 if own is None else 1 - own])


def leaks_seed(patch: pytest.MonkeyPatch) -> None:
    honest = tools._render  # pyright: ignore[reportPrivateUsage]

    def render(
        access: Access, reply: Reply, format: str, keys: Keys | None = None
    ) -> strict.Answer:
        answer = honest(access, reply, format, keys)
        return strict.Answer(f"{answer.text}\nseed {access.table.match.setup.seed}", answer.data)

    patch.setattr(tools, "_render", render)


def leaks_the_other_hand(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(view, "_blanked", lambda position, seat, gone: position.copy())  # pyright: ignore
    patch.setattr(agent_view, "_blanked", lambda position, seat: position.copy())  # pyright: ignore
    patch.setattr(  # Agent Battle's block tells only how many cards the other hand holds
        agent_text,
        "_hidden",
        lambda shown, seat: " ".join(agent_text.NAMES[card] for card in shown.hands[seat]),  # pyright: ignore
    )


def leaks_a_card_in_a_refusal(patch: pytest.MonkeyPatch) -> None:
    honest = Table.play

    def play(table: Table, typed: str, seat: int | None = None, move_no: int = 0) -> Reply:
        hidden = hidden_cards(table, seat)
        if typed == WRONG and hidden:
            name = SECRETS[table.match.game.name].names[hidden[0]]
            raise strict.CallError("format", f"no card; did you mean {name}?")
        return honest(table, typed, seat, move_no)

    patch.setattr(Table, "play", play)


def leaks_the_deck_in_the_list(patch: pytest.MonkeyPatch) -> None:
    honest = tools._listed  # pyright: ignore[reportPrivateUsage]

    def listed(game: Listed) -> str:
        decks = SECRETS[game.entry.setup.game].decks(Match(game.entry.setup))
        return f"{honest(game)} {[list(deck) for deck in decks]}"

    patch.setattr(tools, "_listed", listed)


def leaks_a_draw(patch: pytest.MonkeyPatch) -> None:
    honest = text.told

    def told(entry: Any) -> str:
        drawn = [event for event in entry.public if event[0] == "draw"]
        return honest(entry) + "".join(f" drew {text.NAMES[at % 51 + 1]}" for _, _, at in drawn)

    patch.setattr(text, "told", told)


def leaks_the_order_of_the_own_deck(patch: pytest.MonkeyPatch) -> None:
    honest = agent_view.View.__init__

    def init(self: agent_view.View, position: Any, seat: int | None, recent: Any) -> None:
        honest(self, position, seat, recent)
        if seat is not None:
            self.own_deck = list(position.decks[seat][position.tops[seat] :])

    patch.setattr(agent_view.View, "__init__", init)


Plant = Callable[[pytest.MonkeyPatch], None]
ANYWHERE: Sequence[Plant] = (
    leaks_seed,
    leaks_the_other_hand,
    leaks_a_card_in_a_refusal,
    leaks_the_deck_in_the_list,
)
PLANTED: Sequence[tuple[str, Plant]] = (
    *((game, plant) for game in GAMES for plant in ANYWHERE),
    ("smashclash", leaks_a_draw),
    ("agentbattle", leaks_the_order_of_the_own_deck),
)


@pytest.mark.parametrize("opponent", ["house", "self"])
@pytest.mark.parametrize(("game", "plant"), PLANTED)
async def test_a_planted_leak_is_caught(
    game: str, plant: Plant, opponent: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    plant(monkeypatch)
    async with connected("modern") as player:
        caught = False
        try:
            await play_and_listen(player, game, GAMES[game].rulesets[-1], opponent, 1)
        except LeakError:
            caught = True
    assert caught


@pytest.mark.parametrize("game", GAMES)
async def test_the_canary_is_silent_in_memory_without_a_planted_leak(game: str) -> None:
    async with connected("modern") as player:
        await play_and_listen(player, game, GAMES[game].rulesets[0], "self", 1)
