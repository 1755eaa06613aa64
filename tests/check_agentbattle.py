"""Check finished Agent Battle records against a second, independent reading of the rules.

    python tests/check_agentbattle.py FILE...        (`-` reads standard input)

A file holds one JSON record or JSON lines. What is random (the order of both decks) comes from the
record and is checked for validity; all else is worked out here and compared. Of the engine only its
card data is read, no code, so that its slips show. Numbers in comments are sections of the rules.
"""

import json
import re
import sys
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any


class RecordFault(Exception):  # noqa: N818 (a fault of the record, no error of ours)
    """The first thing wrong with a record; ply 0 is the header and the start."""

    def __init__(self, ply: int, message: str) -> None:
        super().__init__(f"ply {ply}: {message}")
        self.ply, self.message = ply, message


# 1 and 2. Seats and sizes
OTHER = {"A": "B", "B": "A"}
DECK, DRAWN, BOARD, COST, LAST_TURN = 8, 3, 3, 2, 16
CORE, EASY_CORE = 30, 20


# 3 and 6. Cards
@dataclass(frozen=True)
class Card:
    """A card of the set, with its base numbers."""

    name: str
    kind: str
    attack: int
    health: int
    speed: int
    effect: str
    target: str
    amount: int


def read_card(row: dict[str, Any]) -> Card:
    """Work a card's numbers out from its stats."""
    stats, ability = row["stats"], row["ability"]
    four = stats["reasoning"] + stats["creativity"] + stats["knowledge"] + stats["speed"]
    return Card(
        name=row["name"],
        kind=row["class"],
        attack=(four + 20) // 40,
        health=(stats["resilience"] + 2) // 5 + 4,
        speed=stats["speed"],
        effect=ability["effect"],
        target=ability.get("target", ""),
        amount=ability.get("amount", 0),
    )


DATA = Path(__file__).parents[1] / "smashclash_mcp" / "games" / "agentbattle" / "cards.toml"
CARDS = {
    row["name"]: read_card(row) for row in tomllib.loads(DATA.read_text(encoding="utf-8"))["card"]
}
PASSIVE = [
    "attack_per",
    "attacks_first",
    "aura_attack",
    "reduce_damage",
    "bonus_vs",
    "ignore_taunt",
]


@dataclass(eq=False)
class Agent:
    """A card on the board."""

    card: Card
    seat: str
    health: int
    buff: int = 0  # below 0: weakened
    shield: bool = False
    new: bool = True  # played in this turn

    def damage(self) -> int:
        """Health lost so far."""
        return self.card.health - self.health

    def passive(self, effect: str, target: str = "") -> int:
        """The amount of this passive ability, 0 if the card has another."""
        fits = self.card.effect == effect and target in ("", self.card.target)
        return self.card.amount if fits else 0


def most_damaged(agents: list[Agent]) -> list[Agent]:
    """The one that lost most, the earlier played on a tie; nobody damaged: none."""
    worst = max(agents, key=Agent.damage)
    return [worst] if worst.damage() > 0 else []


