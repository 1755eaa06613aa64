"""One finished or running game: a Match that is played, and its record as text or JSON.

A record is the setup and the moves; everything else follows from them, so reading one back plays
it again and checks every move and the result.
"""

from __future__ import annotations

import json
import re
import unicodedata
from dataclasses import dataclass
from typing import Any, NamedTuple

from .games import get_game
from .games.base import (
    PASS,
    RESIGN,
    SEAT_NAMES,
    STOPS,
    Decks,
    Dice,
    Event,
    Move,
    Outcome,
    Played,
    Seat,
    View,
)

FORMAT = "smashclash-mcp record 1"
SEED_SOURCES = ("given", "drawn")
NAME_LENGTH = 24
RUNNING = "running"
"""The result of a record whose game is not over."""


class RecordError(ValueError):
    """A record that cannot be read or does not hold; `ply` is the first bad one, 0 the header."""

    def __init__(self, message: str, ply: int = 0) -> None:
        super().__init__(f"ply {ply}: {message}" if ply else message)
        self.ply = ply


def clean_name(name: str) -> str:
    """Return a name that people gave as data: 24 visible characters, no control or bidi marks."""
    name = unicodedata.normalize("NFC", name)
    kept = "".join(c for c in name if unicodedata.category(c)[0] not in "CZ" or c == " ")
    return " ".join(kept.replace('"', "'").split())[:NAME_LENGTH].rstrip()


@dataclass(frozen=True, slots=True)
class Setup:
    """All that decides a game but its moves.

    Raises ValueError for an unknown game or ruleset, and for decks that break a rule.
    """

    game: str
    ruleset: str
    seed: int
    seed_source: str = "given"
    seats: tuple[str, str] = ("A", "B")
    """Who sits there, as data: cleaned names."""
    level: str = ""
    """The house's level, empty without a house."""
    house: Seat | None = None
    """The seat of the house, None without one."""
    decks: Decks = ("", "")
    """What the seats play with, in games that have decks: read by the game and written in full."""
    hints: bool = False

    def __post_init__(self) -> None:
        game = get_game(self.game)
        if self.ruleset not in game.rulesets:
            raise ValueError(f"unknown ruleset: write one of {', '.join(game.rulesets)}")
        if self.seed_source not in SEED_SOURCES:
            raise ValueError(f"seed source is one of {', '.join(SEED_SOURCES)}")
        dice = Dice(self.seed)
        decks = game.read_decks(self.decks, self.ruleset, dice, self.level, self.house)
        object.__setattr__(self, "decks", decks)  # as a frozen dataclass completes itself
        for name in self.seats:
            if name != clean_name(name):
                raise ValueError(f"a seat's name is cleaned by clean_name: {clean_name(name)!r}")


class Tries(NamedTuple):
    """How often a seat sent what was refused as a move: against the rules, or not readable."""

    illegal: int = 0
    unreadable: int = 0


NO_TRIES = (Tries(), Tries())


