"""Compares the present code's decisions with those on record: ``python -m reference.compare rounds``.

``rounds`` are 965 histories of tables of all games; ``tracking`` are 573 spins of wheels with hands and faults.
Exits with 1 if something differs. Run it in the folder ``tests``.

A change that decides otherwise on purpose shows its differences here. Read each one, then record the outcomes
again in a commit of its own: ``--record`` writes those of the present code.
"""

import json
import sys
from argparse import ArgumentParser
from collections import Counter
from collections.abc import Iterator, Sequence
from difflib import SequenceMatcher
from pathlib import Path

from reference.data import Case, Outcome, Recorded, load
from reference.play import play

HALVES = ("rounds", "tracking")
LATE_MS = 1000
"""An outcome may come so much sooner or later."""
KINDS = {one: one.upper() for one in ("result", "rest", "wins", "lamps", "void", "lock", "alert")}
KINDS |= {"bonus": "RESULT", "wagers-returned": "VOID"}
"""How differences are named, by what they are of; all others are of the STATE."""


def file_of(half: str) -> Path:
    return Path(__file__).with_name(f"{half}.gz")


def differences(recorded: Recorded, case: Case) -> list[str]:
    """Where the present code decides otherwise than on record, each as ``KIND: where: what``.

    After an input that leaves the table in another state, the rest of the case tells nothing more, and is left out.
    """
    try:
        actual = play(recorded, case)
    except Exception as error:  # noqa: BLE001 Whatever it raises is a difference.
        return [f"STATE: {case.game}, {case.name}: the code raises {type(error).__name__}: {error}"]
    found, states = list[str](), ["", ""]
    for number in range(len(case.inputs)):
        pair = [[one for one in outcomes if one[0] == number] for outcomes in (case.outcomes, actual)]
        found += _differences(case, *pair)
        for side, outcomes in enumerate(pair):
            states[side] = next((one[3] for one in reversed(outcomes) if one[2] == "state"), states[side])
        if states[0] != states[1]:
            break
    return found


def _differences(case: Case, expected: list[Outcome], actual: list[Outcome]) -> Iterator[str]:
    """Of the outcomes of one input, in order where they are of one kind."""
    kinds = dict.fromkeys(one[2] for one in (*expected, *actual))
    if len(kinds) > 1:
        for kind in kinds:
            yield from _differences(case, *([one for one in some if one[2] == kind] for some in (expected, actual)))
        return
    texts = [[json.dumps(one[2:]) for one in outcomes] for outcomes in (expected, actual)]
    for how, i, j, k, m in SequenceMatcher(None, *texts, autojunk=False).get_opcodes():
        if how != "equal":
            yield from (_difference(case, one, "is missing") for one in expected[i:j])
            yield from (_difference(case, one, "is new") for one in actual[k:m])
            continue
        for one, other in zip(expected[i:j], actual[k:m], strict=True):
            if abs(late_ms := other[1] - one[1]) > LATE_MS:
                yield _difference(case, one, f"comes {late_ms / 1000:+.1f} s later")


def _difference(case: Case, outcome: Outcome, how: str) -> str:
    number, at_ms, what, *params = outcome
    after = " ".join(map(str, case.inputs[number][1:]))
    words = " ".join(one if isinstance(one, str) else json.dumps(one) for one in params)
    place = f"{case.game}, {case.name}, input {number} ({after}), {at_ms / 1000:.3f} s"
    truth = f"; {case.truth}" if case.truth else ""
    return f"{KINDS.get(what, 'STATE')}: {place}: {what} {words} {how}{truth}"


def main(words: Sequence[str] | None = None) -> int:
    parser = ArgumentParser(prog="python -m reference.compare", description=__doc__)
    parser.add_argument("half", choices=HALVES)
    parser.add_argument("--record", action="store_true", help="write the outcomes of the present code")
    chosen = parser.parse_args(words)
    found, recorded = Counter[str](), load(file_of(chosen.half))
    for case in recorded.cases:
        if chosen.record:
            case.outcomes = play(recorded, case)
            continue
        for difference in differences(recorded, case):
            print(difference, flush=True)
            found[difference.partition(":")[0]] += 1
    if chosen.record:
        print(f"{len(recorded.cases)} cases, {recorded.save(file_of(chosen.half)):,} bytes")
        return 0
    many = ", ".join(f"{kind} {count}" for kind, count in found.items()) or "no difference"
    print(f"{len(recorded.cases)} cases: {many}")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