@dataclass
class Game:
    """A running match, and the rules that move it on."""

    decks: dict[str, list[str]]
    start: dict[str, int]
    lesson: bool  # the tutorial: one move at a time is on offer
    cores: dict[str, int] = field(init=False)
    turn: int = 0
    to_move: str | None = "B"  # until the first turn begins
    energy: int = 0
    hands: dict[str, list[str]] = field(default_factory=lambda: {"A": [], "B": []})
    boards: dict[str, list[Agent]] = field(default_factory=lambda: {"A": [], "B": []})
    out: dict[str, list[str]] = field(default_factory=lambda: {"A": [], "B": []})
    blocked: dict[str, int] = field(default_factory=lambda: {"A": 0, "B": 0})
    offered: list[str] = field(default_factory=list[str])  # the tutorial's move
    result: dict[str, Any] = field(default_factory=dict[str, Any])

    def __post_init__(self) -> None:
        self.cores = dict(self.start)
        for seat in OTHER:
            self.draw(seat, DRAWN)
        self.begin_turn("A")

    # 2. A turn
    def draw(self, seat: str, count: int) -> None:
        """Draw from the top; an empty deck gives nothing and costs nothing."""
        deck = self.decks[seat]
        self.hands[seat] += deck[:count]
        del deck[:count]

    def begin_turn(self, seat: str) -> None:
        """Set the energy to the cap of the seat's own turn, and draw."""
        self.turn, self.to_move = self.turn + 1, seat
        own_turn = (self.turn + 1) // 2
        self.energy = min(6, 1 + own_turn)
        for agent in self.boards["A"] + self.boards["B"]:
            agent.new = False
        self.draw(seat, 1)

    def legal(self) -> list[str]:
        """What the seat to move may do, in canonical order."""
        if self.to_move is None:
            return []
        room = self.energy >= COST and len(self.boards[self.to_move]) < BOARD
        return [f"play {card}" for card in self.hands[self.to_move] if room] + ["end"]

    def play(self, seat: str, move: str) -> None:
        """Make a legal move: play a card or end the turn."""
        if move == "end":
            self.attack(seat)
            if self.to_move and self.turn == LAST_TURN:
                self.finish(f"turn {LAST_TURN}")
            elif self.to_move:
                self.begin_turn(OTHER[seat])
            return
        name = move.removeprefix("play ")
        self.energy -= COST
        self.hands[seat].remove(name)
        agent = Agent(CARDS[name], seat, CARDS[name].health)
        self.boards[seat].append(agent)
        self.trait(agent)
        if self.to_move and agent.card.effect not in PASSIVE:
            if self.blocked[seat]:
                self.blocked[seat] -= 1
            else:
                self.ability(agent)

    # 3. Numbers
    def attack_now(self, agent: Agent) -> int:
        """Base, synergy, auras, passives and buffs of the agents that stand right now."""
        own, enemies = self.boards[agent.seat], self.boards[OTHER[agent.seat]]
        total = agent.card.attack + agent.buff
        for other in own:
            if other is not agent:
                total += other.card.kind == agent.card.kind
                total += other.card.kind == "Orchestrator"
                total += other.passive("aura_attack")
        match agent.card.target:
            case "any_ally":
                count = len(own)
            case "damaged_enemy":
                count = sum(enemy.damage() > 0 for enemy in enemies)
            case kind:
                count = sum(ally.card.kind == kind for ally in own)
        return max(0, total + agent.passive("attack_per") * count)

    def hurt(self, agent: Agent, damage: int) -> None:
        """Damage of any kind to an agent; who is at 0 leaves only with `clear`."""
        if damage > 0:
            lowered = agent.passive("reduce_damage")
            damage = max(1, damage - lowered) if lowered else damage
            if agent.shield:
                agent.shield = False
            else:
                agent.health -= damage

    def clear(self) -> None:
        """Remove all knocked-out agents together, then look at both cores once."""
        for seat, board in self.boards.items():
            self.out[seat] += [agent.card.name for agent in board if agent.health <= 0]
            self.boards[seat] = [agent for agent in board if agent.health > 0]
        if 0 in self.cores.values():
            self.finish("core destroyed")

    def hurt_core(self, seat: str, damage: int) -> None:
        """Damage to a core, which never shows less than 0."""
        self.cores[seat] = max(0, self.cores[seat] - damage)

    # 4. Attack
    def attack(self, seat: str) -> None:
        """All agents that are not new attack, in an order fixed now."""
        ready = [agent for agent in self.boards[seat] if not agent.new]
        ready.sort(key=lambda agent: (agent.card.effect != "attacks_first", -agent.card.speed))
        for agent in ready:
            for _ in range(2 if agent.card.kind == "Multimodal" else 1):
                if self.to_move:
                    self.hit(agent)

    def hit(self, agent: Agent) -> None:
        """One hit, at a target chosen anew."""
        damage = self.attack_now(agent)
        if agent.card.kind == "Multimodal":
            damage = (damage + 1) // 2
        enemies = self.boards[OTHER[agent.seat]]
        guardians = [enemy for enemy in enemies if enemy.card.kind == "Guardian"]
        if agent.card.effect == "ignore_taunt":
            guardians = []
        if enemies:
            target = min(guardians or enemies, key=lambda enemy: enemy.health)
            damage += 2 if agent.card.kind == "Reasoner" else 0
            if target.card.kind == "Guardian":
                damage += agent.passive("bonus_vs", "guardian")
            if target.damage() > 0:
                damage += agent.passive("bonus_vs", "damaged")
            self.hurt(target, damage)
        else:
            self.hurt_core(OTHER[agent.seat], damage + agent.passive("bonus_vs", "core"))
        self.clear()

    # 5. Class traits that fire on play
    def trait(self, agent: Agent) -> None:
        """Fire the class trait of an agent that enters."""
        match agent.card.kind:
            case "Creator":
                self.hurt_core(OTHER[agent.seat], 2)
            case "Coder":
                for ally in most_damaged(self.boards[agent.seat]):
                    self.heal(ally, 4)
            case "Researcher":
                self.draw(agent.seat, 1)
            case _:
                pass
        self.clear()

    def heal(self, agent: Agent, amount: int) -> None:
        """Heal an agent, never above its full health."""
        agent.health = min(agent.card.health, agent.health + amount)

    # 6. Printed abilities that fire on play
    def targets(self, agent: Agent) -> list[Agent]:
        """The agents that the ability of this one names."""
        own, enemies = self.boards[agent.seat], self.boards[OTHER[agent.seat]]
        match agent.card.target:
            case "self":
                return [agent]
            case "other_allies":
                return [ally for ally in own if ally is not agent]
            case "most_damaged_ally":
                return most_damaged(own)
            case "all_enemies":
                return list(enemies)
            case "newest_enemy":
                return enemies[-1:]
            case "lowest_health_enemy":
                return sorted(enemies, key=lambda enemy: enemy.health)[:1]
            case "highest_attack_enemy":
                return sorted(enemies, key=lambda enemy: -self.attack_now(enemy))[:1]
            case unknown:
                raise ValueError(f"card data: no target {unknown!r} for {agent.card.effect}")

    def ability(self, agent: Agent) -> None:
        """Fire the printed on-play ability of an agent that enters."""
        seat, other, amount = agent.seat, OTHER[agent.seat], agent.card.amount
        match agent.card.effect:
            case "core_damage":
                self.hurt_core(other, amount)
                if agent.card.target == "both_cores":
                    self.hurt_core(seat, amount)
            case "heal_core":
                self.cores[seat] = min(self.start[seat], self.cores[seat] + amount)
            case "draw":
                self.draw(seat, amount)
            case "block_next":
                self.blocked[other] += amount
            case "damage_all":
                for enemy in self.boards[other]:
                    self.hurt(enemy, amount)
            case "heal_all":
                for ally in self.boards[seat]:
                    self.heal(ally, amount)
            case "damage":
                for target in self.targets(agent):
                    self.hurt(target, amount)
            case "heal":
                for target in self.targets(agent):
                    self.heal(target, amount)
            case "shield":
                for target in self.targets(agent):
                    target.shield = True
            case "buff_attack":
                for target in self.targets(agent):
                    target.buff += amount
            case "weaken":
                for target in self.targets(agent):
                    target.buff -= amount
            case unknown:
                raise ValueError(f"card data: no effect {unknown!r}")
        self.clear()

    # 7. Ends
    def finish(self, reason: str, loser: str | None = None) -> None:
        """End the match; the loser is the one given, else the seat with less core health does."""
        if loser is None and self.cores["A"] != self.cores["B"]:
            loser = min(OTHER, key=self.cores.__getitem__)
        score = dict(self.cores)
        winner = None if reason == "lapsed" else loser and OTHER[loser]
        self.result = {"winner": winner, "reason": reason, "score": score}
        self.to_move = None

    def shown(self, agent: Agent) -> dict[str, Any]:
        """An agent as a record tells it."""
        card: dict[str, Any] = {"card": agent.card.name, "class": agent.card.kind}
        card |= {"attack": self.attack_now(agent), "health": agent.health}
        return card | {
            "full_health": agent.card.health,
            "shield": agent.shield,
            "new": agent.new,
        }

    def state(self) -> dict[str, Any]:
        """The state as a record tells it."""
        state: dict[str, Any] = {"turn": self.turn, "to_move": self.to_move, "energy": self.energy}
        state |= {"cores": self.cores, "hands": self.hands, "out": self.out}
        state |= {"decks": {seat: len(deck) for seat, deck in self.decks.items()}}
        state |= {"boards": {s: [self.shown(a) for a in b] for s, b in self.boards.items()}}
        return state | {"blocked": self.blocked, "legal": self.legal()}