class Match:
    """One game being played: its position, its dice, and the entries of its record."""

    def __init__(self, setup: Setup) -> None:
        self.setup = setup
        self.game = get_game(setup.game)
        self.dice = Dice(setup.seed)
        self.position = self.game.new(
            setup.ruleset, self.dice, setup.decks, setup.level, setup.house
        )
        self.first = self.position.to_move or 0
        self.played: list[Played] = []

    @property
    def to_move(self) -> Seat | None:
        """The seat to move, None when the game is over."""
        return self.position.to_move

    def outcome(self) -> Outcome | None:
        """Return how the game ended, None while it runs."""
        return self.position.outcome()

    def view(self, seat: Seat | None) -> View:
        """Return what a seat may know, with what happened from its last decision on."""
        return self.position.view(seat, self.recent(seat))

    def recent(self, seat: Seat | None) -> list[Played]:
        """Return the entries from the seat's last own move on; a spectator's: the last turn's."""
        last = len(self.played)
        if seat is None and self.played:
            seat = self.played[-1].seat
            while last and self.played[last - 1].seat == seat:
                last -= 1
            return self.played[last:]
        for last in range(len(self.played) - 1, -1, -1):
            entry = self.played[last]
            if entry.seat == seat and entry.name != PASS:
                while last and self.played[last - 1].seat == seat:
                    last -= 1
                return self.played[last:]
        return list(self.played)

    def play(self, move: Move) -> list[Played]:
        """Play a legal move and the passes that follow; return their entries.

        Raises ValueError for a move that is not legal: take moves from a View.
        """
        seat = self.position.to_move
        if seat is None or move not in self.position.legal_moves():
            raise ValueError(f"{self.game.move_names[move]} is not legal here")
        public = self.position.play(move, self.dice).public
        return self._write(seat, self.game.move_names[move], public)

    def resign(self, seat: Seat) -> list[Played]:
        """End the game with a loss for `seat`. Raises ValueError when it is over."""
        return self.stop(RESIGN, seat)

    def stop(self, name: str, seat: Seat) -> list[Played]:
        """End the game by one of `STOPS`.

        Only the seat to move can run out of time, and a lapse is written down as its entry.
        Raises ValueError for another seat, or when the game is over.
        """
        if self.position.to_move is None:
            raise ValueError("the game is over")
        if name != RESIGN and seat != self.position.to_move:
            raise ValueError(f"{SEAT_NAMES[self.position.to_move]} is to move")
        return self._write(seat, name, self.position.stop(name, seat).public)

    def follow(self, ply: int, seat: Seat, name: str) -> None:
        """Play an entry of a record. Raises RecordError when it is not what can be played here."""
        if ply <= len(self.played):  # a pass that followed the last move by itself
            passed = self.played[ply - 1]
            if (passed.seat, passed.name) != (seat, name):
                raise RecordError(f"expected {SEAT_NAMES[passed.seat]} {passed.name}", ply)
            return
        if ply > len(self.played) + 1:
            raise RecordError("an entry is missing before it", ply)
        if self.to_move is None:
            raise RecordError("the game is over", ply)
        if name in STOPS:
            try:
                self.stop(name, seat)
            except ValueError as error:
                raise RecordError(str(error), ply) from None
            return
        move = self.game.moves_by_name.get(name)
        if move is None:
            raise RecordError("no move is called that", ply)
        if seat != self.to_move:
            raise RecordError(f"{SEAT_NAMES[self.to_move]} is to move", ply)
        if move not in self.position.legal_moves():
            raise RecordError(f"{name} is not legal", ply)
        self.play(move)

    def _write(self, seat: Seat, name: str, public: list[Event]) -> list[Played]:
        entries: list[Played] = []
        events: list[Event] = []
        for event in [*public, (PASS, -1)]:
            if event[0] == PASS:
                ply = len(self.played) + 1
                self.played.append(Played(ply, seat, name, tuple(events)))
                entries.append(self.played[-1])
                seat, name, events = int(event[1]), PASS, []
            else:
                events.append(event)
        return entries

    def record(self) -> Record:
        """Return the record of the game so far."""
        moves = tuple((entry.seat, entry.name) for entry in self.played)
        return Record(self.setup, self.game.rules_version, self.first, _result(self), moves)


@dataclass(frozen=True, slots=True)
class Record:
    """A game as setup and moves, with the result it claims (`running` while it has none)."""

    setup: Setup
    rules_version: int
    first: Seat
    result: str
    moves: tuple[tuple[Seat, str], ...]
    tries: tuple[Tries, Tries] = NO_TRIES
    """What seats A and B sent that was refused; told where anything was, and not checked."""

    def text(self) -> str:
        """Return the record as short text: a header, an empty line, a line a move."""
        lines = [FORMAT, *(f"{key}: {value}" for key, value in _header(self).items()), ""]
        lines += [
            f"{ply} {SEAT_NAMES[seat]} {name}" for ply, (seat, name) in enumerate(self.moves, 1)
        ]
        return "\n".join(lines) + "\n"

    @classmethod
    def parse(cls, text: str) -> Record:
        """Read a record's text or JSON, without playing it.

        Raises RecordError for another format or rules version, a missing or wrong header line, a
        line that is no move.
        """
        if text.lstrip().startswith("{"):
            return _from_json(text)
        lines = [line.strip() for line in text.strip().splitlines()]
        if not lines or lines[0] != FORMAT:
            raise RecordError(f"not a record: the first line must be `{FORMAT}`")
        blank = lines.index("") if "" in lines else len(lines)
        header = [_field(line) for line in lines[1:blank]]
        fields = dict(header)
        if len(fields) != len(header):
            raise RecordError("header: a line is there twice")
        moves: list[tuple[Seat, str]] = []
        for ply, line in enumerate(lines[blank + 1 :], 1):
            match = re.fullmatch(r"(\d+) ([AB]) (.+)", line)
            if not match or match[1] != str(ply):
                raise RecordError(f"expected `{ply} A <move>` or `{ply} B <move>`", ply)
            moves.append((SEAT_NAMES.index(match[2]), match[3]))
        return _from_fields(fields, tuple(moves))

    def replay(self) -> Match:
        """Play the record again and check it. Raises RecordError that names the first bad ply."""
        match = Match(self.setup)
        if match.first != self.first:
            raise RecordError(f"first seat: the seed gives {SEAT_NAMES[match.first]}")
        for ply, entry in enumerate(self.moves, 1):
            match.follow(ply, *entry)
        if len(match.played) > len(self.moves):
            raise RecordError("the record ends before a pass", len(self.moves) + 1)
        if _result(match) != self.result:
            raise RecordError(f"result: the moves give `{_result(match)}`")
        return match


