"""Journals of every game, which this software recorded. The paths are those of pytest, for :mod:`golden.make`."""

import sys
from pathlib import Path

_TESTS = Path(__file__).parents[1]
sys.path += [path for path in (str(_TESTS.parent), str(_TESTS / "support")) if path not in sys.path]
