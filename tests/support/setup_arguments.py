"""The arguments of setup.py to setuptools."""

import runpy
from pathlib import Path
from typing import Any
from unittest.mock import patch

ROOT = Path(__file__).parents[2]


def of_setup() -> dict[str, Any]:
    """The keyword arguments that setup.py passes to setuptools."""
    arguments: dict[str, Any] = {}
    with patch("setuptools.setup", lambda **keywords: arguments.update(keywords)):
        runpy.run_path(str(ROOT / "setup.py"))
    return arguments
