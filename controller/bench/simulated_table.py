"""The configuration of a table on simulated hardware, and the places on its wheel by name."""

import re
from collections.abc import Mapping, Sequence
from pathlib import Path

from pydantic import BaseModel

from config.schema import DeviceSection, TableConfig, TamperDevice
from controller.machine.registry import find_game
from hal.mock.settings import WheelSettings

_SECTION = re.compile(r"section ([1-9][0-9]{0,3})")
_DOORS = TamperDevice.model_validate(
    {
        "backend": "mock",
        "contacts": {"door": {"pin": 2, "opens": "alert"}, "cabinet": {"pin": 3, "opens": "lock", "latch": 4}},
        "latch_reset": 5,
    }
)
_WHEEL = ("counts_per_turn", "index_offset_counts", "reversed")
_ROTOR = ("counts_per_turn", "reversed", "beam_angle_deg", "track_mm", "ball_mm")
"""What the simulated wheel and rotor take over from the table's file."""
_RECORDED = ("head", "rotor", "buttons", "keypad", "keyboard", "switches")
"""The devices that a recording replaces; lamps, buzzer and wheel reader are simulated."""


def on_simulated_hardware(
    config: TableConfig, options: Mapping[str, object] | None = None, recording: Path | None = None
) -> TableConfig:
    """The same table with every device simulated, and its encoder mounted as configured.

    What was measured of a real wheel's clapper does not hold for the simulated one, unless that is built to be the
    same by its options. Nobody needs a PIN: the credentials belong to the casino's staff, and stay on the table.

    Args:
        options: of the simulated wheel, if there is one (see ``hal/mock/settings.py``).
        recording: of a logic analyser at this table; its lines are played instead of simulated ones.
    """

    def simulated(section: DeviceSection | None, mounted: Mapping[str, object]) -> BaseModel | None:
        return section and section.model_copy(update={"backend": "mock", "options": dict(mounted)})

    devices, wheel, given = config.devices, config.wheel, dict(options or {})
    pockets = find_game(config.game).pockets
    turns = {"pockets": pockets(config.rules)} if config.rotor is not None and pockets is not None else {}
    update = {name: simulated(getattr(devices, name), {}) for name in type(devices).model_fields}
    slips = {} if wheel is None else {"slip_deg": float(wheel.contact_deg) + WheelSettings().half_deg}
    update["head"] = simulated(devices.head, {**_mounted(wheel, *_WHEEL), **slips, **given})
    update["rotor"] = simulated(devices.rotor, {**_mounted(config.rotor, *_ROTOR), **turns, **given})
    if recording is not None:
        played = {"backend": "capture", "options": {"file": str(recording)}}
        for name in _RECORDED:
            section = getattr(devices, name)
            update[name] = section and section.model_copy(update=played)
    elif wheel is not None and not given.keys() - {"seed"}:
        wheel = wheel.model_copy(update={"clapper": None})
    devices = devices.model_copy(update=update)
    return config.model_copy(update={"devices": devices, "wheel": wheel, "credentials": None})


def _mounted(section: BaseModel | None, *names: str) -> dict[str, object]:
    return {} if section is None else {name: getattr(section, name) for name in names}


def with_contacts(config: TableConfig) -> TableConfig:
    """The same table with a door that alerts and a cabinet that locks, if its file names no contacts."""
    if config.devices.tamper is not None:
        return config
    return config.model_copy(update={"devices": config.devices.model_copy(update={"tamper": _DOORS})})


# -- places on a wheel ---------------------------------------------------------------------------------------------


def section_in(order: Sequence[str], name: int | str) -> int:
    """The index in a wheel's order of a section: a number, a name (the first of it), or ``section 32``.

    Raises:
        ValueError: the wheel has no such section.
    """
    if isinstance(name, int):
        return name
    if match := _SECTION.fullmatch(name):
        if int(match[1]) > len(order):
            raise ValueError(f"the wheel has no section {match[1]}; write 'section 1' to 'section {len(order)}'")
        return int(match[1]) - 1
    if name not in order:
        raise ValueError(f"no section '{name}' on this wheel; use one of: {', '.join(dict.fromkeys(order))}")
    return order.index(name)


def boundary_in(order: Sequence[str], between: Sequence[str] | int) -> int:
    """The index in a wheel's order of the second of two neighbouring sections: the number of their boundary.

    Raises:
        ValueError: there are no such sections, or they are not neighbours.
    """
    if isinstance(between, int):
        return between
    one, other = ({section_in(order, name), *(i for i, at in enumerate(order) if at == name)} for name in between)
    for second in range(len(order)):
        first = (second - 1) % len(order)
        if (first in one and second in other) or (first in other and second in one):
            return second
    raise ValueError(f"{' and '.join(between)} are not neighbours on this wheel; name two that are")
