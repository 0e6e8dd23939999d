"""Apply each mutant to a copy of the project and run its rows' tests there: they must fail.

``make mutants`` runs all of them. A mutant under which every test passes has survived: the row names a test that
does not hold its clause.
"""

import argparse
import os
import shutil
import subprocess
import sys
import tempfile
from collections import defaultdict
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from queue import SimpleQueue

from project import ROOT
from regulation_trace import TRACE, rows

from mutants.every import MUTANTS
from mutants.mutant import Mutant, NotApplicableError

_FAILED = 1
"""pytest's exit code if tests ran and some failed. Any other says that the mutant is no program, or no test."""
_LIMIT_S = 300


def tests_of_rows() -> dict[str, tuple[str, ...]]:
    """The tests of the rows that name a mutant, by its name."""
    found: dict[str, dict[str, None]] = defaultdict(dict)
    for row in rows(TRACE):
        for name in row.mutant_names:
            found[name].update(dict.fromkeys(row.test_ids))
    return {name: tuple(tests) for name, tests in found.items()}


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


def verdict(mutant: Mutant, tests: Sequence[str], copy: Path) -> str:
    """Empty if a test fails under the mutant; else what is wrong."""
    if not tests:
        return "no row of docs/regulations.md names it"
    file = copy / mutant.path
    before = file.read_bytes()
    try:
        mutant.apply(copy)
        return _run(tests, copy)
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
        return f"survived: every test of its row passes ({', '.join(tests)})"
    if done.returncode != _FAILED:
        return f"its tests could not run:\n{(done.stdout + done.stderr)[-2000:]}"
    return ""


def run(selected: Sequence[Mutant], processes: int) -> dict[str, str]:
    """What is wrong with each of these mutants that its tests do not find, by its name."""
    tests, wrong = tests_of_rows(), dict[str, str]()
    with copies(processes) as queue, ThreadPoolExecutor(processes) as pool:

        def one(mutant: Mutant) -> tuple[Mutant, str]:
            copy = queue.get()
            try:
                return mutant, verdict(mutant, tests.get(mutant.name, ()), copy)
            finally:
                queue.put(copy)

        for number, (mutant, found) in enumerate(pool.map(one, selected), 1):
            print(f"{number}/{len(selected)} {mutant.name}: {found or 'found'}", flush=True)
            if found:
                wrong[mutant.name] = found
    return wrong


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m mutants.run", description=__doc__)
    parser.add_argument("names", nargs="*", help="mutants, by name or the beginning of it; all if there is none")
    parser.add_argument("--every", type=int, default=1, metavar="N", help="take each N-th mutant only")
    parser.add_argument("--processes", type=int, default=os.cpu_count() or 1)
    chosen = parser.parse_args(arguments)
    selected = [m for m in MUTANTS.values() if not chosen.names or m.name.startswith(tuple(chosen.names))]
    selected = selected[:: max(1, chosen.every)]
    if not selected:
        parser.error(f"no mutant is called so; there are {', '.join(MUTANTS) or 'none'}")
    wrong = run(selected, max(1, chosen.processes))
    print(f"{len(selected)} mutants, {len(selected) - len(wrong)} found, {len(wrong)} not")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
