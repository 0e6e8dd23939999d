"""Tests the contacts of door and cabinet, and what the computer tells of its supply and its clock's battery."""

from collections.abc import Awaitable, Callable, Collection, Iterator

from controller.commissioning.check_verdict import CheckOutcome, CheckVerdict
from controller.commissioning.dialogue import Ask, Say
from hal.computer import ComputerHealth
from hal.events import FaultEvent, SwitchEvent
from hal.interfaces import TamperInput

Wait = Callable[[], Awaitable[None]]
COMPUTER = "computer"


async def contacts_check(
    name: str, device: TamperInput, contacts: Collection[str], ask: Ask | None, wait: Wait
) -> CheckVerdict:
    """Every contact opens and closes; without a technician, which are open.

    Raises:
        HalError: a latch cannot be read.
    """
    now_open, opened, faults = set(contacts), set[str](), list[str]()

    def take(event: SwitchEvent | FaultEvent) -> None:
        if isinstance(event, FaultEvent):
            faults.append(event.detail)
        elif event.closed:
            now_open.discard(event.switch)
        else:
            now_open.add(event.switch)
            opened.add(event.switch)

    device.start(take)
    remembered = device.remembered()
    if ask is None:
        await wait()
    else:
        await ask("open every door of the table and close it again, then Enter here:")
    if any(faults):
        return CheckVerdict(name, CheckOutcome.FAILED, faults[-1], "repair it and try again")
    if now_open:
        seen = f"open: {', '.join(sorted(now_open))}"
        return CheckVerdict(name, CheckOutcome.FAILED, seen, "close it; if it is closed, check contact and wire")
    latches = f"; latches that remember an opening: {', '.join(sorted(remembered))}" if remembered else ""
    if ask is None:
        return CheckVerdict(name, CheckOutcome.UNTRIED, f"all are closed{latches}", "open each by hand")
    if missing := sorted(set(contacts) - opened):
        seen = f"never opened: {', '.join(missing)}"
        return CheckVerdict(name, CheckOutcome.FAILED, seen, "check contact and wire: it is closed for ever")
    return CheckVerdict(name, CheckOutcome.PASSED, f"all {len(contacts)} opened and closed{latches}")


def computer_check(computer: ComputerHealth, say: Say) -> Iterator[CheckVerdict]:
    """Say what the computer tells of itself; a verdict only for what is wrong."""
    supply, battery = computer.supply(), computer.battery()
    if supply is None:
        say("  it does not tell of its supply voltage")
    elif supply.low or supply.earlier:
        seen = f"the supply voltage {'is' if supply.low else 'was, since it was switched on,'} too low"
        yield CheckVerdict(COMPUTER, CheckOutcome.FAILED, seen, "check the power supply and its cable")
    else:
        say("  its supply voltage is in order")
    if battery is None:
        say("  it does not tell of its clock's battery")
    elif battery.low:
        seen = f"the clock's battery is low: {battery.detail}"
        yield CheckVerdict(COMPUTER, CheckOutcome.FAILED, seen, "replace it, or write `clock_battery: off`")
    else:
        say(f"  its clock's battery is in order{f': {battery.detail}' if battery.detail else ''}")
