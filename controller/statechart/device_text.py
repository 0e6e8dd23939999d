"""Texts for faults of a table's devices, the same in every game."""

import re

from controller.events.effect import Alert, Effect, Note
from controller.events.event import (
    ClockBattery,
    ClockChecked,
    Event,
    Health,
    IdentityRefused,
    KeyStuck,
    MachineFailed,
    PanelFault,
    ReaderFault,
    SensorHealth,
    SupplyVoltage,
    TamperClosed,
    TamperOpened,
    WheelDegraded,
)
from controller.events.health import KEYS, MEDIA, SWITCHES, TAMPER
from controller.events.tamper import Guarding, guarding_text, opened_text, supply_text

FAULTS = ("panel-fault", "key-stuck", "machine-failed")
"""The events that report a fault."""
LOOK_INSIDE = "look inside and close it"
CHECK_SUPPLY = "have the power supply and its cable checked"
_REPAIR = re.compile("^mend (it|the lamp)")


def fault_text(event: Event) -> str:
    """The fault of a device, with its name.

    Raises:
        TypeError: the event is not one of :data:`FAULTS`, and locks no table.
    """
    if isinstance(event, KeyStuck):
        return f"the key {event.control} is stuck"
    if isinstance(event, MachineFailed):
        return f"the controller failed: {event.cause}"
    if isinstance(event, TamperOpened):
        return opened_text(event)
    if isinstance(event, SupplyVoltage):
        return supply_text(event)
    if not isinstance(event, PanelFault):
        raise TypeError(f"{event.kind} is no fault of a device")
    if event.detail:
        return f"panel: {event.detail}"
    parts = []
    if event.dark:
        parts.append(f"no light at {', '.join(event.dark)}")
    if event.burning:
        parts.append(f"light that should be out at {', '.join(event.burning)}")
    return "panel: " + "; ".join(parts)


def remedy_of(event: Event, remedy: str) -> str:
    """A remedy for a fault of a device, in the words for what locked the table."""
    if isinstance(event, TamperOpened):
        return _REPAIR.sub(LOOK_INSIDE, remedy)
    return _REPAIR.sub(CHECK_SUPPLY, remedy) if isinstance(event, SupplyVoltage) else remedy


def device_notice(event: Event) -> tuple[Effect, ...]:
    """The effects of a device's event in a state that has no transition for it."""
    if isinstance(event, ReaderFault):
        return (Alert(f"the reader cannot be understood: {event.detail}", "have it mended"),)
    if isinstance(event, KeyStuck):
        return (Alert(fault_text(event), "free the key, or have it mended"),)
    if isinstance(event, IdentityRefused):
        return (_refused(event),)
    if isinstance(event, WheelDegraded):
        return (Alert(event.detail, event.remedy),)
    if isinstance(event, ClockChecked):
        return (_clock(event),)
    if isinstance(event, TamperOpened | TamperClosed | SupplyVoltage | ClockBattery):
        return (_guarding(event),)
    if not isinstance(event, SensorHealth):
        return ()
    if event.sensor in MEDIA:
        return (_medium(event),)
    if event.health is Health.OK:
        return (Note(f"{event.sensor} is in order{f': {event.detail}' if event.detail else ''}"),)
    words = f"{event.sensor} {event.health.value}: {event.detail}"
    if event.sensor == SWITCHES and event.health is Health.STUCK:
        return (Alert(words, "open it, or have it mended: until it opens, its next turn is not heard"),)
    if event.health is Health.NOISY and event.sensor in (*KEYS, SWITCHES):
        return (Alert(words, "unplug it, or have it mended"),)
    if event.sensor == TAMPER:
        return (Alert(words, "whether door and cabinet are closed is not known until it is repaired"),)
    if event.health is Health.GONE:
        return (Alert(words, "nothing that is keyed there is heard until it is mended"),)
    return (Note(words),)


def _medium(event: SensorHealth) -> Effect:
    """A medium of a mirrored journal; the other one goes on."""
    if event.health is Health.OK:
        return Note(f"the {event.sensor} is in order: {event.detail}")
    remedy = "play goes on with the other medium; call the technician: repair it, then start the table anew"
    return Alert(f"the {event.sensor} cannot be used: {event.detail}", remedy)


def _guarding(event: Guarding) -> Alert | Note:
    """What is alerted though it locks nothing."""
    words = guarding_text(event)
    if isinstance(event, TamperOpened):
        return Alert(words, LOOK_INSIDE)
    if isinstance(event, SupplyVoltage) and (event.low or event.earlier):
        return Alert(words, CHECK_SUPPLY)
    if isinstance(event, ClockBattery) and event.low:
        return Alert(words, "replace it, or the time is lost when the power goes")
    return Note(words)


def _clock(event: ClockChecked) -> Alert | Note:
    if not event.doubt:
        return Note("the clock is set")
    return Alert(f"the clock may be wrong: {event.doubt}", "connect the network, or set the clock")


def _refused(event: IdentityRefused) -> Alert:
    """The alert does not reveal whether the number or the PIN was wrong."""
    wait_s = -(-event.wait_ns // 1_000_000_000)
    if event.keyed:
        return Alert("number and PIN were keyed too early after a wrong PIN", f"wait {wait_s} s, then turn the key")
    if not event.number:
        return Alert(
            "the floorperson's key was turned too early after a wrong PIN", f"wait {wait_s} s, then turn it"
        )
    remedy = f"wait {wait_s} s, then turn the key again" if wait_s else "turn the key, then key both"
    return Alert(f"credential {event.number}: number or PIN is wrong", remedy)
