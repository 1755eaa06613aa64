"""Registration of tools with strict arguments: nothing dropped, nothing bent, one clear error.

The SDK drops unknown arguments and puts library jargon into its errors, so arguments pass through
it unread and are checked here against the same few words that the published schema is made from.
"""

from __future__ import annotations

import inspect
import json
import logging
import re
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, TypeVar

import anyio.to_thread
from mcp.server.mcpserver.tools import Tool
from mcp.server.mcpserver.utilities.func_metadata import ArgModelBase, FuncMetadata
from mcp_types import CallToolResult, TextContent, ToolAnnotations
from pydantic import ConfigDict

from ..games.base import View
from ..tables import CallError

log = logging.getLogger(__name__)

T = TypeVar("T")
Value = str | int | bool
_KEY = re.compile(r"s_[a-z2-9]+", re.IGNORECASE)
"""What may be a seat's key; a refusal that quotes a text must not repeat one."""
Run = Callable[..., "Answer | Awaitable[Answer]"]


@dataclass(frozen=True, slots=True)
class Answer:
    """What a tool says: text and, with format json, the same facts as an object."""

    text: str
    data: dict[str, Any] | None = None


@dataclass(frozen=True, slots=True)
class Arg:
    """One argument. `default` None: it must be given. `choices` are the only values, in order."""

    description: str
    kind: type[str] | type[int] | type[bool] = str
    default: Value | None = None
    choices: tuple[str, ...] = ()
    least: int = 0
    most: int = 0
    number_text: bool = False
    """A text that may also be sent as a number."""
    longest: int = 0
    """The most characters of a text; 0: whoever reads it decides."""

    def schema(self) -> dict[str, Any]:
        """Return the flat JSON schema of this argument."""
        schema: dict[str, Any] = {
            "type": {str: "string", int: "integer", bool: "boolean"}[self.kind],
            "description": self.description,
        }
        if self.choices:
            schema["enum"] = list(self.choices)
        if self.kind is int:
            schema |= {"minimum": self.least, "maximum": self.most}
        if self.default not in (None, ""):
            schema["default"] = self.default
        return schema

    def read(self, name: str, given: object) -> Value:
        """Return the argument's value. Raises CallError that says what to send instead."""
        if self.default is not None and given in (None, ""):
            return self.default
        if self.kind is bool:
            if isinstance(given, bool):
                return given
            if given in ("true", "false"):
                return given == "true"
            raise CallError("format", f"{name} is true or false")
        if self.kind is int:
            return self._read_int(name, given)
        if self.number_text:
            given = _number_as_text(given)
        if not isinstance(given, str):
            raise CallError("format", f"{name} is a text{self._listed()}, not {_kind(given)}")
        if self.longest and len(given) > self.longest:
            raise CallError("format", f"{name} is at most {self.longest} characters")
        if self.choices and given not in self.choices:
            spellings = {choice.lower(): choice for choice in self.choices}
            if given.strip().lower()[:40] not in spellings:
                raise CallError(
                    "format", f"{name} is one of {', '.join(filter(None, self.choices))}"
                )
            return spellings[given.strip().lower()]
        return given

    def _read_int(self, name: str, given: object) -> int:
        if isinstance(given, str) and re.fullmatch(r"\s*[0-9]{1,20}\s*", given):
            given = int(given)
        if isinstance(given, float) and given.is_integer():
            given = int(given)
        if type(given) is not int or not self.least <= given <= self.most:
            raise CallError("format", f"{name} is a whole number from {self.least} to {self.most}")
        return given

    def _listed(self) -> str:
        return f", one of {', '.join(filter(None, self.choices))}" if self.choices else ""


