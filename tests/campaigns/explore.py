"""Property tests with new cases: ``python -m campaigns.explore --seconds 60``.

All property tests are run in a random order, again and again, each time with another seed, until the time is over.
A test that fails is printed with the smallest case that Hypothesis found, and with a command that draws it again;
then it is left out. The suite itself draws the same cases in every run (:mod:`drawing`). The test that runs when
the time is over is finished; it is the last.

Exit codes: 0 nothing was found, 1 something was, 2 a wrong use, or tests that cannot be run.
"""

import random
import re
import sys
import time
from argparse import ArgumentParser, ArgumentTypeError
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NoReturn

import pytest
from drawing import EXPLORE, draw_the_same_everywhere

TESTS = Path(__file__).parents[1]
LONGEST_S = 7 * 24 * 3600
_CASE = re.compile(r"(?:Failing test case|Falsifying example): \w+\(\n(.*?)\n\)", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Found:
    """A property that does not hold."""

    test: str
    seed: int
    error: str
    case: str

    def __str__(self) -> str:
        again = f".venv/bin/pytest '{self.test}' --hypothesis-profile={EXPLORE} --hypothesis-seed={self.seed}"
        return f"\nFOUND {self.test}, seed {self.seed}\n{self.error}\n\n{self.case}\n\nagain: {again}\n"


class Pass:
    """One run through all properties. A plugin of pytest."""

    def __init__(self, seed: int, until_s: float, known: Collection[str]) -> None:
        self.found: list[Found] = []
        self.unread: list[str] = []
        """Why files cannot be tested."""
        self.properties = self.tried = 0
        self.seed, self._until_s, self._known = seed, until_s, known

    def pytest_collectreport(self, report: pytest.CollectReport) -> None:
        if report.failed:
            self.unread.append(report.longreprtext)

    @pytest.hookimpl(trylast=True)
    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        new = (item for item in items if item.nodeid not in self._known)
        items[:] = [item for item in new if item.get_closest_marker("hypothesis")]
        random.Random(self.seed).shuffle(items)
        self.properties = len(items)

    def pytest_runtest_makereport(self, item: pytest.Item, call: pytest.CallInfo[None]) -> None:
        if call.excinfo is not None and not isinstance(call.excinfo.value, pytest.skip.Exception):
            fixtures = getattr(item, "fixturenames", ())
            self.found.append(Found(item.nodeid, self.seed, *described(call.excinfo.value, fixtures)))
            print(self.found[-1], flush=True)

    def pytest_runtest_logfinish(self) -> None:
        self.tried += 1

    @pytest.hookimpl(trylast=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> None:
        if time.monotonic() >= self._until_s:
            item.session.shouldstop = "the time is over"


def described(error: BaseException, fixtures: Collection[str]) -> tuple[str, str]:
    """What went wrong, and with which case, as it can be put above the test; fixtures are no part of that."""
    if isinstance(error, BaseExceptionGroup):
        parts = [described(one, fixtures) for one in error.exceptions]
        return "\n".join(part[0] for part in parts), "\n\n".join(part[1] for part in parts)
    notes = "\n".join(getattr(error, "__notes__", ()))
    return f"{type(error).__name__}: {error}".strip(), _CASE.sub(lambda case: _example(case[1], fixtures), notes)


def _example(arguments: str, fixtures: Collection[str]) -> str:
    each = re.split(r"\n(?=    \w+=)", re.sub(r"(?m)^ *#.*$\n?", "", arguments))
    return "\n".join(["@example(", *(one for one in each if one.split("=")[0].strip() not in fixtures), ")"])


class UnreadError(Exception):
    """The tests cannot be run; the message says why."""


def explore(files: Sequence[str], seconds: int, seed: int) -> list[Found]:
    """Run pass upon pass; returns what was found.

    Raises:
        UnreadError: the tests cannot be run.
    """
    begun_s = time.monotonic()
    seeds, found, number = random.Random(seed), [], 0
    # A pass loads what the one before has loaded, and the suite's settings make an error of that.
    quiet = ["-p", "no:terminal", "-p", "no:cacheprovider", "-W", "ignore::pytest.PytestAssertRewriteWarning"]
    quiet += ["-c", str(TESTS.parent / "pyproject.toml"), "-o", "addopts="]
    while time.monotonic() - begun_s < seconds:
        number += 1
        one = Pass(seeds.getrandbits(32), begun_s + seconds, {known.test for known in found})
        words = [*quiet, f"--hypothesis-profile={EXPLORE}", f"--hypothesis-seed={one.seed}", *files]
        code = pytest.main(words, plugins=[one])
        if one.unread or code in (pytest.ExitCode.INTERNAL_ERROR, pytest.ExitCode.USAGE_ERROR):
            raise UnreadError("\n".join([*one.unread, "explore: these tests cannot be run; see make test"]))
        found += one.found
        print(
            f"pass {number}, seed {one.seed}: {one.tried} of {one.properties} properties, "
            f"{time.monotonic() - begun_s:.0f} of {seconds} s, {len(found)} found",
            flush=True,
        )
        if not one.properties:
            break
    return found


class _Parser(ArgumentParser):
    def error(self, message: str) -> NoReturn:
        self.exit(2, f"explore: {message}\n")


def _seconds(word: str) -> int:
    if not (word.isascii() and word.isdigit() and 1 <= int(word) <= LONGEST_S):
        raise ArgumentTypeError(f"'{word}' is no whole number of seconds from 1 to {LONGEST_S}")
    return int(word)


def main(words: Sequence[str] | None = None) -> int:
    """Explore until the time is over."""
    parser = _Parser(prog="python -m campaigns.explore", description=__doc__)
    parser.add_argument("--seconds", type=_seconds, default=60, help="how long (default 60)")
    parser.add_argument("--seed", type=int, help="of the passes (default: another one each time)")
    parser.add_argument("files", nargs="*", help="test files (default: all with properties)")
    given = parser.parse_args(words)
    all_files = sorted(TESTS.rglob("test_*.py"))
    files = given.files or [str(file) for file in all_files if "hypothesis" in file.read_text(encoding="utf-8")]
    draw_the_same_everywhere()
    seed = random.SystemRandom().getrandbits(32) if given.seed is None else given.seed
    try:
        found = explore(files, given.seconds, seed)
    except UnreadError as error:
        print(error, file=sys.stderr)
        return 2
    print(f"{len(found)} found" if found else "nothing was found")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
