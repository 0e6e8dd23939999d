"""Selected tests of an installed table on an emulated processor; what is selected stands here, and nowhere else.

Run by ``.ci/try-there selected``; standard input has the lines of :mod:`arm.results` on the machine that emulates.
Emulated programs take some fifteen times as long, so this is what may differ by processor: arithmetic, floats,
machine code in packages, SQLite, files and devices. The rest of the suite is the same Python everywhere.
"""

import os
import subprocess
import sys
import time
from collections.abc import Sequence

from arm.results import results
from benchmarks import kill_campaign

KILLS = 5
"""Kills of one journal in each game."""
SEED = "2"
"""One by which every game has entries on record when its tables are killed."""
TESTS = ("tests/contracts", "tests/arm/golden.py")
LEFT_OUT = {
    "tests/contracts/test_contract_modbus.py::test_a_line_that_never_falls_silent_is_reported_in_bounded_time": (
        "the line's noise comes in real time, and an emulated reader falls ever further behind it"
    ),
}
"""Tests that cannot run under emulation, and why."""
_BEGAN = time.monotonic()


def say(words: str) -> None:
    print(f"-- {words}  ({time.monotonic() - _BEGAN:.0f}s)", flush=True)


def same_results(expected: Sequence[str]) -> bool:
    """Whether this processor comes to the lines of the other; names each that differs."""
    found = []
    for line, other in zip(results(), [*expected, *[""] * 1000], strict=False):
        found.append(line)
        print(f"  {line}" if line == other else f"  DIFFERS: {line}\n    expected: {other}", flush=True)
    missing = expected[len(found) :]
    for line in missing:
        print(f"  MISSING: {line}")
    same = sum(line == other for line, other in zip(found, expected, strict=False))
    print(f"  {same} of {len(expected)} lines are the same on both processors")
    return bool(expected) and found == list(expected)


def kills() -> bool:
    """Tables of every game are killed, and what they left is recovered."""
    kill_campaign.KILLS_PER_JOURNAL = KILLS
    count = KILLS * len(kill_campaign.GAMES)
    return kill_campaign.main(["--kills", str(count), "--seed", SEED, "--workers", "1"]) == 0


def tests() -> bool:
    """The selected tests, as many at a time as there are processors."""
    for test, why in LEFT_OUT.items():
        print(f"  left out: {test}: {why}")
    words = [*TESTS, "-n", str(os.cpu_count()), "--dist", "worksteal"]
    words += ["-p", "no:cacheprovider", "-rs", "--durations=10"]
    words += [word for test in LEFT_OUT for word in ("--deselect", test)]
    return subprocess.run([sys.executable, "-m", "pytest", *words], cwd="..", check=False).returncode == 0


def main() -> int:
    """Returns an exit code."""
    expected = sys.stdin.read().splitlines()
    passed = True
    for words, part in (
        ("journal heads, simulated rounds and events of the trackers", lambda: same_results(expected)),
        (f"tables of every game, killed {KILLS} times each and recovered", kills),
        ("the drivers' contracts and the golden journals", tests),
    ):
        say(words)
        passed = part() and passed
    say("passed" if passed else "FAILED")
    return 0 if passed else 1


if __name__ == "__main__":
    sys.exit(main())
