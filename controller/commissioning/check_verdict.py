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
    """The verdict on a device."""

    device: str
    """Its section in the table's file."""
    outcome: CheckOutcome
    seen: str
    remedy: str = ""
