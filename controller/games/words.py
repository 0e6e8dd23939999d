"""Words for faults of a table's devices, the same in every game."""

from controller.facts import KeyStuck, MachineFailed, PanelFault


def fault_words(fault: PanelFault | KeyStuck | MachineFailed) -> str:
    """What is wrong with a device, naming it."""
    if isinstance(fault, KeyStuck):
        return f"the key {fault.control} is stuck"
    if isinstance(fault, MachineFailed):
        return f"the controller failed: {fault.cause}"
    parts = []
    if fault.dark:
        parts.append(f"no light at {', '.join(fault.dark)}")
    if fault.burning:
        parts.append(f"light that should be out at {', '.join(fault.burning)}")
    return "panel: " + "; ".join(parts)
