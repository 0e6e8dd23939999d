"""Measure a wheel with a clapper, and write its geometry into the table's file.

examples:
  sudo table-controller calibrate table.yaml
      measures the wheel while a technician turns it by hand
  table-controller calibrate table.yaml --capture turns.vcd --section 7
      measures it from a recording; at its end, section 7 is at the clapper
"""

import asyncio
from argparse import ArgumentParser, Namespace
from pathlib import Path
from typing import cast

from config.edit import NotFoundError, check_writable
from config.schema import HeadDevice, TableConfig
from controller.commands.output import whole_number
from controller.commissioning.calibration_dialogue import Calibration, CalibrationDialogue
from controller.commissioning.dialogue import keyboard
from controller.commissioning.wheel_recording import MeasurementError, WheelRecording
from controller.configuration.shipped import device_options, load_table
from controller.errors import OK, UsageError, UserError
from controller.machine.registry import find_game
from hal.clock import LoopClock
from hal.interfaces import EdgeSource
from hal.registry import open_device


def configure(parser: ArgumentParser) -> None:
    parser.add_argument("table", metavar="FILE", help="the table's YAML file; stop the table first")
    parser.add_argument(
        "--capture",
        type=Path,
        metavar="CAP.vcd",
        help="measure from a logic analyser's recording of encoder_a, encoder_b, index and clapper: two slow turns"
        " and a throw in each direction, at the end at rest within a section",
    )
    parser.add_argument(
        "--section",
        type=whole_number(0, 1000, "--section 7"),
        metavar="N",
        help="the section at the clapper when the recording ends: 1 for the first of the wheel's order",
    )


def run(arguments: Namespace) -> int:
    loaded = load_table(Path(arguments.table))  # Not the shipped tables: they are everybody's.
    wheel, head = loaded.config.wheel, loaded.config.devices.head
    if wheel is None or head is None:
        raise UserError(
            f"{loaded.path}: a {loaded.config.game} table has no wheel with a clapper: nothing to calibrate"
        )
    capture, section = arguments.capture, arguments.section
    if capture is None and head.backend == "mock":
        raise UserError(
            f"{loaded.path}: the head is simulated (backend: mock), and nobody can turn a simulated wheel by hand; "
            "give the head its driver, or measure a recording with --capture"
        )
    order = wheel.order or find_game(loaded.config.game).wheel
    if section is not None and not 1 <= section <= len(order):
        raise UsageError(f"there is no section {section}: the wheel's order has 1 to {len(order)}")
    if (capture is None) != (section is None):
        raise UsageError("--capture and --section belong together: a recording, and the section at its end")
    calibration = Calibration(loaded.path, wheel, order, print)
    try:
        check_writable(loaded.path)
        if capture is None:
            return asyncio.run(_with_technician(calibration, loaded.config, head))
        from hal.capture import captured  # It needs a library that nothing else here does.

        levels, edges = captured(head, str(capture))
        calibration.of(WheelRecording(levels, wheel, [edges]), section - 1)
        return OK
    except (NotFoundError, MeasurementError) as error:
        raise UserError(f"{error}; nothing was changed") from error
    except OSError as error:
        raise UserError(f"{loaded.path} cannot be written: {error.strerror}; nothing was changed") from error


async def _with_technician(calibration: Calibration, config: TableConfig, section: HeadDevice) -> int:
    options = device_options(config, "edges", section)
    head = cast(EdgeSource, open_device("edges", section.backend, section, options, LoopClock()))
    try:
        return await CalibrationDialogue(calibration, head, keyboard()).run()
    finally:
        head.close()
