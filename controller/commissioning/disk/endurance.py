"""How long a disk lasts under a table's journal. Pure."""

from dataclasses import dataclass

from controller.commissioning.disk.thresholds import (
    FLASH_PAGE_BYTES,
    LONG_YEARS,
    ROUNDS_A_DAY,
    SHORT_YEARS,
    USUAL_TBW,
)
from controller.commissioning.disk.verdict import DiskFinding, DiskGrade

ENTRIES_A_ROUND = {
    "dreamcatcher": 10,
    "big-six": 10,
    "roulette": 22,
    "sic-bo": 10,
    "three-dice-football": 33,
    "casino-war": 14,
}
"""Entries of 1,000 simulated rounds, by game, openings and inspections included, rounded."""
_DAYS = 365.25


@dataclass(frozen=True, slots=True)
class WrittenBytes:
    """What an entry costs, in bytes.

    Attributes:
        by_process: that this process gave to the file system.
        by_disk: that the disk was given, by this process, the file system and anybody else; None if nobody counts.
        in_file: by which the journal's file grew.
    """

    by_process: float | None
    by_disk: float | None
    in_file: float

    @property
    def worn(self) -> float:
        """What wears the disk: the most of what was counted, and no less than a page of flash for each commit."""
        return max(self.by_process or 0.0, self.by_disk or 0.0, float(FLASH_PAGE_BYTES))


@dataclass(frozen=True, slots=True)
class TableLoad:
    """What a table writes."""

    entries_a_round: int = max(ENTRIES_A_ROUND.values())
    rounds_a_day: int = ROUNDS_A_DAY

    @property
    def entries_a_day(self) -> int:
        return self.entries_a_round * self.rounds_a_day


@dataclass(frozen=True, slots=True)
class LifeSpan:
    """How long a disk of a rating lasts."""

    tbw: float
    what: str
    years: float


def years(tbw: float, written: WrittenBytes, load: TableLoad) -> float:
    """Years until so many terabytes are written."""
    return tbw * 1e12 / (written.worn * load.entries_a_day * _DAYS)


def life_spans(tbw: float | None, written: WrittenBytes, load: TableLoad) -> list[LifeSpan]:
    """Of the disk's rating if it is known, else of usual ones."""
    rated = ((tbw, "this disk"),) if tbw is not None else USUAL_TBW
    return [LifeSpan(terabytes, what, years(terabytes, written, load)) for terabytes, what in rated]


def year_of_journal_bytes(written: WrittenBytes, load: TableLoad) -> float:
    """By how much the journal's file grows in a year."""
    return written.in_file * load.entries_a_day * _DAYS


def judge_endurance(tbw: float | None, written: WrittenBytes, load: TableLoad) -> list[DiskFinding]:
    """Whether a disk of this rating lasts; nothing is found of one whose rating is not known."""
    if tbw is None:
        return []
    lasts = years(tbw, written, load)
    if lasts >= LONG_YEARS:
        return []
    reason = f"{tbw:g} TB are written in {span(lasts)} at {load.rounds_a_day} rounds a day"
    if lasts < SHORT_YEARS:
        return [DiskFinding(DiskGrade.UNFIT, reason, "take a disk with a higher rating (TBW)")]
    remedy = f"put another one in before {span(lasts)} are over, or take one with a higher rating (TBW)"
    return [DiskFinding(DiskGrade.RESERVATIONS, reason, remedy)]


def judge_space(free_bytes: int, written: WrittenBytes, load: TableLoad) -> list[DiskFinding]:
    """Whether a year of the journal has room."""
    needed = year_of_journal_bytes(written, load)
    if free_bytes >= needed:
        return []
    reason = f"{free_bytes / 1e9:.1f} GB are free, and a year of the journal takes {needed / 1e9:.1f} GB"
    return [DiskFinding(DiskGrade.RESERVATIONS, reason, "take a larger disk, or archive the journal in time")]


def span(of_years: float) -> str:
    """``7 years``, ``0.4 years``."""
    if of_years >= 100:
        return "more than 100 years"
    return f"{of_years:.0f} years" if of_years >= 10 else f"{of_years:.1f} years"