# The record: of each header field the type, or the values allowed
HEADER: dict[str, Any] = (
    {"format": ["smashclash-mcp record 1"], "game": ["agentbattle"], "rules_version": [2]}
    | {"ruleset": ["standard", "all_cards"], "seed": [int], "seed_source": ["given", "drawn"]}
    | {"seats": [dict], "level": ["", "easy", "normal", "hard", "tutorial"]}
    | {"decks": [dict], "hints": [bool], "first": ["A"]}
    | {"result": [dict], "start": [dict], "moves": [list]}
)
HOUSE = {"house": ["A", "B"]}  # only where there is one


def text(value: Any) -> str:
    """One spelling per JSON value; unlike ==, it tells 1, 1.0 and true apart."""
    return json.dumps(value, sort_keys=True, ensure_ascii=False)


def same(ply: int, what: str, expected: Any, recorded: Any) -> None:
    """Raise the fault that shows both values, unless they are the same."""
    if text(expected) != text(recorded):
        raise RecordFault(ply, f"{what}: expected {text(expected)}, recorded {text(recorded)}")


def keys(ply: int, what: str, value: Any, *expected: str) -> None:
    """The value must be an object with exactly these keys."""
    same(ply, f"keys of {what}", sorted(expected), sorted(value) if type(value) in [dict] else 0)


