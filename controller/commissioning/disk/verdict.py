"""The verdict on a disk: the worst of what was found, with reasons and what to do."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import IntEnum


class DiskGrade(IntEnum):
    """May a table's journal be kept there? The worse, the higher."""

    FIT = 0
    RESERVATIONS = 1
    UNFIT = 2

    @property
    def words(self) -> str:
        return ("fit", "fit with reservations", "unfit")[self]


@dataclass(frozen=True, slots=True)
class DiskFinding:
    """One thing that was found.

    Attributes:
        reason: what, with its figure.
        remedy: what to do; empty if there is nothing to do.
    """

    grade: DiskGrade
    reason: str
    remedy: str = ""


@dataclass(frozen=True, slots=True)
class DiskVerdict:
    """All that was found, the worst first."""

    findings: tuple[DiskFinding, ...]

    @property
    def grade(self) -> DiskGrade:
        return max((finding.grade for finding in self.findings), default=DiskGrade.FIT)


def verdict_of(*found: Sequence[DiskFinding]) -> DiskVerdict:
    """The verdict that follows from these findings."""
    findings = [finding for some in found for finding in some]
    return DiskVerdict(tuple(sorted(findings, key=lambda finding: -finding.grade)))
