"""Moves as people and models type them (agentbattle 2), and what is not one move."""

from __future__ import annotations

import pytest

from smashclash_mcp import AmbiguousMoveError, GameOverError, IllegalMoveError, InvalidMoveError
from smashclash_mcp.games.agentbattle.moves import MOVE_NAMES, MOVES_BY_NAME
from smashclash_mcp.games.agentbattle.notation import parse

from .build import play, position

READ = {
    "play Claude Haiku": [
        "play Claude Haiku",
        "PLAY CLAUDE HAIKU",
        "Play claude haiku.",
        "claude haiku",
        "claude-haiku",
        "ClaudeHaiku",
        "  play   Claude   Haiku  ",
        '"play Claude Haiku"',
        "`play Claude Haiku`",
        "**Claude Haiku**",
        "play: Claude Haiku",
        "play(Claude Haiku)",
        "play (Claude Haiku)",
        "deploy Claude Haiku",
        "ｐｌａｙ Claude Haiku",
        "play “Claude Haiku”",
        "play Claude\u2011Haiku",
        "play Claude_Haiku!",
        "- play Claude Haiku",
        "#Claude Haiku",
        "play, Claude Haiku",
        "play-Claude-Haiku",
        "play_claude_haiku",
        "play Claude Haiku?",
        "Claude Haiku!?",
        "Claude Haiku,",
    ],
    "play Alexa+": ["play Alexa+", "alexa", "Alexa plus", "play Alexa +"],
    "play DALL-E": ["play DALL-E", "dall-e", "dalle", "DALL E", "DALL\u2013E", "play dall.e"],
    "play GPT-4o": ["gpt-4o", "play GPT4o", "GPT 4o"],
    "end": ["end", "END", "End.", "end turn", "end my turn", "End the turn!", "endturn", "pass",
            "Pass.", "end_turn", "`end`", "finish turn", "end.turn",
            "end-turn", "- end", "end?"],
}  # fmt: skip


@pytest.mark.parametrize(("move", "typed"), [(m, t) for m, ts in READ.items() for t in ts])
def test_a_move_is_read_in_every_honest_spelling(move: str, typed: str) -> None:
    assert MOVE_NAMES[parse(typed)] == move


@pytest.mark.parametrize("name", MOVE_NAMES)
def test_every_canonical_name_is_read_as_itself(name: str) -> None:
    assert parse(name) == MOVES_BY_NAME[name]
    assert parse(name.upper()) == MOVES_BY_NAME[name]
    assert parse(name.removeprefix("play ")) == MOVES_BY_NAME[name]


@pytest.mark.parametrize(
    "typed",
    ["play Pi, Claude", "Pi and then end", "play Pi then end", "Pi or Claude", "Pi/Claude",
     "play Pi\nend", "Pi & Claude", "play Pi and Codestral", "Pi, end"],
)  # fmt: skip
def test_several_moves_are_ambiguous(typed: str) -> None:
    with pytest.raises(AmbiguousMoveError, match="join the moves of one turn by `;`"):
        parse(typed)


@pytest.mark.parametrize(
    ("typed", "reason"),
    [
        ("", "write `play Pi` or `end`"),
        ("   ", "write `play Pi` or `end`"),
        ("play", "name the card to play, like `play Pi` or `end`"),
        ("play Cluade", "no such card; did you mean `play Claude`?"),
        ("play Gemini Flsh", "no such card; did you mean `play Gemini Flash`?"),
        ("play zzz", "no card has that name; get_cards lists them. Write `play Pi` or `end`"),
        ("I think I should play Pi", "that is not one move; write `play Pi` or `end`"),
        ("play Pi because it is strong", "that is not one move; write"),
        ("resign", "no card has that name"),
        ("Pi@A1", "did you mean `play Pi`"),
        ("play Pi\x00", "a move has no control characters"),
        ("end the game", "no card has that name"),
        ("x" * 101, "a move is at most 100 characters; write `play Pi` or `end`"),
        ("play 3", "no card has that name"),
        ("play Π", "that is not one move"),
        ("please don't play Pi", "that is not one move"),
        ("Cla play ude", "no such card; did you mean `play Claude`?"),
    ],
)
def test_what_is_no_move_is_refused_with_what_to_write(typed: str, reason: str) -> None:
    with pytest.raises(InvalidMoveError) as caught:
        parse(typed)
    assert not isinstance(caught.value, AmbiguousMoveError)
    assert reason in str(caught.value)
    assert len(str(caught.value)) < 120


def test_a_card_that_was_knocked_out_is_said_to_be() -> None:
    at = position(["Suno @9"], ["Grok 1"], hand="Pi")
    play(at, "end", "end", "end")
    with pytest.raises(IllegalMoveError, match=r"^Grok was knocked out$"):
        at.view(1).read_move("play Grok")


def test_nothing_is_read_when_the_match_is_over_or_by_a_spectator() -> None:
    at = position(hand="Pi")
    with pytest.raises(ValueError, match="a spectator does not move"):
        at.view(None).read_move("end")
    at.stop("resign", 0)
    with pytest.raises(GameOverError):
        at.view(0).read_move("play Pi")
