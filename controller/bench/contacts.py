"""The door and the cabinet of a simulated table: its bench can open them, whatever the table's file says."""

from config.schema import TableConfig, TamperDevice

_SIMULATED = TamperDevice.model_validate(
    {
        "backend": "mock",
        "contacts": {"door": {"pin": 2, "opens": "alert"}, "cabinet": {"pin": 3, "opens": "lock", "latch": 4}},
        "latch_reset": 5,
    }
)


def with_contacts(config: TableConfig) -> TableConfig:
    """The same table with a door that alerts and a cabinet that locks, if its file names no contacts."""
    if config.devices.tamper is not None:
        return config
    return config.model_copy(update={"devices": config.devices.model_copy(update={"tamper": _SIMULATED})})