def leaves(ply: int, what: str, expected: Any, found: Any) -> Iterator[tuple[str, Any, Any]]:
    """Walk into objects and lists of objects, for faults that name the spot."""
    if type(expected) in [dict]:
        keys(ply, what, found, *expected)
        for key, value in expected.items():
            yield from leaves(ply, f"{what}.{key}", value, found[key])
    elif what.startswith("state.boards.") and type(expected) in [list]:
        size = len(found) if type(found) in [list] else None
        same(ply, f"number of agents in {what}", len(expected), size)
        for number, (agent, other) in enumerate(zip(expected, found, strict=True), 1):
            yield from leaves(ply, f"{what}.{number}", agent, other)
    else:
        yield what, expected, found


def check_deck(seat: str, typed: Any, shuffled: Any) -> None:
    """Both spellings of a deck must hold the same eight different cards of the set."""
    names: Any = typed.split(", ") if type(typed) in [str] else []
    for what, deck in [("decks", names), ("start decks", shuffled)]:
        known = type(deck) in [list] and all(type(c) in [str] and c in CARDS for c in deck)
        if not known or len(deck) != DECK or len({*deck}) != DECK:
            raise RecordFault(0, f"{what}: not 8 different cards for {seat}: {text(deck)}")
    same(0, f"cards of the start deck of {seat}", sorted(names), sorted(shuffled))


def deal(record: Any) -> Game:
    """Check the header; then the match from the recorded decks."""
    header = HEADER | HOUSE if type(record) in [dict] and "house" in record else HEADER
    if type(record) in [dict] and "tries" in record:  # only told: nothing else follows from them
        header = header | {"tries": (dict,)}
    keys(0, "the record", record, *header)
    for key, allowed in header.items():
        value = record[key]
        # Neither isinstance() nor ==: true is no seed and no version.
        if type(value) not in allowed and repr(value) not in map(repr, allowed):
            raise RecordFault(0, f"{key} is {text(value)}, not {allowed}")
    keys(0, "seats", record["seats"], *OTHER)
    same(0, "types of seats", ["str"] * 2, [type(n).__name__ for n in record["seats"].values()])
    keys(0, "start", record["start"], "decks", "state")
    decks = record["start"]["decks"]
    keys(0, "decks", record["decks"], *OTHER)
    keys(0, "start decks", decks, *OTHER)
    for seat in OTHER:
        check_deck(seat, record["decks"][seat], decks[seat])
    level, house = record["level"], record.get("house", "")
    if bool(level) != bool(house):
        raise RecordFault(0, f"level {text(level)} does not go with house {text(house)}")
    start = {seat: EASY_CORE if level == "easy" and seat == house else CORE for seat in OTHER}
    game = Game({seat: list(decks[seat]) for seat in OTHER}, start, level == "tutorial")
    check_state(game, 0, record["start"]["state"])
    return game


