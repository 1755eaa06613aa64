"""Random playouts of other game engines, by the fastest honest path each gives Python code.

RLCard's UNO has three rows. The limit is about the public environment, which its users run and
which makes an observation at every step; the two layers inside it are faster and have no limit.

A playout starts a game, asks for the legal moves at every ply, plays one of them at random and
ends when the engine's own rules end the game. It returns how many moves players made: a card that
chance draws takes time but is no move. Every package is optional (the extra `bench`).
"""

from __future__ import annotations

import gc
from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module, metadata
from time import process_time

Random = Callable[[], float]
"""Like `random.random`: the next number in [0, 1)."""

Playout = Callable[[Random], int]
"""Play one game at random and return its number of moves."""

SEED = 1
CHESS_PLIES = 200


@dataclass(frozen=True, slots=True)
class Rival:
    """Another engine's game: the package to install, how to load a playout, what we owe it."""

    name: str
    package: str
    load: Callable[[], Playout]
    ratio: float | None = None
    """How many times its moves per second those of `game` should be at least; None: no matter."""
    game: str = "smashclash"
    required: bool = True
    """False where the ratio is only an aim."""

    @property
    def version(self) -> str:
        """The version of the installed package."""
        return metadata.version(self.package)


@dataclass(frozen=True, slots=True)
class Speed:
    """What one run of an engine measured."""

    moves: int
    games: int
    seconds: float


def measure(playout: Playout, random: Random, seconds: float) -> Speed:
    """Play whole games until `seconds` of CPU time have gone."""
    gc.collect()
    moves = games = 0
    start = now = process_time()
    end = start + seconds
    while now < end:
        moves += playout(random)
        games += 1
        now = process_time()
    return Speed(moves, games, now - start)


def rlcard_uno_env() -> Playout:
    """Return UNO by the public environment, with raw actions (those by number take longer)."""
    env = import_module("rlcard").make("uno", config={"seed": SEED})

    def playout(random: Random) -> int:
        state, _ = env.reset()
        moves = 0
        try:
            while not env.is_over():
                legal = state["raw_legal_actions"]
                state, _ = env.step(legal[int(random() * len(legal))], raw_action=True)
                moves += 1
        except IndexError:  # it has no rule for when both piles are empty
            pass
        return moves

    return playout


def rlcard_uno() -> Playout:
    """Return UNO by `Game.step`, whose state holds the legal actions (no environment on top)."""
    game = import_module("rlcard.games.uno").Game()
    game.np_random = import_module("numpy").random.RandomState(SEED)

    def playout(random: Random) -> int:
        state, _ = game.init_game()
        moves = 0
        try:
            while not game.is_over():
                legal = state["legal_actions"]
                state, _ = game.step(legal[int(random() * len(legal))])
                moves += 1
        except IndexError:  # it has no rule for when both piles are empty
            pass
        return moves

    return playout


def rlcard_uno_round() -> Playout:
    """Return UNO by the `Round` inside the game: moves and legal actions, no player's state."""
    game = import_module("rlcard.games.uno").Game()
    game.np_random = import_module("numpy").random.RandomState(SEED)

    def playout(random: Random) -> int:
        game.init_game()
        table, players = game.round, game.players
        moves = 0
        try:
            while not table.is_over:
                legal = table.get_legal_actions(players, table.current_player)
                table.proceed_round(players, legal[int(random() * len(legal))])
                moves += 1
        except IndexError:  # it has no rule for when both piles are empty
            pass
        return moves

    return playout


def rlcard_gin_rummy() -> Playout:
    """Return gin rummy by `Game.step` and its judge's legal actions (no environment on top)."""
    game = import_module("rlcard.games.gin_rummy").Game()
    game.np_random = import_module("numpy").random.RandomState(SEED)

    def playout(random: Random) -> int:
        game.init_game()
        legal_actions = game.judge.get_legal_actions
        moves = 0
        while not game.is_over():
            legal = legal_actions()
            game.step(legal[int(random() * len(legal))])
            moves += 1
        return moves

    return playout


def pyspiel_gin_rummy() -> Playout:
    """Return gin rummy; every card drawn is one of the remaining ones, each equally likely."""
    pyspiel = import_module("pyspiel")
    game = pyspiel.load_game("gin_rummy")
    terminal = int(pyspiel.PlayerId.TERMINAL)

    def playout(random: Random) -> int:
        state = game.new_initial_state()
        moves = 0
        while (player := state.current_player()) != terminal:
            legal = state.legal_actions()  # at a chance node: the cards that can come
            state.apply_action(legal[int(random() * len(legal))])
            moves += player >= 0
        return moves

    return playout


def pyspiel_chess() -> Playout:
    """Return chess, played until its rules end it."""
    game = import_module("pyspiel").load_game("chess")

    def playout(random: Random) -> int:
        state = game.new_initial_state()
        moves = 0
        while not state.is_terminal():
            legal = state.legal_actions()
            state.apply_action(legal[int(random() * len(legal))])
            moves += 1
        return moves

    return playout


def python_chess() -> Playout:
    """Return chess, ended by mate, stalemate, too little material or after 200 plies.

    The end by repetition or without captures hardly ever comes before that, and is not looked for.
    """
    new_board = import_module("chess").Board

    def playout(random: Random) -> int:
        board = new_board()
        moves = 0
        while moves < CHESS_PLIES:
            legal = list(board.legal_moves)
            if not legal or board.is_insufficient_material():
                break
            board.push(legal[int(random() * len(legal))])
            moves += 1
        return moves

    return playout


RIVALS = (
    Rival("RLCard uno (env)", "rlcard", rlcard_uno_env, 2.0),
    Rival("RLCard uno (Game)", "rlcard", rlcard_uno),
    Rival("RLCard uno (Round only)", "rlcard", rlcard_uno_round),
    Rival("RLCard gin-rummy (Game)", "rlcard", rlcard_gin_rummy, 2.0, game="agentbattle"),
    Rival("pyspiel gin_rummy", "open_spiel", pyspiel_gin_rummy, 2.5),
    Rival("pyspiel chess", "open_spiel", pyspiel_chess, 0.8, required=False),
    Rival("python-chess", "chess", python_chess, 4.0),
)
