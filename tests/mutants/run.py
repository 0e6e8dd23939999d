"""Apply each mutant to a copy of the project and run the tests of each clause that it breaks: they must fail.

``python -m mutants.run`` runs all of them. A mutant under which every test passes has survived: the tests that are
marked with the clause do not enforce it. ``mutants/clauses.yaml`` lists the mutants of each clause.
"""

import argparse
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from queue import SimpleQueue

import yaml
from project import ROOT

from mutants.every import MUTANTS
from mutants.mutant import Mutant, NotApplicableError
from tools.regulations import marked_tests

_FAILED = 1
"""pytest's exit code if tests ran and some failed. Any other says that the mutant is no program, or no test."""
_LIMIT_S = 300
_BROKEN = Path(__file__).with_name("clauses.yaml")


@dataclass(frozen=True)
class Trial:
    """A mutant, before the tests of one clause that it breaks."""

    mutant: Mutant
    clause: str
    tests: tuple[str, ...]

    def __str__(self) -> str:
        return f"{self.mutant.name} (§ {self.clause})"


def trials(names: Sequence[str]) -> list[Trial]:
    """Each clause with each of its mutants, in the order of the law.

    Args:
        names: mutants, by name or the beginning of it; all if there is none.
    """
    broken = yaml.load(_BROKEN.read_text(encoding="utf-8"), Loader=yaml.BaseLoader)
    tests = marked_tests()
    return [
        Trial(MUTANTS[name], clause, tuple(tests[clause]))
        for clause, mutants in broken.items()
        for name in mutants.split()
        if not names or name.startswith(tuple(names))
    ]


@contextmanager
def copies(many: int) -> Iterator[SimpleQueue[Path]]:
    """Copies of the project as it lies here, tracked or not yet."""
    listed = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    files = subprocess.run(listed, cwd=ROOT, check=True, capture_output=True, text=True).stdout.split("\0")
    queue: SimpleQueue[Path] = SimpleQueue()
    with tempfile.TemporaryDirectory(prefix="mutants-") as folder:
        for number in range(many):
            copy = Path(folder) / str(number)
            for file in filter(None, files):
                if (ROOT / file).is_file():
                    (copy / file).parent.mkdir(parents=True, exist_ok=True)
                    shutil.copy2(ROOT / file, copy / file)
            queue.put(copy)
        yield queue


def verdict(trial: Trial, copy: Path) -> str:
    """Empty if a test of the clause fails under the mutant; else what is wrong."""
    file = copy / trial.mutant.path
    before = file.read_bytes()
    try:
        trial.mutant.apply(copy)
        return _run(trial.tests, copy)
    except NotApplicableError as error:
        return str(error)
    finally:
        file.write_bytes(before)


def _run(tests: Sequence[str], copy: Path) -> str:
    # No bytecode: two mutants of one file within a second have the same time stamp.
    environment = {**os.environ, "PYTHONDONTWRITEBYTECODE": "1", "PYTHONHASHSEED": "0", "OPENBLAS_NUM_THREADS": "1"}
    command = [sys.executable, "-m", "pytest", "-x", "-p", "no:cacheprovider", "-p", "no:xdist", *tests]
    try:
        done = subprocess.run(
            command, cwd=copy, env=environment, capture_output=True, text=True, timeout=_LIMIT_S, check=False
        )
    except subprocess.TimeoutExpired:
        return f"its tests did not end within {_LIMIT_S} s"
    if done.returncode == 0:
        return f"survived: every test of the clause passes ({', '.join(tests)})"
    if done.returncode != _FAILED:
        return f"its tests could not run:\n{(done.stdout + done.stderr)[-2000:]}"
    return ""


def run(selected: Sequence[Trial], processes: int) -> list[str]:
    """What is wrong with those that the tests of their clauses do not find."""
    wrong = []
    with copies(processes) as queue, ThreadPoolExecutor(processes) as pool:

        def one(trial: Trial) -> str:
            copy = queue.get()
            try:
                return verdict(trial, copy)
            finally:
                queue.put(copy)

        for number, (trial, found) in enumerate(zip(selected, pool.map(one, selected), strict=True), 1):
            print(f"{number}/{len(selected)} {trial}: {found or 'found'}", flush=True)
            if found:
                wrong.append(f"{trial}: {found}")
    return wrong


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m mutants.run", description=__doc__)
    parser.add_argument("names", nargs="*", help="mutants, by name or the beginning of it; all if there is none")
    parser.add_argument("--every", type=int, default=1, metavar="N", help="take each N-th only")
    parser.add_argument("--processes", type=int, default=os.cpu_count() or 1)
    chosen = parser.parse_args(arguments)
    selected = trials(chosen.names)[:: max(1, chosen.every)]
    if not selected:
        parser.error(f"no mutant is called so; there are {', '.join(MUTANTS)}")
    wrong = run(selected, max(1, chosen.processes))
    print(f"{len(selected)} mutants before the tests of their clauses: {len(selected) - len(wrong)} found")
    for line in wrong:
        print(f"not found: {line}")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
