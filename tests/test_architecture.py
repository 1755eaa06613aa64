"""The two sentences of the design: imports go down only, and only a game's folder knows its rules.

Read from the source with `ast`, so that an import within a function counts too.
"""

from __future__ import annotations

import ast
import re
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from smashclash_mcp.games.agentbattle import cards as agents
from smashclash_mcp.games.agentbattle.vocabulary import CLASSES, ON_PLAY, PASSIVE
from smashclash_mcp.games.smashclash.board import PIECES, TILES
from smashclash_mcp.games.smashclash.cards import CARDS, COLOURS, NAMES

PACKAGE = Path(__file__).parent.parent / "smashclash_mcp"
MODULES = sorted(PACKAGE.rglob("*.py"))

LAYERS = (
    ("games", "tokens"),
    ("players", "record"),
    ("tables",),
    ("arena",),
    ("server", "cli", "commands", "demo", "adapters", "__main__"),
)
"""From the bottom; a part imports only from lower layers, itself, and, at the top, its peers."""
PUBLIC = ("__init__",)
"""The package itself gathers what lies below the tables; others take only its version."""
IN_GAMES = {
    "__future__",
    "collections",
    "csv",
    "dataclasses",
    "difflib",
    "functools",
    "importlib.resources",
    "json",
    "re",
    "tomllib",
    "typing",
    "unicodedata",
}
"""The standard library that games may use: no clock, no chance, no files but package data."""
IN_BASE = IN_GAMES | {"hashlib", "random"}
"""`games/base.py` has the dice."""

CARD_NAMES = {name for name in (*NAMES, *agents.NAMES) if name and name != "?"}
RULE_WORDS = {
    *(piece for piece in PIECES if piece),
    *(card.name.lower() for card in CARDS if card.name.isupper()),
    *COLOURS,
    *("capture", "captures", "captured", "chess", "chesstile", "classic", "frozen", "hop", "hops"),
    *("mutators", "mutator", "neighbour", "neighbours", "orthogonal", "overrun", "overruns"),
    *("power", "powers", "placement", "zone", "zones"),
    *(klass for klass in CLASSES),
    *(effect for effect in (*ON_PLAY, *PASSIVE) if "_" in effect),
    *agents.RARITIES,
    *("agents", "cores", "energy", "guardian", "health", "pack", "rarity"),
    *("shield", "shields", "synergy", "taunt", "tutorial"),
}


def name_of(path: Path) -> str:
    return path.relative_to(PACKAGE).as_posix()


def part_of(module: str) -> str:
    """Return the part of the package that a dotted name in it belongs to."""
    parts = module.split(".")
    return parts[1] if len(parts) > 1 else "__init__"


def imported(tree: ast.AST, module: str, is_package: bool) -> Iterator[tuple[str, str]]:
    """Yield each imported module by its full name, and the name taken from it."""
    package = module.split(".") if is_package else module.split(".")[:-1]
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            for alias in node.names:
                yield alias.name, ""
        elif isinstance(node, ast.ImportFrom):
            base = package[: len(package) - node.level + 1] if node.level else []
            source = ".".join([*base, *([node.module] if node.module else [])])
            for alias in node.names:
                yield source, alias.name


def imports(path: Path) -> list[tuple[str, str]]:
    module = ".".join(["smashclash_mcp", *path.relative_to(PACKAGE).with_suffix("").parts])
    module = module.removesuffix(".__init__")
    return list(imported(ast.parse(path.read_text("utf-8")), module, path.stem == "__init__"))


def faults_of_layers(own: str, found: list[tuple[str, str]]) -> list[str]:
    """Return the imports that do not go down, for a module of a part."""
    level = {part: number for number, parts in enumerate(LAYERS) for part in parts}
    top = len(LAYERS) - 1
    faults: list[str] = []
    for source, name in found:
        if source.split(".")[0] != "smashclash_mcp":
            continue
        if source == "smashclash_mcp" and name == "__version__":
            continue
        other = part_of(source if source != "smashclash_mcp" else f"{source}.{name}")
        if other == own:
            continue
        if own in PUBLIC:
            down = level.get(other, top) < level["tables"]
        else:
            assert own in level, f"{own} has no layer yet"
            down = level.get(other, top) < level[own] or level[own] == level.get(other) == top
        if not down:
            faults.append(f"{own} imports {source} {name}")
    return faults


def words(text: str) -> set[str]:
    """Return the words in a text or an identifier: as they are, and in lower case by parts."""
    whole = set(re.findall(r"[A-Za-z][A-Za-z0-9]*", text))
    parts = {part.lower() for word in whole for part in re.findall(r"[A-Z]?[a-z]+|[A-Z]+", word)}
    return whole | parts


