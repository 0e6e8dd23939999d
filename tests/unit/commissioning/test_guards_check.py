"""The self-test of door and cabinet, and of what the computer tells of itself."""

import asyncio
from collections.abc import Callable

import pytest

from controller.commissioning.check_verdict import CheckOutcome, CheckVerdict
from controller.commissioning.guards_check import computer_check, contacts_check
from hal.mock.clock import VirtualClock
from hal.mock.devices import MockComputer, MockDoors

CONTACTS = ("door", "cabinet")


def verdict(
    does: Callable[[MockDoors], None] | None, before: Callable[[MockDoors], None] = lambda doors: None
) -> CheckVerdict:
    """The verdict on contacts at which a technician does something; None for no technician."""
    doors = MockDoors(CONTACTS, ("cabinet",), VirtualClock())
    before(doors)

    async def ask(question: str) -> str:
        assert "open every door" in question
        assert does is not None
        does(doors)
        return ""

    async def wait() -> None:
        pass

    return asyncio.run(contacts_check("tamper", doors, CONTACTS, ask if does is not None else None, wait))


def both(doors: MockDoors) -> None:
    for contact in CONTACTS:
        doors.open(contact)
        doors.shut(contact)


@pytest.mark.parametrize(
    ("does", "outcome", "seen"),
    [
        (both, CheckOutcome.PASSED, "all 2 opened and closed"),
        (lambda doors: doors.open("door"), CheckOutcome.FAILED, "open: door"),
        (lambda doors: (doors.open("door"), doors.shut("door")), CheckOutcome.FAILED, "never opened: cabinet"),
        (None, CheckOutcome.UNTRIED, "all are closed"),
    ],
)
def test_contacts_are_opened_and_closed_by_the_technician(
    does: Callable[[MockDoors], None] | None, outcome: CheckOutcome, seen: str
) -> None:
    found = verdict(does)
    assert (found.outcome, found.seen) == (outcome, seen)


def test_an_open_contact_fails_without_a_technician_too() -> None:
    found = verdict(None, lambda doors: doors.open("cabinet"))
    assert (found.outcome, found.seen) == (CheckOutcome.FAILED, "open: cabinet")


def computer(
    change: Callable[[MockComputer], None] = lambda computer: None,
) -> tuple[list[CheckVerdict], list[str]]:
    this, said = MockComputer(), list[str]()
    change(this)
    return list(computer_check(this, said.append)), said


def test_a_computer_in_order_is_said_and_what_is_wrong_fails() -> None:
    assert computer() == ([], ["  its supply voltage is in order", "  its clock's battery is in order: 3.00 V"])
    for change, seen in (
        (MockComputer.weaken, "the supply voltage is too low"),
        (MockComputer.empty, "the clock's battery is low: 2.10 V"),
    ):
        [found], _ = computer(change)
        assert (found.outcome, found.seen) == (CheckOutcome.FAILED, seen)
