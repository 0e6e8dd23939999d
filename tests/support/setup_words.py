"""What setup.py asks for."""

import runpy
from pathlib import Path
from typing import Any
from unittest.mock import patch

ROOT = Path(__file__).parents[2]


def of_setup() -> dict[str, Any]:
    """What setup.py hands to setuptools."""
    said: dict[str, Any] = {}
    with patch("setuptools.setup", lambda **words: said.update(words)):
        runpy.run_path(str(ROOT / "setup.py"))
    return said
