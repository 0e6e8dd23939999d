"""Mutants before their tests, each in a process of its own that is forked from one that has everything loaded."""

import importlib
import os
import resource
import signal
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from enum import StrEnum
from functools import partial

import pytest
from cosmic_ray.work_item import MutationSpec

from mutation.patch import NotInFunctionError, put_into_functions, sources
from mutation.population import DrawnMutant

_LIBRARIES = "hypothesis.strategies numpy pydantic yaml transitions rich.console sqlite3 asyncio h11"
_BELOW = "config.schema hal.registry"
"""Of the project, what lies below the packages that are mutated."""
_OPTIONS = ("-x", "-q", "-p", "no:cacheprovider", "-p", "no:xdist", "-p", "no:pytest_cov")
# pytest would rewrite some libraries that are loaded before it starts.
_WARNINGS = ("-W", "ignore::pytest.PytestAssertRewriteWarning")
_NOT_THERE = 4
"""pytest's exit code for a test that is not found: its parameters came of the code that was changed."""
_NOT_PUT = 77
"""The exit code of a process into whose functions a mutant could not be put."""
_LIMITS = (signal.SIGXCPU, signal.SIGALRM, signal.SIGKILL)


class Verdict(StrEnum):
    KILLED = "killed"
    SURVIVED = "survived"
    TIMED_OUT = "timed out"
    NO_TEST = "reached by no test"


@dataclass(frozen=True)
class Trial:
    """A mutant and its tests, the fastest first.

    Attributes:
        limit_s: seconds of the processor that they may take.
    """

    mutant: DrawnMutant
    tests: tuple[str, ...]
    limit_s: int


def preload() -> None:
    """Load the libraries, and of the project what no mutant changes."""
    for name in f"{_LIBRARIES} {_BELOW}".split():
        importlib.import_module(name)


def forked(act: Callable[[], int], limit_s: int) -> int | None:
    """The exit code of a process in which ``act`` is called; None if a limit ended it."""
    child = os.fork()
    if not child:
        code = 1
        try:
            os.setsid()
            resource.setrlimit(resource.RLIMIT_CPU, (limit_s, limit_s + 5))
            signal.alarm(10 * limit_s)
            code = act()
        finally:
            os._exit(code)
    _, status = os.waitpid(child, 0)
    with suppress(ProcessLookupError):
        os.killpg(child, signal.SIGKILL)  # What a test has started and not ended.
    return None if os.WIFSIGNALED(status) and os.WTERMSIG(status) in _LIMITS else status


def _verdict(status: int | None) -> Verdict:
    return {None: Verdict.TIMED_OUT, 0: Verdict.SURVIVED}.get(status, Verdict.KILLED)


@contextmanager
def _file_changed(spec: MutationSpec) -> Iterator[None]:
    """The file, mutated; without bytecode, for two changes within a second have the same time stamp."""
    before, after = sources(spec)
    for compiled in (spec.module_path.parent / "__pycache__").glob(f"{spec.module_path.stem}.*.pyc"):
        compiled.unlink()
    spec.module_path.write_text(after, encoding="utf-8")
    try:
        yield
    finally:
        spec.module_path.write_text(before, encoding="utf-8")


def _silence() -> None:
    """What pytest prints of this process goes nowhere."""
    quiet = os.open(os.devnull, os.O_WRONLY)
    os.dup2(quiet, 1)
    os.dup2(quiet, 2)


def _pytest(tests: Sequence[str]) -> int:
    _silence()
    code = int(pytest.main([*_OPTIONS, *_WARNINGS, *tests]))
    if code == _NOT_THERE:
        code = int(pytest.main([*_OPTIONS, *_WARNINGS, *dict.fromkeys(test.partition("[")[0] for test in tests)]))
    return code


def imported_anew(trial: Trial, few: int = 20) -> Verdict:
    """Import the changed file in a fresh process; a few tests first, since each test file takes time to load."""
    with _file_changed(trial.mutant.spec):
        verdict = _verdict(forked(lambda: _pytest(trial.tests[:few]), trial.limit_s))
        if verdict is Verdict.SURVIVED and trial.tests[few:]:
            verdict = _verdict(forked(lambda: _pytest(trial.tests[few:]), trial.limit_s))
    return verdict


class InFunctions:
    """A plugin of pytest: once the tests are collected, each mutant before those that reach it."""

    def __init__(self, trials: Iterable[Trial], report: Callable[[Trial, Verdict], None]) -> None:
        self._trials, self._report, self._failed = trials, report, False

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        self._failed |= report.failed

    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        items = {item.nodeid: item for item in session.items}
        for trial in self._trials:
            chosen = [items[test] for test in trial.tests if test in items]
            status = forked(partial(self._one, trial, chosen), trial.limit_s)
            if status is None or os.waitstatus_to_exitcode(status) != _NOT_PUT:
                self._report(trial, _verdict(status))
        return True

    def _one(self, trial: Trial, items: Sequence[pytest.Item]) -> int:
        try:
            put_into_functions(trial.mutant.spec)
        except NotInFunctionError:
            return _NOT_PUT
        for item, following in zip(items, [*items[1:], None], strict=True):
            item.config.hook.pytest_runtest_protocol(item=item, nextitem=following)
            if self._failed:
                return 1
        return 0


def in_functions(trials: Sequence[Trial], report: Callable[[Trial, Verdict], None]) -> None:
    """Change functions in a process that has loaded the tests once. What cannot be put there is not reported."""
    files = {test.partition("::")[0] for trial in trials for test in trial.tests}
    child = os.fork()
    if not child:
        try:
            _silence()
            pytest.main([*_OPTIONS, *_WARNINGS, *sorted(files)], plugins=[InFunctions(trials, report)])
        finally:
            os._exit(0)
    os.waitpid(child, 0)
