"""Which tests reach a line, by coverage of the line while each test ran, and how long each takes."""

import ast
import os
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from functools import cache
from itertools import accumulate, chain
from pathlib import Path
from xml.etree import ElementTree

from cosmic_ray.work_item import MutationSpec
from coverage import CoverageData

from mutation.population import PACKAGES

TESTS = ("limits", "odds", "statechart", "guide", "viewmodel", "wheel_health", "tracking", "runtime")
"""The rooms of ``tests/unit`` that are run, besides ``tests/games``."""
_CONTEXTS, _DURATIONS = "contexts", "durations.xml"


def measure(folder: Path) -> None:
    """Run the tests once, as they are, and keep what each reaches and how long it took."""
    command = [
        *(sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-p", "no:xdist"),
        *(f"--cov={package}" for package in PACKAGES),
        *("--cov-context=test", "--cov-report=", f"--junitxml={folder / _DURATIONS}"),
        *(f"tests/unit/{room}" for room in TESTS),
        "tests/games",
    ]
    subprocess.run(command, env={**os.environ, "COVERAGE_FILE": str(folder / _CONTEXTS)}, check=False)


def _durations(file: Path) -> Iterator[tuple[str, float]]:
    """Each test that passed, by its node's name, and its seconds."""
    for case in ElementTree.parse(file).iter("testcase"):
        if any(case.find(tag) is not None for tag in ("failure", "error", "skipped")):
            continue
        parts = case.get("classname", "").split(".")
        module = next(n for n in range(len(parts), 0, -1) if Path(*parts[:n]).with_suffix(".py").is_file())
        file_name = Path(*parts[:module]).with_suffix(".py").as_posix()
        yield "::".join([file_name, *parts[module:], case.get("name", "")]), float(case.get("time", "0"))


@cache
def _statements(path: Path) -> list[tuple[int, int]]:
    """The first and the last line of each statement; of a compound one, of its head."""
    found = []
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.stmt):
            body = getattr(node, "body", None)
            last = max(node.lineno, body[0].lineno - 1) if body else (node.end_lineno or node.lineno)
            found.append((min([node.lineno, *(d.lineno for d in getattr(node, "decorator_list", ()))]), last))
    return found


class Reach:
    """What ``measure`` found."""

    def __init__(self, folder: Path) -> None:
        self.seconds = dict(_durations(folder / _DURATIONS))
        data = CoverageData(str(folder / _CONTEXTS))
        data.read()
        known = {"", *self.seconds}
        root = next(iter(data.measured_files())).split("/controller/")[0]
        self._lines = {
            Path(file).relative_to(root): {
                line: {context.rpartition("|")[0] for context in contexts} & known
                for line, contexts in data.contexts_by_lineno(file).items()
            }
            for file in data.measured_files()
        }

        reached = (tests for lines in self._lines.values() for tests in lines.values())
        self._breadth = Counter(chain.from_iterable(reached))
        """How many lines each test reaches."""

    def _of(self, spec: MutationSpec) -> dict[int, set[str]]:
        """The lines of a mutant's statement that run at all, and which tests reach each."""
        path, line = spec.module_path, spec.start_pos[0]
        spans = [span for span in _statements(path) if span[0] <= line <= span[1]]
        first, last = min(spans, key=lambda span: span[1] - span[0], default=(line, line))
        lines = self._lines.get(path, {})
        return {n: lines[n] for n in range(first, last + 1) if n in lines}

    def at_import(self, spec: MutationSpec) -> bool:
        """Whether it runs when its module is imported, before any test."""
        return any("" in tests for tests in self._of(spec).values())

    def tests(self, spec: MutationSpec, budget_s: float) -> list[str]:
        """The tests that reach a mutant, as far as the seconds go: of each test function one case, then the others.
        Those that reach few lines besides come first, for they are about these.

        What runs when the module is imported is reached by each test that reaches any line of it, or else of its
        folder.
        """
        found: set[str] = set().union(*self._of(spec).values())
        if "" in found:
            found |= set().union(*self._lines[spec.module_path].values())
            if found == {""}:
                found |= self._of_folder(spec.module_path.parent)
        tests = self._in_order(found - {""})
        spent = list(accumulate(self.seconds[test] for test in tests))
        return [test for test, s in zip(tests, spent, strict=True) if s <= max(budget_s, spent[0])]

    def _in_order(self, tests: set[str]) -> list[str]:
        cases: Counter[str] = Counter()
        places = {}
        for test in sorted(tests, key=lambda one: (self._breadth[one], one)):
            function = test.partition("[")[0]
            places[test] = (cases[function], self._breadth[test], test)
            cases[function] += 1
        return sorted(tests, key=places.__getitem__)

    def _of_folder(self, folder: Path) -> set[str]:
        return set().union(
            *(tests for file, of in self._lines.items() if file.parent == folder for tests in of.values())
        )
