"""Words for faults of a table's devices, the same in every game."""

from controller.effects import Alert, Effect, Note
from controller.facts import (
    Fact,
    Health,
    IdentityRefused,
    KeyStuck,
    MachineFailed,
    PanelFault,
    ReaderFault,
    SensorHealth,
)

FAULTS = ("panel-fault", "key-stuck", "machine-failed")
"""The facts that tell of a fault."""


def fault_words(fact: Fact) -> str:
    """What is wrong with a device, naming it.

    Raises:
        TypeError: the fact is not one of :data:`FAULTS`.
    """
    if isinstance(fact, KeyStuck):
        return f"the key {fact.control} is stuck"
    if isinstance(fact, MachineFailed):
        return f"the controller failed: {fact.cause}"
    if not isinstance(fact, PanelFault):
        raise TypeError(f"{fact.kind} is no fault of a device")
    if fact.detail:
        return f"panel: {fact.detail}"
    parts = []
    if fact.dark:
        parts.append(f"no light at {', '.join(fact.dark)}")
    if fact.burning:
        parts.append(f"light that should be out at {', '.join(fact.burning)}")
    return "panel: " + "; ".join(parts)


def device_told(fact: Fact) -> tuple[Effect, ...]:
    """What people are told of a device in any state of any game, unless the game has a row that says more."""
    if isinstance(fact, ReaderFault):
        return (Alert(f"the reader cannot be understood: {fact.detail}", "have it mended"),)
    if isinstance(fact, KeyStuck):
        return (Alert(fault_words(fact), "free the key, or have it mended"),)
    if isinstance(fact, IdentityRefused):
        return (_refused(fact),)
    if not isinstance(fact, SensorHealth):
        return ()
    if fact.health is Health.OK:
        return (Note(f"{fact.sensor} is in order"),)
    words = f"{fact.sensor} {fact.health.value}: {fact.detail}"
    if fact.health is Health.GONE:
        return (Alert(words, "nothing that is keyed there is heard until it is mended"),)
    return (Note(words),)


def _refused(fact: IdentityRefused) -> Alert:
    """Nobody is told whether it was the number or the PIN."""
    wait_s = -(-fact.wait_ns // 1_000_000_000)
    if not fact.number:
        return Alert(
            "the floorperson's key was turned too early after a wrong PIN", f"wait {wait_s} s, then turn it"
        )
    return Alert(f"credential {fact.number}: number or PIN is wrong", f"wait {wait_s} s, then turn the key again")
