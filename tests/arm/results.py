"""What a table must come to on every processor: one line each, the same wherever this runs.

``make test-arm`` runs it on this machine and, with the installed package, on Arm, and compares the lines
(:mod:`arm.run`). They need no clock of this machine, no order of sets, and no processor's way of adding floats.
"""

import io
import json
import sys
from collections.abc import Iterator
from contextlib import redirect_stdout
from hashlib import sha256

from controller.commands import cli
from controller.configuration.shipped import shipped_tables
from controller.runtime import form_check

ROUNDS = 10
"""Simulated rounds of each game, with faults."""
_OF_THIS_RUN = ("seconds", "rounds_per_second")


def printed(*words: str) -> str:
    """What a command prints. In this process: where it is emulated, starting one takes longer than ten rounds.

    Raises:
        SystemExit: it failed; what it printed is the reason.
    """
    out = io.StringIO()
    with redirect_stdout(out):
        code = cli.main(words)
    if code:
        sys.exit(f"{' '.join(words)} ended with {code}:\n{out.getvalue()[-2000:]}")
    return out.getvalue()


def digest(text: str) -> str:
    return sha256(text.encode()).hexdigest()


def demonstration(game: str) -> str:
    """The head of the journal of ten rounds; the last line has it."""
    *_, head = printed("bench", game, "--demo").split()
    return f"{game}: head of the demonstration's journal: {head}"


def rounds(game: str) -> str:
    """Results, voids, locks and wins of rounds on hardware that breaks."""
    words = ("--rounds", str(ROUNDS), "--seed", "1", "--workers", "1", "--faults", "--json")
    found = json.loads(printed("simulate", game, *words))
    for one in _OF_THIS_RUN:
        del found[one]
    counted = f"{found['results']} results, {found['journal']['entries']} entries"
    return f"{game}: {ROUNDS} rounds with faults: {counted}, {digest(json.dumps(found, sort_keys=True))}"


def trackers() -> str:
    """Events of both trackers: what a build compares before it takes compiled modules."""
    events = list(form_check.trackers())
    return f"form_check: {len(events)} lines, {digest(chr(10).join(events))}"


def results() -> Iterator[str]:
    """All of them, in the same order everywhere."""
    for game in sorted(shipped_tables()):
        yield demonstration(game)
        yield rounds(game)
    yield trackers()


if __name__ == "__main__":
    for result in results():
        print(result, flush=True)
