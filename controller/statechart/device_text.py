"""Words for faults of a table's devices, the same in every game."""

from controller.events.effect import Alert, Effect, Note
from controller.events.event import (
    Event,
    Health,
    IdentityRefused,
    KeyStuck,
    MachineFailed,
    PanelFault,
    ReaderFault,
    SensorHealth,
)

FAULTS = ("panel-fault", "key-stuck", "machine-failed")
"""The events that tell of a fault."""


def fault_text(event: Event) -> str:
    """What is wrong with a device, naming it.

    Raises:
        TypeError: the event is not one of :data:`FAULTS`.
    """
    if isinstance(event, KeyStuck):
        return f"the key {event.control} is stuck"
    if isinstance(event, MachineFailed):
        return f"the controller failed: {event.cause}"
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


def device_notice(event: Event) -> tuple[Effect, ...]:
    """What people are told of a device in any state of any game, unless the game has a row that says more."""
    if isinstance(event, ReaderFault):
        return (Alert(f"the reader cannot be understood: {event.detail}", "have it mended"),)
    if isinstance(event, KeyStuck):
        return (Alert(fault_text(event), "free the key, or have it mended"),)
    if isinstance(event, IdentityRefused):
        return (_refused(event),)
    if not isinstance(event, SensorHealth):
        return ()
    if event.health is Health.OK:
        return (Note(f"{event.sensor} is in order"),)
    words = f"{event.sensor} {event.health.value}: {event.detail}"
    if event.health is Health.GONE:
        return (Alert(words, "nothing that is keyed there is heard until it is mended"),)
    return (Note(words),)


def _refused(event: IdentityRefused) -> Alert:
    """Nobody is told whether it was the number or the PIN."""
    wait_s = -(-event.wait_ns // 1_000_000_000)
    if not event.number:
        return Alert(
            "the floorperson's key was turned too early after a wrong PIN", f"wait {wait_s} s, then turn it"
        )
    return Alert(f"credential {event.number}: number or PIN is wrong", f"wait {wait_s} s, then turn the key again")