def _result(match: Match) -> str:
    outcome = match.outcome()
    return str(outcome) if outcome else RUNNING


# --- header ------------------------------------------------------------------------------------


def _header(record: Record) -> dict[str, str]:
    setup = record.setup
    fields = {
        "game": setup.game,
        "rules": str(record.rules_version),
        "ruleset": setup.ruleset,
        "seed": f"{setup.seed} ({setup.seed_source})",
        "seats": " ".join(f'{seat} "{name}"' for seat, name in zip("AB", setup.seats, strict=True)),
        "level": setup.level or "none",
        "house": "" if setup.house is None else SEAT_NAMES[setup.house],
        **{f"deck {seat}": deck for seat, deck in zip(SEAT_NAMES, setup.decks, strict=True)},
        "hints": "on" if setup.hints else "off",
        "first": SEAT_NAMES[record.first],
        "result": record.result,
        "tries": _tries_text(record.tries),
    }
    return {name: value for name, value in fields.items() if value or name not in _OPTIONAL}


def _tries_text(tries: tuple[Tries, Tries]) -> str:
    if tries == NO_TRIES:
        return ""
    return ", ".join(
        f"{seat} {own.illegal} illegal {own.unreadable} unreadable"
        for seat, own in zip(SEAT_NAMES, tries, strict=True)
    )


_PATTERNS = {
    "game": r"(\w+)",
    "rules": r"(\d{1,6})",
    "ruleset": r"(\w+)",
    "seed": r"(\d{1,16}) \((given|drawn)\)",
    "seats": r'A "([^"]*)" B "([^"]*)"',
    "level": r"([\w:.-]+)",
    "house": r"([AB]?)",
    "deck A": r"(.*)",
    "deck B": r"(.*)",
    "hints": r"(on|off)",
    "first": r"([AB])",
    "result": r"(.+)",
    "tries": r"|A (\d{1,9}) illegal (\d{1,9}) unreadable, B (\d{1,9}) illegal (\d{1,9}) unreadable",
}

_OPTIONAL = ("house", "deck A", "deck B", "tries")
"""Lines that a header has only where there is something to say."""


def _field(line: str) -> tuple[str, str]:
    name, colon, value = line.partition(": ")
    if not colon or name not in _PATTERNS:
        raise RecordError(f"header: expected one of {', '.join(_PATTERNS)}, each `name: value`")
    return name, value


def _from_fields(fields: dict[str, str], moves: tuple[tuple[Seat, str], ...]) -> Record:
    groups: dict[str, tuple[str, ...]] = {}
    for name, pattern in _PATTERNS.items():
        if name not in fields and name not in _OPTIONAL:
            raise RecordError(f"header: `{name}: ...` is missing")
        match = re.fullmatch(pattern, fields.get(name, ""))
        if not match:
            raise RecordError(f"header: cannot read `{name}`")
        groups[name] = match.groups()
    version = int(groups["rules"][0])
    try:
        known = get_game(groups["game"][0])
        _check_version(known.name, known.rules_version, version)
        setup = Setup(
            game=known.name,
            ruleset=groups["ruleset"][0],
            seed=int(groups["seed"][0]),
            seed_source=groups["seed"][1],
            seats=(groups["seats"][0], groups["seats"][1]),
            level="" if groups["level"][0] == "none" else groups["level"][0],
            house=SEAT_NAMES.index(groups["house"][0]) if groups["house"][0] else None,
            decks=(groups["deck A"][0], groups["deck B"][0]),
            hints=groups["hints"][0] == "on",
        )
    except RecordError:
        raise
    except ValueError as error:
        raise RecordError(f"header: {error}") from None
    first = SEAT_NAMES.index(groups["first"][0])
    a, b, c, d = (int(count or 0) for count in groups["tries"])
    tries = (Tries(a, b), Tries(c, d))
    return Record(setup, version, first, groups["result"][0], moves, tries)


