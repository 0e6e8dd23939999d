"""Break each clause of the law in a copy of the project, and run the tests of that clause: they must fail.

``python -m campaigns.mutants`` runs all of ``mutants.yaml``. A mutant under which every test passes has survived:
the tests that are marked with the clause do not enforce it.
"""

import argparse
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from queue import SimpleQueue
from typing import NamedTuple

import yaml
from project import ROOT

from tools.regulations import marked_tests

TABLE = Path(__file__).with_name("mutants.yaml")
_FAILED = 1
"""pytest's exit code if tests ran and some failed. Any other says that the mutant is no program, or no test."""
_LIMIT_S = 300


class Mutant(NamedTuple):
    """One place of the code, changed so that clauses no longer hold.

    Attributes:
        clauses: those that it breaks, separated by spaces.
        breaks: what the table then does wrong.
        file: from the project's root; in the table, the key of all its mutants.
        old: text that stands exactly once in the file.
        new: the text in its place.
    """

    name: str
    clauses: str
    breaks: str
    file: str
    old: str
    new: str


def verdict(mutant: Mutant, clause: str, copy: Path) -> str:
    """Empty if a test of the clause fails under the mutant; else what is wrong."""
    file = copy / mutant.file
    before = file.read_text(encoding="utf-8")
    if (places := before.count(mutant.old)) != 1:
        return f"{places} places in {mutant.file} read {mutant.old!r}: it needs one"
    file.write_text(before.replace(mutant.old, mutant.new), encoding="utf-8")
    try:
        return _run(marked_tests()[clause], copy)
    finally:
        file.write_text(before, encoding="utf-8")


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


def copy_project(to: Path) -> Path:
    """The project as it lies here, tracked or not yet."""
    listed = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    for file in subprocess.run(listed, cwd=ROOT, check=True, capture_output=True, text=True).stdout.split("\0"):
        if (ROOT / file).is_file():
            (to / file).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(ROOT / file, to / file)
    return to


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m campaigns.mutants", description=__doc__)
    parser.add_argument("names", nargs="*", help="mutants, by name or the beginning of it; all if there is none")
    parser.add_argument("--processes", type=int, default=os.cpu_count() or 1)
    chosen = parser.parse_args()
    table = yaml.safe_load(TABLE.read_text(encoding="utf-8"))
    mutants = (Mutant(name, file=file, **of) for file, own in table.items() for name, of in own.items())
    asked = [one for one in mutants if not chosen.names or one.name.startswith(tuple(chosen.names))]
    trials = [(mutant, clause) for mutant in asked for clause in mutant.clauses.split()]
    wrong, copies = [], SimpleQueue[Path]()

    def one(trial: tuple[Mutant, str]) -> str:
        copy = copies.get()
        try:
            return verdict(*trial, copy)
        finally:
            copies.put(copy)

    with tempfile.TemporaryDirectory(prefix="mutants-") as folder, ThreadPoolExecutor(chosen.processes) as pool:
        for number in range(chosen.processes):
            copies.put(copy_project(Path(folder) / str(number)))
        for number, ((mutant, clause), found) in enumerate(zip(trials, pool.map(one, trials), strict=True), 1):
            print(f"{number}/{len(trials)} {mutant.name} (§ {clause}): {found or 'found'}", flush=True)
            wrong += [f"{mutant.name} (§ {clause}): {found}"] if found else []
    print(f"{len(trials)} mutants before the tests of their clauses: {len(trials) - len(wrong)} found")
    print(*(f"not found: {line}" for line in wrong), sep="\n")
    return 1 if wrong or not trials else 0


if __name__ == "__main__":
    sys.exit(main())
