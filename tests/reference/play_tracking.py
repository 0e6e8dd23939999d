"""Plays recorded spins at a table of the present code and compares its decisions with those on record."""

from pathlib import Path

from reference.edges import Case, Plain, read
from reference.recorded_table import decide

DATA = Path(__file__).with_name("tracking.jsonl.gz")
"""Edges of simulated wheels, recorded at ``4aa17a3a`` (by ``tests/reference/make_tracking.py`` of ``1244a7f6``)."""


def load(path: Path = DATA) -> list[Case]:
    """The cases of a file.

    Raises:
        ValueError: it is not one.
    """
    return read(path)


def differences(case: Case) -> list[str]:
    """How the present code decides otherwise; each begins with its kind."""
    return compared(case, decide(case))


def compared(case: Case, now: Plain) -> list[str]:
    """How a decision differs from the one on record.

    WRONG RESULT: a result other than the truth. LOST RESULT: a right result is void. NEW RESULT: a right result in
    place of a void. FIXED: a wrong result on record is void. REASON: void for another reason. LOCK: another lock,
    or another sensor named.
    """
    then, truth = case.line["decision"], case.line["truth"]
    found = []
    if now["result"] != then["result"]:
        if now["result"] is None:
            kind = "LOST RESULT" if then["result"] in truth["results"] else "FIXED"
        else:
            kind = "NEW RESULT" if now["result"] in truth["results"] else "WRONG RESULT"
        found.append(f"{kind}: {_words(now)}, recorded {_words(then)}; {_true(truth)}")
    elif now["void"] != then["void"]:
        found.append(f"REASON: {_words(now)}, recorded {_words(then)}; {_true(truth)}")
    if now["lock"] != then["lock"]:
        found.append(f"LOCK: {now['lock'] or 'none'}, recorded {then['lock'] or 'none'}; {_words(now)}")
    return found


def _words(decision: Plain) -> str:
    return (
        f"result {decision['result']}" if decision["result"] is not None else f"void {decision['void'] or '(open)'}"
    )


def _true(truth: Plain) -> str:
    """The truth in a few words; moments count from the rest."""

    def before(at: int | None) -> str:
        return "" if at is None else f" at {(at - truth['rest']) / 1e6:+.2f} s"

    hand = truth["hand"]
    parts = [f"{one['kind']} {one['line']} {one['size'] or ''}{before(one['since'])}" for one in truth["faults"]]
    parts += [f"hand: {hand['kind']}, moved {hand['moved']}{before(hand['at'])}"] if hand else []
    stands = f"in {truth['section']}{', bent' if truth['bent'] else ''}, {truth['revolutions']} revolutions"
    return "; ".join([f"truth: {truth['results'] or 'void'}, {stands}", *parts])
