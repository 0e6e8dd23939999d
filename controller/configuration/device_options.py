"""The options with which a device is opened, from the table's file and from the game; whether devices are real."""

from config.schema import DeviceSection, TableConfig
from controller.machine.registry import find_game
from hal.registry import settings_model


def device_options(config: TableConfig, kind: str, section: DeviceSection) -> dict[str, object]:
    """A device's options. A backend with an option ``sections`` gets the number of sections of the game's wheel.

    Args:
        kind: the kind of device (see :mod:`hal.registry`).

    Raises:
        UnknownBackendError: there is no such backend.
        UnknownGameError: there is no such game.
    """
    of_game = {"sections": len(find_game(config.game).wheel) or None}
    accepted = settings_model(kind, section.backend).model_fields
    return {**{name: value for name, value in of_game.items() if name in accepted}, **section.options}


def all_simulated(config: TableConfig) -> bool:
    """Whether the table has no real device, as on the bench."""
    sections = (getattr(config.devices, name) for name in type(config.devices).model_fields)
    return all(section is None or section.backend == "mock" for section in sections)