def _check_version(game: str, ours: int, theirs: int) -> None:
    if ours != theirs:
        raise RecordError(
            f"this record is of {game} rules version {theirs}; this is version {ours}, "
            f"so it cannot be replayed here"
        )


# --- JSON --------------------------------------------------------------------------------------


def to_json(record: Record) -> dict[str, Any]:
    """Return a finished game with everything needed to check it without our dice.

    Beside the header: what chance fixed at the start, and the full state after every entry.
    Raises RecordError for a record that does not hold, or whose game is still running.
    """
    outcome = record.replay().outcome()
    if outcome is None:
        raise RecordError("the game is still running")
    setup = record.setup
    match = Match(setup)
    position, dice = match.position, match.dice
    opening = match.game.opening(position)
    states = [position.snapshot()]
    for seat, name in record.moves:
        if name in STOPS:
            position.stop(name, seat)
        elif name != PASS:
            position.play(
                match.game.moves_by_name[name],
                dice,
                before_pass=lambda: states.append(position.snapshot()),
            )
        else:
            continue
        states.append(position.snapshot())
    return {
        "format": FORMAT,
        "game": setup.game,
        "rules_version": record.rules_version,
        "ruleset": setup.ruleset,
        "seed": setup.seed,
        "seed_source": setup.seed_source,
        "seats": dict(zip(SEAT_NAMES, setup.seats, strict=True)),
        "level": setup.level,
        **({} if setup.house is None else {"house": SEAT_NAMES[setup.house]}),
        **({"decks": dict(zip(SEAT_NAMES, setup.decks, strict=True))} if any(setup.decks) else {}),
        "hints": setup.hints,
        "first": SEAT_NAMES[record.first],
        "result": {
            "winner": None if outcome.winner is None else SEAT_NAMES[outcome.winner],
            "reason": outcome.reason,
            "score": dict(zip(SEAT_NAMES, outcome.score, strict=True)),
        },
        **_tries_json(record.tries),
        "start": {**opening, "state": states[0]},
        "moves": [
            {"ply": ply, "seat": SEAT_NAMES[seat], "move": name, "state": state}
            for ply, ((seat, name), state) in enumerate(
                zip(record.moves, states[1:], strict=True), 1
            )
        ],
    }


_NO_DECKS = {"A": "", "B": ""}


def _tries_json(tries: tuple[Tries, Tries]) -> dict[str, Any]:
    if tries == NO_TRIES:
        return {}
    by_seat = zip(SEAT_NAMES, tries, strict=True)
    return {"tries": {seat: own._asdict() for seat, own in by_seat}}


def _tries_from_json(data: dict[str, Any]) -> tuple[Tries, Tries]:
    by_seat = data.get("tries", {seat: Tries()._asdict() for seat in SEAT_NAMES})
    counts = [(by_seat[seat]["illegal"], by_seat[seat]["unreadable"]) for seat in SEAT_NAMES]
    if not all(type(count) is int and 0 <= count < 10**9 for own in counts for count in own):
        raise ValueError("tries")
    a, b = (Tries(*own) for own in counts)
    return a, b


def _from_json(text: str) -> Record:
    try:
        data = json.loads(text)
        if data["format"] != FORMAT:
            raise RecordError(f"not a record: `format` must be `{FORMAT}`")
        score = data["result"]["score"]
        winner = data["result"]["winner"]
        outcome = Outcome(
            None if winner is None else SEAT_NAMES.index(winner),
            data["result"]["reason"],
            (score["A"], score["B"]),
        )
        fields = {
            "game": data["game"],
            "rules": str(data["rules_version"]),
            "ruleset": data["ruleset"],
            "seed": f"{data['seed']} ({data['seed_source']})",
            "seats": f'A "{data["seats"]["A"]}" B "{data["seats"]["B"]}"',
            "level": "none" if data["level"] == "" else data["level"],
            "house": data.get("house", ""),
            **{f"deck {seat}": data.get("decks", _NO_DECKS)[seat] for seat in SEAT_NAMES},
            "hints": {True: "on", False: "off"}[data["hints"]],
            "first": data["first"],
            "result": str(outcome),
            "tries": _tries_text(_tries_from_json(data)),
        }
        moves = tuple((SEAT_NAMES.index(m["seat"]), str(m["move"])) for m in data["moves"])
        for name, value in fields.items():
            if not isinstance(value, str):
                raise TypeError(name)
    except RecordError:
        raise
    except (ValueError, KeyError, TypeError, RecursionError) as error:
        raise RecordError(f"not a record: {type(error).__name__} at {str(error)[:60]}") from None
    return _from_fields(fields, moves)
