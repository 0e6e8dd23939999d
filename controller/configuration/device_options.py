"""The options with which a device is opened: those of the table's file, and what the game alone knows."""

from config.schema import DeviceSection, TableConfig
from controller.statechart.registry import find_game
from hal.registry import settings_model


def device_options(config: TableConfig, kind: str, section: DeviceSection) -> dict[str, object]:
    """A device's options. A backend that has an option ``sections`` hears how many sections the game's wheel has.

    Args:
        kind: the kind of device (see :mod:`hal.registry`).

    Raises:
        UnknownBackendError: there is no such backend.
        UnknownGameError: there is no such game.
    """
    of_game = {"sections": len(find_game(config.game).wheel) or None}
    asked = settings_model(kind, section.backend).model_fields
    return {**{name: value for name, value in of_game.items() if name in asked}, **section.options}
