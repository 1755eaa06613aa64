"""The command line: `smashclash-mcp` serves MCP over stdio, `demo` shows a whole game."""

from __future__ import annotations

import logging
import os
import signal
import sys
from pathlib import Path

from platformdirs import user_data_path


def main() -> None:
    """Run the command line; without arguments serve, importing only what serving needs."""
    if len(sys.argv) == 1:
        serve()
    else:
        from .commands import app

        app()


def serve(data: Path | None = None, *, memory: bool = False) -> None:
    """Serve MCP over stdio until stdin ends; Ctrl-C ends it at once.

    Games and what a player keeps are in the folder `data`, by default the user's data folder, or
    in memory only.
    """
    from .server import build_server
    from .tables import Database, Tables

    folder = None if memory else data or user_data_path("smashclash-mcp", appauthor=False)

    # One plain line each; the server's own handler would wrap them to the width of a terminal.
    logging.basicConfig(format="smashclash-mcp: %(message)s", level=logging.WARNING)
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    build_server(Tables(Database(folder), profiles=True)).run("stdio")
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(0)  # a thread in which a house still thinks must not outlive stdin


if __name__ == "__main__":
    main()
