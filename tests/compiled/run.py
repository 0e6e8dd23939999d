"""Build the compiled form into a folder of its own, and see that it does what the plain one does.

Two questions: do recorded trains of edges give the same events to the last stamp (:mod:`compiled.trains`), and do
the tests of the tracking and of the games whose wheels it watches pass. `make test-compiled`; some minutes.
"""

import argparse
import os
import shutil
import subprocess
import sys
from itertools import zip_longest
from pathlib import Path

from project import ROOT

from controller.runtime.compiling import VARIABLE

FORM = ROOT / "build" / "compiled"
PACKAGES = ("controller", "hal", "config")
FOR_TESTS = ("tests", "benchmarks", "tools", "docs", "systemd", "requirements")
FILES = ("setup.py", "pyproject.toml", "README.md", "LICENSE", "CHANGELOG.md", "Makefile", ".importlinter")
GAMES = sorted(
    f"tests/games/{file.name}"
    for name in ("test_wheel_*.py", "test_roulette*.py")
    for file in (ROOT / "tests/games").glob(name)
)
TESTS = ("tests/unit/tracking", *GAMES, "tests/golden")
_COPIED = (
    "tests/unit/tracking/test_fleet.py::test_lines_that_break_make_no_wrong_result",
    "tests/unit/tracking/test_fleet.py::test_a_contact_that_dies_late_is_counted_by_where_the_wheel_rests",
    "tests/unit/tracking/test_lines_at_rest.py::test_edges_that_are_all_lost_at_the_end_make_no_wrong_result",
    "tests/unit/tracking/test_spins_with_broken_lines.py::test_a_spin_whose_lines_break_at_the_end_is_never_a_wrong_result",
    "tests/unit/tracking/test_spins_with_broken_lines.py::test_a_plug_that_was_out_while_the_wheel_rocked_back_makes_no_result",
)
LEFT_OUT = {
    **dict.fromkeys(
        _COPIED, "copies a tracker in the middle of a spin by pickling it, which compiled classes do not support"
    ),
    "tests/unit/tracking/test_free_run.py::test_many_edges_at_once_are_what_one_after_the_other_is": (
        "replaces a method, which compiled callers do not look up"
    ),
    "tests/games/test_roulette_inspection.py::test_the_trackers_failure_locks_the_table": (
        "replaces a method of a tracker, which a compiled one refuses"
    ),
}
"""Tests that need the plain form, and why. That both forms make the same of edges is compared in any case."""


def main() -> int:
    """Returns an exit code."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument(
        "--wheels", type=int, default=30, help="of each kind, five trains each (default %(default)s)"
    )
    parser.add_argument(
        "--core-sample", type=int, default=1, metavar="N", help="run one in N of the tests (default: all)"
    )
    parser.add_argument("--built", action="store_true", help="take what an earlier run built")
    chosen = parser.parse_args()
    if not chosen.built:
        build()
    version = python(FORM, "-m", "controller", "--version").communicate()[0].strip()
    print(version, flush=True)
    if "compiled" not in version:
        return 1
    if not compare(chosen.wheels):
        return 1
    for test, why in LEFT_OUT.items():
        print(f"left out: {test}: it {why}", flush=True)
    words = [*TESTS, "-n", "auto", "-p", "no:cacheprovider", "--core-sample", str(chosen.core_sample)]
    words += [word for test in LEFT_OUT for word in ("--deselect", test)]
    return subprocess.run([sys.executable, "-m", "pytest", *words], cwd=FORM, check=False).returncode


def build() -> None:
    """Put the compiled packages into the folder, and beside them what the tests read."""
    shutil.rmtree(FORM, ignore_errors=True)
    source = FORM / "source"
    ignored = shutil.ignore_patterns("__pycache__")
    for name in PACKAGES:
        shutil.copytree(ROOT / name, source / name, ignore=ignored)
    for name in FILES:
        shutil.copy(ROOT / name, source)
    environment = {**os.environ, VARIABLE: "1"}
    command = [sys.executable, "setup.py", "--quiet", "build_py", "--build-lib", str(FORM)]
    subprocess.run(command, cwd=source, env=environment, check=True)
    shutil.rmtree(source)
    for name in FOR_TESTS:
        shutil.copytree(ROOT / name, FORM / name, ignore=ignored)
    for name in FILES:
        shutil.copy(ROOT / name, FORM)


def python(folder: Path, *words: str) -> subprocess.Popen[str]:
    """Start Python in one form's folder, which alone is in sight."""
    path = os.pathsep.join(str(folder / name) for name in (".", "tests", "tests/support"))
    environment = {**os.environ, "PYTHONPATH": path}
    return subprocess.Popen(
        [sys.executable, *words], cwd=folder, env=environment, stdout=subprocess.PIPE, text=True
    )


def compare(wheels: int) -> bool:
    """Whether both forms make the same events of the same trains; names each train of which they do not."""
    running = [python(folder, "-m", "compiled.trains", "--wheels", str(wheels)) for folder in (ROOT, FORM)]
    plain, compiled = (process.communicate()[0].splitlines() for process in running)
    if failed := [" ".join(process.args[1:]) for process in running if process.returncode]:
        print(f"failed, nothing was compared: {', '.join(failed)}", flush=True)
        return False
    differ = [pair for pair in zip_longest(plain, compiled) if pair[0] != pair[1]]
    for one, other in differ:
        print(f"differ: plain {one}; compiled {other}")
    events = sum(int(line.split()[5]) for line in plain)
    print(f"{len(plain)} trains, {events} events and states of trackers; {len(differ)} differ", flush=True)
    return not differ and bool(plain)


if __name__ == "__main__":
    sys.exit(main())
