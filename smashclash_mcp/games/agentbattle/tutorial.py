"""The tutorial: a scripted first match that teaches one idea a turn (agentbattle 7, 8.1).

Both decks lie in a fixed order and one move at a time is on offer to either seat, so that the
match always goes the same way: seat A wins it in turn 11. The texts are for seat A.
"""

from __future__ import annotations

from .cards import NUMBERS
from .moves import MOVE_NAMES, MOVES_BY_NAME

_DECK_A = "Claude Haiku, Codestral, Sora, Alexa+, Claude, Gemini Flash, Perplexity, Pi"
_DECK_B = "Pi, Manus, LangChain, Grok, Claude, Suno, QwQ, Elicit"
_STEPS = (
    (
        "play Claude Haiku",
        "an agent costs 2 energy, and 2 is what you have. Its ability fires as it enters.",
    ),
    ("end", "a new agent waits a turn before it attacks, so there is nothing left to do: end."),
    ("play Pi", ""),
    ("end", ""),
    (
        "play Codestral",
        "your energy grows by 1 a turn, up to 6. Traits and abilities without a target do nothing.",
    ),
    (
        "end",
        "now Claude Haiku attacks: 5, and 2 more at agents as a Reasoner. Pi is a Guardian "
        "(taunt): it is hit first.",
    ),
    ("end", ""),
    (
        "play Sora",
        "Creators hurt the enemy core when they enter, past all Guardians. Three agents fill "
        "your board.",
    ),
    (
        "end",
        "the faster agent attacks first: Claude Haiku takes Pi out, so Codestral finds no agent "
        "and hits the core.",
    ),
    ("play Manus", ""),
    ("end", ""),
    (
        "play Alexa+",
        "an Orchestrator gives your others +1 attack, and House Rules blocks the next enemy "
        "ability.",
    ),
    (
        "end",
        "each hit goes to the lowest-health enemy and nothing strikes back: two bring Manus down.",
    ),
    ("play LangChain", ""),
    ("end", ""),
    ("end", "LangChain's ability was blocked. Your board is full, so keep your energy and attack."),
    ("end", ""),
    ("end", "no enemy agent is left: all three hit the core, and a core at 0 wins the match."),
)

DECKS = (
    tuple(NUMBERS[name] for name in _DECK_A.split(", ")),
    tuple(NUMBERS[name] for name in _DECK_B.split(", ")),
)
"""Both seats' decks, from the top."""
SCRIPT = tuple(MOVES_BY_NAME[move] for move, _ in _STEPS)
"""The moves of both seats, by ply."""


def lesson(ply: int) -> str:
    """Return what the coming move teaches, and how to play it."""
    move, idea = _STEPS[ply]
    return f"{idea} Write `{move}`."


def not_yet(ply: int) -> str:
    """Return what to play instead of a move that is not the lesson's."""
    return (
        f"this lesson goes one step at a time, and the next one is `{MOVE_NAMES[SCRIPT[ply]]}`; "
        "in every other match the choice is yours"
    )
