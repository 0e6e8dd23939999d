"""What a table must come to on every processor: one line each, the same wherever this runs.

``make test-arm`` runs it on this machine and, with the installed package, on Arm, and compares the lines
(:mod:`arm.run`). They need no clock of this machine, no order of sets, and no processor's way of adding floats.
"""

import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from hashlib import sha256

from controller.configuration.shipped import shipped_tables

ROUNDS = 10
"""Simulated rounds of each game, with faults."""
WHEELS = 2
"""Wheels of each kind whose edges the trackers take."""
_OF_THIS_RUN = ("seconds", "rounds_per_second")
_ALIKE = {"PYTHONHASHSEED": "0", "OPENBLAS_NUM_THREADS": "1"}


def printed(*words: str) -> str:
    """What a module prints.

    Raises:
        SystemExit: it failed; what it said is the reason.
    """
    done = subprocess.run(
        [sys.executable, "-m", *words],
        env={**os.environ, **_ALIKE},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode:
        sys.exit(f"{' '.join(words)} ended with {done.returncode}:\n{done.stdout[-2000:]}{done.stderr[-2000:]}")
    return done.stdout


def digest(text: str) -> str:
    return sha256(text.encode()).hexdigest()


def demonstration(game: str) -> Iterator[str]:
    """The head of the journal of ten rounds; the last line says it."""
    *_, head = printed("controller", "bench", game, "--demo").split()
    yield f"{game}: the head of the demonstration's journal: {head}"


def rounds(game: str) -> Iterator[str]:
    """Results, voids, locks and wins of rounds on hardware that breaks."""
    words = ("--rounds", str(ROUNDS), "--seed", "1", "--workers", "1", "--faults", "--json")
    found = json.loads(printed("controller", "simulate", game, *words))
    for one in _OF_THIS_RUN:
        del found[one]
    counted = f"{found['results']} results, {found['journal']['entries']} entries"
    yield f"{game}: {ROUNDS} rounds with faults: {counted}, {digest(json.dumps(found, sort_keys=True))}"


def trains() -> Iterator[str]:
    """Events and states of both trackers, for recorded trains of edges."""
    for line in printed("compiled.trains", "--wheels", str(WHEELS)).splitlines():
        yield f"train: {line}"


def form() -> Iterator[str]:
    """What a build compares before it takes compiled modules."""
    events = printed("controller.runtime.form_check", "")
    yield f"form_check: {events.count(chr(10))} lines, {digest(events)}"


def results() -> Iterator[str]:
    """All of them, in the same order everywhere, as many at a time as there are processors."""
    games = sorted(shipped_tables())
    parts: list[Callable[[], Iterator[str]]] = [trains, form]
    parts += [partial(part, game) for game in games for part in (demonstration, rounds)]
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        for lines in pool.map(lambda part: list(part()), parts):
            yield from lines


if __name__ == "__main__":
    for result in results():
        print(result, flush=True)
