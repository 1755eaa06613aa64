"""Counting tokens with o200k_base, where the test extra is installed."""

from __future__ import annotations

import importlib.util
import os
from collections.abc import Callable
from pathlib import Path


def counter() -> Callable[[str], int] | None:
    """Return a function that counts a text's tokens, None without tiktoken and its vocabulary.

    The vocabulary file comes with the litellm wheel, so nothing is fetched; litellm itself, slow
    to import, is only located.
    """
    litellm = importlib.util.find_spec("litellm")
    if litellm is None or litellm.origin is None or importlib.util.find_spec("tiktoken") is None:
        return None
    import tiktoken

    folder = Path(litellm.origin).parent / "litellm_core_utils" / "tokenizers"
    before = os.environ.get("TIKTOKEN_CACHE_DIR")
    os.environ["TIKTOKEN_CACHE_DIR"] = str(folder)
    try:
        encoding = tiktoken.get_encoding("o200k_base")
    finally:
        if before is None:
            del os.environ["TIKTOKEN_CACHE_DIR"]
        else:
            os.environ["TIKTOKEN_CACHE_DIR"] = before
    return lambda text: len(encoding.encode(text, disallowed_special=()))
