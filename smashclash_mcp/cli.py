"""The command line: `smashclash-mcp` serves MCP over stdio, `demo` shows a whole game."""

from __future__ import annotations

import os
import signal
import sys


def main() -> None:
    """Run the command line; without arguments serve, importing only what serving needs."""
    if len(sys.argv) == 1:
        serve()
    else:
        from .commands import app

        app()


def serve() -> None:
    """Serve MCP over stdio until stdin ends; Ctrl-C ends it at once."""
    from .server import build_server

    signal.signal(signal.SIGINT, signal.SIG_DFL)
    build_server().run("stdio")
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(0)  # a thread in which a house still thinks must not outlive stdin


if __name__ == "__main__":
    main()