@dataclass(frozen=True, slots=True)
class ToolSpec:
    """One tool: `run` takes the arguments by name and returns an Answer or raises CallError."""

    name: str
    description: str
    run: Run
    args: Mapping[str, Arg] = field(default_factory=dict[str, Arg])
    read_only: bool = False
    destructive: bool = False
    idempotent: bool = False
    where: Callable[[object], View | None] | None = None
    """For a tool that moves: the view that its `game_id`, as given, means, if it means one."""

    def schema(self) -> dict[str, Any]:
        """Return the input schema: flat, nothing beyond the declared arguments."""
        schema: dict[str, Any] = {
            "type": "object",
            "properties": {name: arg.schema() for name, arg in self.args.items()},
            "additionalProperties": False,
        }
        required = [name for name, arg in self.args.items() if arg.default is None]
        if required:
            schema["required"] = required
        return schema

    def read(self, given: Mapping[str, object]) -> dict[str, Value]:
        """Return all arguments. Raises CallError for unknown, missing or wrong ones."""
        unknown = [name for name in given if name not in self.args]
        if unknown:
            takes = ", ".join(self.args) or "no arguments"
            shown = ", ".join(ascii(name[:40]) for name in unknown[:5])
            raise CallError("format", f"unknown argument {shown}; {self.name} takes {takes}")
        for name, arg in self.args.items():
            if arg.default is None and name not in given:
                raise CallError("format", f"{name} is missing: {arg.description}")
        return {name: arg.read(name, given.get(name)) for name, arg in self.args.items()}


class _Unread(ArgModelBase):
    """Lets every argument through to our own check."""

    model_config = ConfigDict(extra="allow")

    def model_dump_one_level(self) -> dict[str, Any]:
        return {"given": self.__pydantic_extra__ or {}}


async def off_loop(work: Callable[[], T]) -> T:
    """Compute in a worker thread; whoever cancels the call, or ends the server, need not wait."""
    return await anyio.to_thread.run_sync(work, abandon_on_cancel=True)


def to_tool(spec: ToolSpec) -> Tool:
    """Return the SDK's tool for a spec. Computing tools run in a worker thread, waits do not."""
    is_async = inspect.iscoroutinefunction(spec.run)

    def failed(error: Exception, given: dict[str, object]) -> CallToolResult:
        if isinstance(error, CallError):
            view = error.view
            if view is None and spec.where is not None:
                view = spec.where(given.get("game_id"))
            return _refused(error, view)
        log.exception("%s failed", spec.name)
        text = "format: the server failed on this call; get_state tells where the game stands"
        return _result(text, error=True)

    def compute(given: dict[str, object]) -> CallToolResult:
        try:
            answer = spec.run(**spec.read(given))
            assert isinstance(answer, Answer)
            return _result(answer.text, answer.data)
        except Exception as error:
            return failed(error, given)

    async def run(given: dict[str, object]) -> CallToolResult:
        if not is_async:
            return await off_loop(lambda: compute(given))
        try:
            answer = spec.run(**spec.read(given))
            assert inspect.isawaitable(answer)
            answer = await answer
            return _result(answer.text, answer.data)
        except Exception as error:
            return failed(error, given)

    return Tool(
        fn=run,
        name=spec.name,
        title=None,
        context_kwarg=None,
        description=spec.description,
        parameters=spec.schema(),
        fn_metadata=FuncMetadata(arg_model=_Unread),
        is_async=True,
        annotations=ToolAnnotations(
            read_only_hint=spec.read_only,
            destructive_hint=spec.destructive,
            idempotent_hint=spec.idempotent,
            open_world_hint=False,
        ),
    )


def as_json(data: Mapping[str, Any]) -> Answer:
    """Return facts as compact JSON text and as the same object."""
    return Answer(json.dumps(data, ensure_ascii=False, separators=(",", ":")), dict(data))


def _refused(refusal: CallError, view: View | None) -> CallToolResult:
    lines = [_KEY.sub("(a seat key)", str(refusal))]
    if view is not None:
        outcome = view.outcome()
        lines.append(f"Result: {outcome}." if outcome else view.legal_text())
    return _result("\n".join(lines), error=True)


def _result(
    text: str, data: dict[str, Any] | None = None, *, error: bool = False
) -> CallToolResult:
    # The one exit: a lone surrogate in a result would end a stdio server.
    clean = text.encode("utf-8", "replace").decode("utf-8")
    return CallToolResult(
        content=[TextContent(type="text", text=clean)], structured_content=data, is_error=error
    )


def _number_as_text(given: object) -> object:
    """Return a number as its text; what is no number is left to whoever reads the text."""
    if isinstance(given, float) and given.is_integer():
        given = int(given) if abs(given) < 1e30 else "too large"
    if type(given) is int and abs(given) >= 10**30:
        return "too large"
    return str(given) if isinstance(given, int | float) else given


def _kind(value: object) -> str:
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "a truth value"
    if isinstance(value, int | float):
        return "a number"
    return "a list: write it as one text, by commas" if isinstance(value, list) else "an object"
