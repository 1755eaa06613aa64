"""A pass is an entry of its own in records: written by itself, checked when read back."""

from __future__ import annotations

import re

import pytest

from smashclash_mcp import Record, RecordError

from .passes import play_out_with_a_pass

RECORD = play_out_with_a_pass().record()
PLY = [name for _, name in RECORD.moves].index("pass") + 1


def lines() -> tuple[list[str], int]:
    """Return the record's lines, and the index of the pass among them."""
    found = RECORD.text().splitlines()
    return found, found.index("") + PLY


def refused(text: list[str]) -> RecordError:
    with pytest.raises(RecordError) as caught:
        Record.parse("\n".join(text)).replay()
    return caught.value


def test_a_record_with_a_pass_reads_back() -> None:
    assert Record.parse(RECORD.text()).replay().record() == RECORD


def test_a_pass_is_between_moves_of_the_other_seat() -> None:
    seat = RECORD.moves[PLY - 1][0]
    assert [RECORD.moves[PLY - 2][0], RECORD.moves[PLY][0]] == [1 - seat, 1 - seat]


def test_another_entry_in_place_of_a_pass_is_refused_at_its_ply() -> None:
    text, at = lines()
    text[at] = text[at].replace("pass", "FLIP")
    fault = refused(text)
    assert (fault.ply, "pass" in str(fault)) == (PLY, True)


def test_a_pass_of_the_other_seat_is_refused_at_its_ply() -> None:
    text, at = lines()
    text[at] = re.sub(r" ([AB]) ", lambda seat: f" {'BA'['AB'.index(seat[1])]} ", text[at])
    assert refused(text).ply == PLY


def test_a_pass_that_is_left_out_is_refused_at_its_ply() -> None:
    text, at = lines()
    del text[at]
    text[at:] = [f"{PLY + i} {line.partition(' ')[2]}" for i, line in enumerate(text[at:])]
    assert refused(text).ply == PLY


def test_a_record_that_ends_before_a_pass_is_refused_at_its_ply() -> None:
    text, at = lines()
    fault = refused(text[:at])
    assert (fault.ply, "ends before a pass" in str(fault)) == (PLY, True)
