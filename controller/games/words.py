"""Words for faults of a table's devices, the same in every game."""

from controller.facts import Fact, KeyStuck, MachineFailed, PanelFault

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