def check_state(game: Game, ply: int, recorded: Any) -> None:
    """Compare a recorded state with ours; of the tutorial's legal moves any one will do."""
    expected = game.state()
    keys(ply, "state", recorded, *expected)
    legal, found = expected["legal"], recorded["legal"]
    if game.lesson and legal:
        if type(found) not in [list] or len(found) != 1 or found[0] not in legal:
            raise RecordFault(ply, f"legal: expected one of {text(legal)}, recorded {text(found)}")
        game.offered = expected["legal"] = found
    elif type(found) in [list]:
        missing = [move for move in legal if move not in found]
        extra = [move for move in found if move not in legal]
        if missing or extra:
            raise RecordFault(ply, f"legal moves differ: missing {missing}, extra {extra}")
    for what, ours, theirs in leaves(ply, "state", expected, recorded):
        same(ply, what, ours, theirs)


def check_row(game: Game, ply: int, row: Any) -> None:
    """Check one entry of the moves list and make its move."""
    keys(ply, "the row", row, "ply", "seat", "move", "state")
    same(ply, "ply number", ply, row["ply"])
    seat, move = row["seat"], row["move"]
    if game.to_move is None:
        raise RecordFault(ply, f"a row after the end of the match: {text(move)}")
    if move == "resign" and seat in list(OTHER):
        game.finish("resignation", loser=seat)
    elif move in ("timeout", "lapse") and seat == game.to_move:
        game.finish({"timeout": "timeout", "lapse": "lapsed"}[move], loser=seat)
    else:
        same(ply, "seat", game.to_move, seat)
        legal = game.offered if game.lesson else game.legal()
        if move not in legal:
            raise RecordFault(ply, f"illegal move {text(move)}; legal: {text(legal)}")
        game.play(seat, move)
    check_state(game, ply, row["state"])


def check(record: dict[str, Any]) -> None:
    """Raise RecordFault at the first thing wrong with a finished match's record."""
    game = deal(record)
    for ply, row in enumerate(record["moves"], 1):
        check_row(game, ply, row)
    last = len(record["moves"])
    if game.to_move is not None:
        raise RecordFault(last, f"the record stops, but {game.to_move} is still to move")
    for what, ours, theirs in leaves(last, "result", game.result, record["result"]):
        same(last, what, ours, theirs)


def load(source: str) -> list[Any]:
    """The records of a file: one JSON value, or one on each line."""
    try:
        return [json.loads(source)]
    except ValueError:
        return [json.loads(line) for line in re.split(r"\s*\n\s*", source.strip())]


def main(paths: list[str]) -> int:
    """Print one line for each record; 1 if any is bad."""
    status = 0
    for path in paths:
        label = path
        try:
            raw = sys.stdin.buffer.read() if path == "-" else Path(path).read_bytes()
            records = load(raw.decode("utf-8"))
            for number, record in enumerate(records, 1):
                label = f"{path}:{number}" if len(records) > 1 else path
                check(record)
                seat, reason, score = (record["result"][k] for k in ("winner", "reason", "score"))
                cores = f"{score[seat or 'A']}-{score[OTHER[seat or 'A']]} ({reason})"
                outcome = f"{seat} wins {cores}" if seat else f"draw {cores}"
                print(f"ok {label}: {len(record['moves'])} moves, {outcome}")
        except (RecordFault, ValueError, OSError) as fault:
            print(f"bad {label}: {fault}")
            status = 1
    return status


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]) if sys.argv[1:] else __doc__)