def said_in_code(tree: ast.AST) -> Iterator[tuple[int, str]]:
    """Yield each identifier and text in the code with its line; docstrings are no code."""
    comments = {
        id(node.value)
        for node in ast.walk(tree)
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
    }
    for node in ast.walk(tree):
        line = getattr(node, "lineno", 0)
        match node:
            case ast.Constant(value=str(text)) if id(node) not in comments:
                yield line, text
            case ast.Name(id=name) | ast.Attribute(attr=name) | ast.arg(arg=name):
                yield line, name
            case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name):
                yield line, name
            case ast.ClassDef(name=name) | ast.alias(name=name):
                yield line, name
            case ast.keyword(arg=str(name)) if name != "frozen":  # of a dataclass
                yield line, name
            case _:
                pass


def rule_words(source: str) -> list[str]:
    """Return where code names a rule or a card of the game."""
    found: list[str] = []
    for line, text in said_in_code(ast.parse(source)):
        said = words(text)
        named = (said & RULE_WORDS) | (said & set(TILES)) | (said & CARD_NAMES)
        found += [f"line {line}: {word}" for word in sorted(named)]
    return found


@pytest.mark.parametrize("path", MODULES, ids=name_of)
def test_imports_go_down_only(path: Path) -> None:
    own = path.relative_to(PACKAGE).with_suffix("").parts[0]
    assert faults_of_layers(own, imports(path)) == []


@pytest.mark.parametrize("path", sorted((PACKAGE / "games").rglob("*.py")), ids=name_of)
def test_games_have_no_clock_no_chance_and_no_files(path: Path) -> None:
    allowed = IN_BASE if name_of(path) == "games/base.py" else IN_GAMES
    for source, name in imports(path):
        if source.split(".")[0] == "smashclash_mcp":
            assert source.startswith("smashclash_mcp.games")
            continue
        assert source.split(".")[0] in sys.stdlib_module_names, f"{source} is no standard library"
        full = f"{source}.{name}" if f"{source}.{name}" in allowed else source
        assert full in allowed or source.split(".")[0] in allowed, f"{source} {name}"
    called = {
        node.func.id if isinstance(node.func, ast.Name) else getattr(node.func, "attr", "")
        for node in ast.walk(ast.parse(path.read_text("utf-8")))
        if isinstance(node, ast.Call)
    }
    assert not called & {"open", "print", "input", "write_text", "write_bytes", "exec", "eval"}


def outside() -> list[Path]:
    games = ("games/smashclash/", "games/agentbattle/")
    return [path for path in MODULES if not name_of(path).startswith(games)]


@pytest.mark.parametrize("path", outside(), ids=name_of)
def test_only_its_folder_names_a_rule_of_the_game(path: Path) -> None:
    source = path.read_text("utf-8")
    assert rule_words(source) == []


@pytest.mark.parametrize("path", outside(), ids=name_of)
def test_only_the_registry_imports_a_game(path: Path) -> None:
    for source, name in imports(path):
        if name_of(path) != "games/__init__.py":
            assert not re.match(
                r"smashclash_mcp\.games\.(smashclash|agentbattle)", f"{source}.{name}"
            )


@pytest.mark.parametrize(
    ("own", "source"),
    [
        ("games", "from ..record import Match"),
        ("players", "def f():\n    from ..tables import Table"),
        ("players", "from ..record import Match"),
        ("record", "import smashclash_mcp.players"),
        ("tables", "from ..server import build_server"),
        ("tables", "from .. import server"),
        ("tables", "from .. import Match"),
    ],
)
def test_an_import_that_goes_up_or_across_is_seen(own: str, source: str) -> None:
    found = list(imported(ast.parse(source), f"smashclash_mcp.{own}.file", False))
    assert len(faults_of_layers(own, found)) == 1


@pytest.mark.parametrize(
    "source",
    [
        "if move == 'BOULDER': pass",
        "overrun_tiles = 3",
        "x.chess",
        "def can_hop(): pass",
        "class PowerTile: pass",
        "f(mutators=True)",
        "x = 'Mr. and Pengu'",
        "x = f'{y}@C2'",
        "from a import knight",
    ],
)
def test_a_rule_in_code_is_seen(source: str) -> None:
    assert rule_words(source)


def test_docstrings_and_other_words_are_no_rules() -> None:
    source = '"""A hop."""\n@dataclass(frozen=True)\nclass Seat:\n    a: int\n    """Power."""'
    assert rule_words(source) == []
