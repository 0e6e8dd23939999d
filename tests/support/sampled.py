"""A sample of the core's tests, for a second release of Debian: `pytest --core-sample 4` runs one in four of them.

The core reads no clock, socket or pin, so what a release changes for it is Python alone; so it is with YAML,
messages, the bench, and the pages and the floor above their libraries. All tests of what touches a table's machine
run there in any case: commands, journal, drivers, installation, updates. The sample is the same on each run, by the
tests' names.
"""

import zlib
from collections.abc import Sequence
from pathlib import PurePath

import pytest

CORE = (
    "tests/games",
    "tests/house",
    "tests/unit/bench",
    "tests/unit/benchmarks",
    "tests/unit/commissioning",
    "tests/unit/config",
    "tests/unit/configuration",
    "tests/unit/door",
    "tests/unit/events",
    "tests/unit/fairness",
    "tests/unit/floor",
    "tests/unit/guide",
    "tests/unit/language",
    "tests/unit/limits",
    "tests/unit/messages",
    "tests/unit/odds",
    "tests/unit/publishing",
    "tests/unit/screens",
    "tests/unit/statechart",
    "tests/unit/tracking",
    "tests/unit/transparency",
    "tests/unit/viewmodel",
    "tests/unit/wheel_health",
    "tests/unit/witnessing",
)
"""Folders of tests of the core, of what Python alone decides beside it, and of what the source says of itself."""


def add_option(parser: pytest.Parser) -> None:
    """What `pytest --core-sample` takes: a whole number from 1, which is all of them."""
    parser.addoption(
        "--core-sample",
        type=_whole,
        default=1,
        metavar="N",
        help="run one in N of the tests of the core; all others",
    )


def sampled(names: Sequence[str], one_in: int) -> list[bool]:
    """Of each test, by its name, whether it runs.

    Args:
        names: as pytest's node identifiers, from the project's root.
    """
    return [not _of_core(name) or zlib.crc32(name.encode()) % one_in == 0 for name in names]


def sample(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave out the tests of the core that are not in the sample; pytest counts them as deselected."""
    taken = sampled([item.nodeid for item in items], config.getoption("--core-sample"))
    left_out = [item for item, runs in zip(items, taken, strict=True) if not runs]
    if left_out:
        config.hook.pytest_deselected(items=left_out)
        items[:] = [item for item, runs in zip(items, taken, strict=True) if runs]


def _of_core(name: str) -> bool:
    file = PurePath(name.partition("::")[0])
    return any(file.is_relative_to(folder) for folder in CORE)


def _whole(text: str) -> int:
    number = int(text)
    if number < 1:
        raise ValueError(text)
    return number
