"""A table's configuration with every device simulated."""

from collections.abc import Mapping

from pydantic import BaseModel

from config.schema import DeviceSection, TableConfig
from controller.machine.registry import find_game


def on_simulated_hardware(config: TableConfig, options: Mapping[str, object] | None = None) -> TableConfig:
    """The same table with every device simulated, and its encoder mounted as configured.

    What was measured of a real wheel's clapper does not hold for the simulated one, unless that is built to be the
    same by its options.

    Args:
        options: of the simulated wheel, if there is one (see ``hal/mock/settings.py``).
    """

    def simulated(section: DeviceSection | None, extra: Mapping[str, object]) -> BaseModel | None:
        return section and section.model_copy(update={"backend": "mock", "options": dict(extra)})

    devices, wheel = config.devices, config.wheel
    mounted: dict[str, object] = dict(options or {})
    if wheel is not None:
        mounted = {
            "counts_per_turn": wheel.counts_per_turn,
            "index_offset_counts": wheel.index_offset_counts,
            "reversed": wheel.reversed,
            "contact_deg": float(wheel.contact_deg),
            **mounted,
        }
    update = {name: simulated(getattr(devices, name), {}) for name in type(devices).model_fields}
    update["head"] = simulated(devices.head, mounted)
    update["rotor"] = simulated(devices.rotor, {**_mounted_rotor(config), **(options or {})})
    # The bench requires no PIN: the credentials belong to the casino's staff, and stay on the table.
    simulated_table: dict[str, object] = {"devices": devices.model_copy(update=update), "credentials": None}
    if wheel is not None and not set(options or {}) - {"seed"}:
        simulated_table["wheel"] = wheel.model_copy(update={"clapper": None})
    return config.model_copy(update=simulated_table)


def _mounted_rotor(config: TableConfig) -> dict[str, object]:
    """The options of the simulated roulette wheel that follow from the configuration."""
    rotor, pockets = config.rotor, find_game(config.game).pockets
    if rotor is None or pockets is None:
        return {}
    return {
        "counts_per_turn": rotor.counts_per_turn,
        "reversed": rotor.reversed,
        "beam_angle_deg": float(rotor.beam_angle_deg),
        "track_mm": float(rotor.track_mm),
        "ball_mm": float(rotor.ball_mm),
        "pockets": pockets(config.rules),
    }
