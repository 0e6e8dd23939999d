"""Loads asyncio without its TLS, which a table never uses: publisher and floor are processes of their own.

Python is also built without ``ssl``, so asyncio does without where it cannot be imported. A library of TLS and its
constants are a fortieth of what a table loads until it is ready. Whoever imports ``ssl`` afterwards gets it.
"""

import sys
from importlib import import_module


def load_asyncio() -> None:
    """To be called before anything else has loaded asyncio; does nothing afterwards."""
    if "asyncio" in sys.modules or "ssl" in sys.modules:
        return
    sys.modules["ssl"] = None  # type: ignore[assignment]
    try:
        import_module("asyncio")
    finally:
        del sys.modules["ssl"]
