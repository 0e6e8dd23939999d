"""Measure a wheel with a clapper, and write its geometry into the table's file.

examples:
  sudo table-controller calibrate table.yaml  # measures the wheel while a technician turns it by hand
  table-controller calibrate table.yaml --capture turns.vcd --section '#7'
      measures it from a recording and writes the result; at its end, the seventh section of the
      wheel's order is at the clapper
"""

import asyncio
from argparse import ArgumentParser, Namespace
from pathlib import Path
from typing import cast

from config.edit import NotFoundError, check_writable
from controller.commands.arguments import add_file, file
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
    add_file(parser, "; stop the table first")
    words = (
        "measure from a logic analyser's recording of encoder_a, encoder_b, clapper and index (or encoder_index):"
        " two slow turns and a throw in each direction, at the end at rest within a section"
    )
    parser.add_argument("--capture", type=file, metavar="CAP.vcd", help=words)
    words = (
        "the section at the clapper when the recording ends: a name that the wheel has once, or '#N' in its order"
    )
    parser.add_argument("--section", metavar="NAME", help=words)


def run(arguments: Namespace) -> int:
    loaded = load_table(Path(arguments.table))  # Not the shipped tables: they are everybody's.
    path, game = loaded.path, loaded.config.game
    wheel, head = loaded.config.wheel, loaded.config.devices.head
    capture = arguments.capture
    if wheel is None or head is None:
        raise UserError(f"{path}: a {game} table has no wheel with a clapper: nothing to calibrate")
    if capture is None and head.backend == "mock":
        raise UserError(
            f"{path}: the head is simulated (backend: mock), and nobody can turn a simulated wheel by hand; "
            "give the head its driver, or measure a recording with --capture"
        )
    if (capture is None) != (arguments.section is None):
        raise UsageError("--capture and --section belong together: a recording, and the section at its end")

    calibration = Calibration(path, wheel, wheel.order or find_game(game).wheel, print)
    try:
        section = calibration.section(arguments.section) if capture is not None else 0
    except MeasurementError as error:
        raise UsageError(str(error)) from error

    async def with_technician() -> int:
        options = device_options(loaded.config, "edges", head)
        source = cast(EdgeSource, open_device("edges", head.backend, head, options, LoopClock()))
        try:
            return await CalibrationDialogue(calibration, source, keyboard()).run()
        finally:
            source.close()

    try:
        check_writable(path)
        if capture is None:
            return asyncio.run(with_technician())
        from hal.capture import captured  # It needs a library that nothing else here does.

        levels, edges = captured(head, str(capture))
        calibration.of(WheelRecording(levels, wheel, [edges]), section)
        return OK
    except (NotFoundError, MeasurementError) as error:
        raise UserError(f"{error}; nothing was changed") from error
    except OSError as error:
        raise UserError(f"{path} cannot be written: {error.strerror}; nothing was changed") from error
