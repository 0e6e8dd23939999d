"""Judges what a power cut left of a log of records, each of which was flushed before the next was written. Pure."""

from collections.abc import Sequence
from dataclasses import dataclass

from controller.commissioning.disk.cut_records import RecordState
from controller.commissioning.disk.verdict import DiskFinding, DiskGrade, DiskVerdict, verdict_of

ENOUGH_RECORDS = 500
"""A disk that keeps writes back keeps some hundred of them. Fewer may all have come through by chance."""
_OTHER_DISK = "take another card, stick or disk: its flush is no flush"
_SHOWN = 5
"""Stretches of numbers that a sentence names."""


@dataclass(frozen=True, slots=True)
class CutLosses:
    """What is there of a log after a cut.

    Attributes:
        reached: the last record of which anything is there.
        required: the last that must be there: acknowledged to a partner, or followed by another one.
        acknowledged: as the partner says; None without one.
        lost: missing, and nothing after them is there.
        reordered: missing or damaged, though a later one is there.
        torn: there in part, and nothing after them.
        corrupted: something else lies in their place.
    """

    reached: int
    required: int
    acknowledged: int | None
    lost: tuple[int, ...] = ()
    reordered: tuple[int, ...] = ()
    torn: tuple[int, ...] = ()
    corrupted: tuple[int, ...] = ()


def losses_of(states: Sequence[RecordState], acknowledged: int | None) -> CutLosses:
    """Compare what is there with what was promised.

    A record is written once the one before it was flushed. So whatever is there, even a part, shows that the disk
    had acknowledged all before it. Only the last may be there or not, whole or in part, if no partner heard of it.

    Args:
        states: of the records from 1 on, as far as the file reaches.
    """
    reached = len(states)
    required = max(acknowledged or 0, reached - 1, 0)
    last_intact = max((number for number, state in enumerate(states, 1) if state is RecordState.INTACT), default=0)
    found: dict[str, list[int]] = {"lost": [], "reordered": [], "torn": [], "corrupted": []}
    for number in range(1, required + 1):
        state = states[number - 1] if number <= reached else RecordState.MISSING
        if state is RecordState.INTACT:
            continue
        if state is RecordState.CORRUPTED:
            found["corrupted"].append(number)
        elif number < last_intact:
            found["reordered"].append(number)
        else:
            found["torn" if state is RecordState.TORN else "lost"].append(number)
    return CutLosses(reached, required, acknowledged, **{name: tuple(those) for name, those in found.items()})


def judge_cut(losses: CutLosses) -> DiskVerdict:
    """May a journal be kept on a disk that came out of a power cut like this?"""
    what = (
        (losses.lost, "acknowledged and lost"),
        (losses.reordered, "reordered, as they are missing or in part and later ones are there"),
        (losses.torn, "torn, as they were acknowledged and are there in part"),
        (losses.corrupted, "corrupted, as something else lies in their place"),
    )
    bad = [
        DiskFinding(DiskGrade.UNFIT, f"{words}: {_numbered(those)}", _OTHER_DISK) for those, words in what if those
    ]
    return verdict_of(bad, [] if bad else _reservations(losses))


def _reservations(losses: CutLosses) -> list[DiskFinding]:
    found = []
    if losses.acknowledged is None:
        reason = (
            "nobody says how far the disk had acknowledged: damage within the log would have shown, "
            "records missing at its end do not"
        )
        remedy = "cut again with --partner, or key the last number seen: --acknowledged N"
        found.append(DiskFinding(DiskGrade.RESERVATIONS, reason, remedy))
    if losses.required < ENOUGH_RECORDS:
        reason = f"only {losses.required} records were flushed before the cut, and {ENOUGH_RECORDS} say something"
        found.append(DiskFinding(DiskGrade.RESERVATIONS, reason, "cut again, later"))
    return found


def _numbered(numbers: Sequence[int]) -> str:
    """``record 3``, ``100 records, 901 to 1000``."""
    many = f"{len(numbers)} records, " if len(numbers) > 1 else "record "
    return f"{many}{stretches(numbers)}"


def stretches(numbers: Sequence[int]) -> str:
    """``3, 7 to 9, ...``."""
    runs: list[tuple[int, int]] = []
    for number in numbers:
        if runs and runs[-1][1] == number - 1:
            runs[-1] = (runs[-1][0], number)
        else:
            runs.append((number, number))
    named = [str(first) if first == last else f"{first} to {last}" for first, last in runs[:_SHOWN]]
    return ", ".join(named) + (", …" if len(runs) > _SHOWN else "")
