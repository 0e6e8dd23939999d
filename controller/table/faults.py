"""Faults of a table's devices and its controller: their kind, their cause as a code, and what is only alerted."""

from controller.events.effect import Alert, Effect, Note
from controller.events.event import (
    KEYS,
    MIRROR,
    SUPPLY,
    SWITCHES,
    TAMPER,
    CabinetHealth,
    ClockChecked,
    Event,
    Health,
    IdentityRefused,
    KeyStuck,
    MachineFailed,
    PanelFault,
    ReaderFault,
    SensorHealth,
)
from controller.events.words import Text, text
from controller.machine.offers import Device
from controller.table.data import Fault


def fault_of(event: Event) -> Fault | None:
    """The fault that an event reports; None if it reports none that may stop a table."""
    if isinstance(event, PanelFault):
        return Fault(Device.LAMPS, _lamps(event))
    if isinstance(event, KeyStuck):
        return Fault(Device.KEYS, text("key-stuck", key=event.control))
    if isinstance(event, MachineFailed):
        return Fault(Device.CONTROLLER, text("controller-failed", error=event.cause))
    if isinstance(event, CabinetHealth) and event.locks:
        return Fault(Device.SUPPLY if event.part == SUPPLY else Device.TAMPER, event.found)
    if isinstance(event, SensorHealth) and event.sensor in KEYS and event.health is Health.GONE:
        return Fault(Device.KEYS, text("keys-gone", **event.parameters))
    return None


def _lamps(event: PanelFault) -> Text:
    if event.detail:
        return text("panel-failed", detail=event.detail)
    if event.dark and event.burning:
        return text("lamps-wrong", dark=",".join(event.dark), lit=",".join(event.burning))
    if event.dark:
        return text("lamps-dark", dark=",".join(event.dark))
    return text("lamps-lit", lit=",".join(event.burning))


def shut_after(before: tuple[str, ...], event: Event) -> tuple[str, ...]:
    """What keeps the lock shut after an event: contacts that are open, by name, and the supply voltage."""
    if not isinstance(event, CabinetHealth):
        return before
    name = str(event.found.parameters.get("contact", event.part))
    others = tuple(one for one in before if one != name)
    return (*others, name) if event.locks else others


def notice(event: Event) -> tuple[Effect, ...]:
    """The note or alert on an event that stops no table; none for one that people need not see."""
    if isinstance(event, ReaderFault):
        return (Alert("reader-fault", parameters={"detail": event.detail}),)
    if isinstance(event, IdentityRefused):
        return (_refused(event),)
    if isinstance(event, ClockChecked):
        doubt = {"doubt": event.doubt.code, **event.doubt.parameters}
        return (Alert("clock-in-doubt", parameters=doubt) if event.doubt else Note("clock-set"),)
    if isinstance(event, CabinetHealth):
        said = Note if event.health is Health.OK else Alert
        return (said(event.found.code, event.found.parameters),)
    return (_health(event),) if isinstance(event, SensorHealth) else ()


def _health(event: SensorHealth) -> Effect:
    found = event.parameters
    if event.sensor == MIRROR:
        return Note("medium-ok", found) if event.health is Health.OK else Alert("medium-failed", parameters=found)
    if event.health is Health.OK:
        return Note("sensor-ok", found)
    if event.sensor == SWITCHES and event.health is Health.STUCK:
        return Alert("switch-stuck", parameters=found)
    if event.health is Health.NOISY and event.sensor in (*KEYS, SWITCHES):
        return Alert("keys-noisy", parameters=found)
    if event.sensor == TAMPER:
        return Alert("tamper-unknown", parameters=found)
    if event.health is Health.DEGRADED:
        return Alert("wheel-drifts", parameters=found)
    if event.health is Health.GONE:
        return Alert("sensor-failed", parameters=found)
    return Note("sensor-noted", found)


def _refused(event: IdentityRefused) -> Alert:
    """The alert does not reveal whether the number or the PIN was wrong."""
    wait_s = -(-event.wait_ns // 1_000_000_000)
    code = ("log-on-" if event.log_on else "identity-") + ("refused" if event.number else "early")
    return Alert(code, parameters={"number": event.number, "wait_s": wait_s})
