"""`python -m smashclash_mcp` is the command `smashclash-mcp`."""

from .cli import main

main()
