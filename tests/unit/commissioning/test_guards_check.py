"""The self-test of door and cabinet, and of supply and clock battery."""

import asyncio
from collections.abc import Callable

import pytest

from controller.commissioning.check_verdict import CheckOutcome, CheckVerdict
from controller.commissioning.guards_check import computer_check, contacts_check
from hal.mock.clock import VirtualClock
from hal.mock.devices import MockComputer, MockDoors

CONTACTS = ("door", "cabinet")
PASSED, FAILED, UNTRIED = CheckOutcome.PASSED, CheckOutcome.FAILED, CheckOutcome.UNTRIED


@pytest.mark.parametrize(
    ("before", "does", "outcome", "seen"),
    [
        ("", "+door -door +cabinet -cabinet", PASSED, "all 2 opened and closed"),
        ("", "+door", FAILED, "open: door"),
        ("", "+door -door", FAILED, "never opened: cabinet"),
        ("", None, UNTRIED, "all are closed"),
        ("+cabinet", None, FAILED, "open: cabinet"),
    ],
)
def test_contacts_are_opened_and_closed_by_the_technician(
    before: str, does: str | None, outcome: CheckOutcome, seen: str
) -> None:
    """The technician opens (+) and closes (-) contacts; None for no technician."""
    doors = MockDoors(CONTACTS, ("cabinet",), VirtualClock())

    def act(steps: str) -> None:
        for step in steps.split():
            doors.set(step[1:], step[0] != "+")

    async def ask(question: str) -> str:
        assert "open every door" in question
        act(does or "")
        return ""

    async def wait() -> None:
        pass

    act(before)
    found = asyncio.run(contacts_check("tamper", doors, CONTACTS, None if does is None else ask, wait))
    assert (found.outcome, found.seen) == (outcome, seen)


@pytest.mark.parametrize(
    ("change", "seen"),
    [
        (None, []),
        (MockComputer.weaken, ["the supply voltage is too low"]),
        (MockComputer.empty, ["the clock's battery is low: 2.10 V"]),
    ],
)
def test_supply_and_battery_are_measured(change: Callable[[MockComputer], None] | None, seen: list[str]) -> None:
    this, said = MockComputer(), list[str]()
    if change is not None:
        change(this)
    found: list[CheckVerdict] = list(computer_check(this, said.append))
    assert [(one.outcome, one.seen) for one in found] == [(FAILED, one) for one in seen]
    if not seen:
        assert said == ["  its supply voltage is in order", "  its clock's battery is in order: 3.00 V"]
