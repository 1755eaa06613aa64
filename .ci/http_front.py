"""Serve the MCP server over streamable HTTP on a free port of 127.0.0.1.

For the conformance tool only: its server scenarios need a URL, and the package
itself serves stdio. Prints the URL once connections are accepted.
"""

import socket

import uvicorn

from smashclash_mcp.server import build_server
from smashclash_mcp.tables import Tables


def main() -> None:
    """Serve until the process is ended."""
    # Bound and listening before the URL is printed, so its reader need not poll.
    with socket.create_server(("127.0.0.1", 0)) as listener:
        print(f"http://127.0.0.1:{listener.getsockname()[1]}/mcp", flush=True)
        app = build_server(Tables()).streamable_http_app()
        # A client's open stream must not keep the process alive once it is told to end.
        config = uvicorn.Config(app, log_level="warning", timeout_graceful_shutdown=1)
        uvicorn.Server(config).run(sockets=[listener])


if __name__ == "__main__":
    main()
