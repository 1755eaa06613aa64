"""What clients read before the first call: tools, schemas, instructions, and what they cost."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from smashclash_mcp import GAMES
from smashclash_mcp.server import build_server
from smashclash_mcp.server.tools import tool_specs
from smashclash_mcp.tables import Tables
from smashclash_mcp.tokens import counter

from .pipes import WAYS, connected

Facts = dict[str, Any]
NAMES = [spec.name for spec in tool_specs(Tables())]
KEYWORDS = {
    "type",
    "description",
    "enum",
    "default",
    "minimum",
    "maximum",
    "properties",
    "required",
    "additionalProperties",
}
"""All that a schema is made of: no anyOf, oneOf, $ref, title."""


async def listed(way: str = "modern") -> dict[str, Facts]:
    """Return the tools as they go over the wire, by name."""
    async with connected(way) as player:
        tools = (await player.client.list_tools()).tools
    return {tool.name: tool.model_dump(by_alias=True, exclude_none=True) for tool in tools}


def tokens(text: str) -> int:
    count = counter()
    assert count is not None, "install the extra `test`"
    return count(text)


@pytest.mark.parametrize("name", NAMES)
async def test_a_tool_is_as_its_golden_file_has_it(
    name: str, golden: Callable[[str, str], None]
) -> None:
    tool = (await listed())[name]
    shown = {key: tool[key] for key in ("name", "description", "inputSchema", "annotations")}
    golden(f"tools/{name}.json", json.dumps(shown, indent=1, ensure_ascii=False) + "\n")


async def test_every_way_lists_the_same_tools_in_the_same_order() -> None:
    lists = [list((await listed(way)).items()) for way in WAYS]
    assert lists[0] == lists[1] == lists[2]
    assert [name for name, _ in lists[0]] == NAMES


async def test_a_tool_says_nothing_beyond_name_description_schema_and_annotations() -> None:
    for tool in (await listed()).values():
        assert set(tool) == {"name", "description", "inputSchema", "annotations"}


def keywords(schema: Facts) -> Iterator[str]:
    """Yield every keyword of a schema, but not the arguments' names."""
    for keyword, value in schema.items():
        yield keyword
        if keyword == "properties":
            for argument in value.values():
                yield from keywords(argument)


async def test_schemas_are_flat_and_strict() -> None:
    for tool in (await listed()).values():
        schema = tool["inputSchema"]
        assert set(keywords(schema)) <= KEYWORDS
        assert schema["type"] == "object"
        assert schema["additionalProperties"] is False
        assert set(schema.get("required", [])) <= set(schema["properties"])
        for argument in schema["properties"].values():
            assert argument["type"] in ("string", "integer", "boolean")
            assert "properties" not in argument
            if argument["type"] == "integer":
                assert argument["minimum"] < argument["maximum"]
            if "enum" in argument:
                assert argument.get("default", "") in argument["enum"]


async def test_only_a_move_and_what_to_join_must_be_given() -> None:
    required = {
        name: tool["inputSchema"].get("required") for name, tool in (await listed()).items()
    }
    assert {name: given for name, given in required.items() if given} == {
        "play": ["move"],
        "join_game": ["game_id"],
    }


async def test_metadata_is_ascii_and_names_are_plain() -> None:
    for name, tool in (await listed()).items():
        assert json.dumps(tool, ensure_ascii=False).isascii()
        for word in (name, *tool["inputSchema"]["properties"]):
            assert re.fullmatch("[a-z_]+", word), word


async def test_every_tool_and_argument_is_described() -> None:
    for tool in (await listed()).values():
        assert 20 < len(tool["description"]) <= 2000
        for name, argument in tool["inputSchema"]["properties"].items():
            assert 5 < len(argument["description"]) < 200, name
            assert argument["description"].endswith(".")


async def test_annotations_are_true() -> None:
    reading = {"get_rules", "get_cards", "legal_moves", "get_state", "list_games", "get_replay"}
    assert reading | {"new_game", "join_game", "play", "resign"} == set(NAMES)
    for name, tool in (await listed()).items():
        assert tool["annotations"] == {
            "readOnlyHint": name in reading,
            "destructiveHint": name in ("play", "resign"),
            "idempotentHint": name in reading,
            "openWorldHint": False,
        }


async def test_tools_that_only_read_change_nothing() -> None:
    async with connected("modern", tables := Tables()) as player:
        await player.ok("new_game", seed=1)
        table = tables.find("").table
        before = table.match.position.to_text(), table.match.record()
        for name, tool in (await listed()).items():
            if tool["annotations"]["readOnlyHint"]:
                await player.call(name, {})
                await player.call(name, {})
        assert (table.match.position.to_text(), table.match.record()) == before
        games, count = tables.latest(10)
        assert ([game.entry.id for game in games], count) == ([table.id], 1)


async def test_the_definitions_of_all_tools_are_short() -> None:
    definitions = [
        {key: tool[key] for key in ("name", "description", "inputSchema")}
        for tool in (await listed()).values()
    ]
    assert tokens(json.dumps(definitions, separators=(",", ":"))) <= 1600


def test_the_instructions_are_short() -> None:
    instructions = build_server().instructions or ""
    assert 100 < len(instructions) <= 1200
    assert tokens(instructions) <= 350
    for tool in re.findall(r"\b[a-z]+_[a-z]+\b", instructions):
        assert tool in NAMES


@pytest.mark.parametrize("game", GAMES)
def test_the_short_rules_are_short(game: str) -> None:
    assert 100 < tokens(GAMES[game].rules()) <= 450
