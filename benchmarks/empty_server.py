"""A server that does nothing, to compare with: one plain tool that returns a constant text.

    python benchmarks/empty_server.py LENGTH [text]

With `text` the tool sends its text alone; without, as the SDK does by default, also as an object.
"""

from __future__ import annotations

import signal
import sys

from mcp.server.mcpserver import MCPServer

ANSWER = "x" * int(sys.argv[1])


def play(move: str) -> str:
    """Return a constant."""
    return ANSWER


def main() -> None:
    """Serve over stdio until stdin ends."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    server: MCPServer[None] = MCPServer("empty", log_level="WARNING")
    server.tool(structured_output=False if "text" in sys.argv else None)(play)
    server.run("stdio")


if __name__ == "__main__":
    main()
