"""The verdict of the self-test on a device."""

from dataclasses import dataclass
from enum import Enum


class CheckOutcome(Enum):
    """The outcome of a device's test."""

    PASSED = "passed"
    FAILED = "failed"
    UNTRIED = "not tried"
    """It opens, but only a person can judge the rest."""


@dataclass(frozen=True, slots=True)
class CheckVerdict:
    """The verdict on a device: what was seen, and what to do about it."""

    outcome: CheckOutcome
    seen: str
    remedy: str = ""


def passed(seen: str) -> CheckVerdict:
    return CheckVerdict(CheckOutcome.PASSED, seen)


def failed(seen: str, remedy: str) -> CheckVerdict:
    return CheckVerdict(CheckOutcome.FAILED, seen, remedy)


def untried(seen: str, remedy: str) -> CheckVerdict:
    return CheckVerdict(CheckOutcome.UNTRIED, seen, remedy)
