"""Samples of tests, for a suite that is to end in time. Each is the same on each run, by the tests' names.

`pytest --cases 4` runs one in four of the cases of each test, and one at the least, so that no test is left out:
long tests that do the same with many seeds.

`pytest --core-sample 4`, for a second release of Debian, runs one in four of the core's tests.

The core reads no clock, socket or pin, so what a release changes for it is Python alone; so it is with YAML,
messages, the bench, and the pages and the floor above their libraries. All tests of what touches a table's machine
run there in any case: commands, journal, drivers, installation.
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
    """What `pytest --core-sample` and `--cases` take: a whole number from 1, which is all of them."""
    parser.addoption(
        "--cases",
        type=_whole,
        default=1,
        metavar="N",
        help="run one in N of each test's cases, and one at the least",
    )
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


def cases(names: Sequence[str], one_in: int) -> list[bool]:
    """Of each test, by its name, whether it runs: one in so many of the cases of each, and at least one."""
    places: dict[str, list[tuple[int, str]]] = {}
    for name in names:
        places.setdefault(name.partition("[")[0], []).append((zlib.crc32(name.encode()), name))
    taken = {name for of_one in places.values() for _, name in sorted(of_one)[: -(-len(of_one) // one_in)]}
    return [name in taken for name in names]


def sample(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave out the tests that are not in the samples; pytest counts them as deselected."""
    names = [item.nodeid for item in items]
    of_core, of_cases = sampled(names, config.getoption("--core-sample")), cases(names, config.getoption("--cases"))
    taken = [core and case for core, case in zip(of_core, of_cases, strict=True)]
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
