"""``wheel-report``: what has drifted on a wheel since it was calibrated, and what to do about it."""

import sys
from argparse import ArgumentParser, Namespace
from dataclasses import asdict
from pathlib import Path

from config.schema import DeviceSection
from controller.commands.columns import as_json
from controller.commands.console import Colour, complain, paint
from controller.commissioning.roulette_report import ball_runs, roulette_report
from controller.commissioning.wheel_recording import MeasurementError, WheelRecording
from controller.commissioning.wheel_report import WheelReport, clapper_report, kept_edges
from controller.configuration.shipped import LoadedTable, load_table, table_path
from controller.machine.registry import find_game
from controller.runtime import exit_codes as exits
from controller.runtime.media import files_of
from controller.runtime.trackers import rotor_geometry
from hal.errors import HalError
from hal.events import EdgeBatch

NAME = "wheel-report"
HELP = "what has drifted on a wheel, from the edges of its spins, and what to do about it"
EXAMPLES = (
    ("wheel-report table.yaml", "measures the spins that are kept beside the table's journal"),
    ("wheel-report old.journal --table table.yaml", "a journal and its traces"),
    ("wheel-report spins.vcd --table table.yaml", "a logic analyser's recording, as for calibrate"),
)


class ReportUsageError(Exception):
    """The arguments of the command contradict one another; the message says which to use."""


def configure(parser: ArgumentParser) -> None:
    parser.add_argument(
        "file", metavar="JOURNAL|CAPTURE|FILE", help="a journal, a recording (.vcd), or the YAML file of a table"
    )
    parser.add_argument("--table", metavar="FILE", help="the YAML file of the table, for a journal or a recording")
    parser.add_argument("--json", action="store_true", help="print JSON")


def run(arguments: Namespace) -> int:
    try:
        loaded, file = _files(arguments)
        report = _of_clapper(loaded, file) if loaded.config.wheel is not None else _of_roulette(loaded, file)
    except ReportUsageError as error:
        complain(f"table-controller wheel-report: {error}")
        return exits.USAGE
    except MeasurementError as error:
        complain(f"table-controller wheel-report: {error}")
        return exits.FAILED
    if arguments.json:
        print(as_json({"table": loaded.config.table, "drifted": report.drifted, **_data(report)}))
    else:
        title = f"the wheel of {loaded.config.table}, {report.title}"
        print(f"{title}\n\n{'':<38}{'now':>9}{'before':>12}")
        for figure in report.figures:
            line = f"{figure}  {figure.remedy or 'in order'}"
            print(paint(line, Colour.WARNING, sys.stdout) if figure.remedy else line)
    return exits.FAILED if report.drifted else exits.OK


def _files(arguments: Namespace) -> tuple[LoadedTable, Path]:
    """The table, and the journal or recording.

    Raises:
        ReportUsageError: one of the two was not named, or one twice.
        ConfigError: the table's file is wrong.
        HalError: there is no such file.
    """
    path = table_path(arguments.file)
    if path.suffix not in (".yaml", ".yml"):
        if arguments.table is None:
            raise ReportUsageError(f"{path} does not describe the wheel: add --table with the table's YAML file")
        if not path.exists():
            raise HalError(f"{path}: there is no such file")
        return load_table(table_path(arguments.table)), path
    if arguments.table is not None:
        raise ReportUsageError(f"{path} is a table's file: name a journal in its place, or leave --table out")
    loaded = load_table(path)
    return loaded, files_of(loaded.config).file


def _of_clapper(loaded: LoadedTable, file: Path) -> WheelReport:
    wheel, head = loaded.config.wheel, loaded.config.devices.head
    assert wheel is not None
    assert head is not None
    if wheel.clapper is None:
        raise MeasurementError(
            f"{loaded.path}: the wheel is not calibrated, so that there is nothing to compare its spins with; "
            f"run: table-controller calibrate {loaded.path}"
        )
    spins = [WheelRecording(levels, wheel, [edges]) for levels, edges in _edges(file, head, wheel.clapper.measured)]
    return clapper_report(spins, wheel, len(wheel.order or find_game(loaded.config.game).wheel))


def _of_roulette(loaded: LoadedTable, file: Path) -> WheelReport:
    rotor, head = loaded.config.rotor, loaded.config.devices.rotor
    if rotor is None or head is None:
        raise MeasurementError(f"{loaded.path}: a {loaded.config.game} table has no wheel with sensors")
    geometry = rotor_geometry(rotor, head)
    runs = [run for levels, edges in _edges(file, head) for run in ball_runs(levels, edges, geometry)]
    return roulette_report(runs, geometry)


def _edges(file: Path, head: DeviceSection, calibrated: str = "") -> list[tuple[dict[str, bool], EdgeBatch]]:
    """The levels before each movement that is kept or recorded, and its edges."""
    if file.suffix != ".vcd":
        return kept_edges(file, calibrated)
    from hal.capture.edges import captured  # It needs a library that nothing else here does.

    return [captured(head, str(file))]


# -- output --------------------------------------------------------------------------------------------------------


def _data(report: WheelReport) -> dict[str, object]:
    """The figures for programs; those without a unit are parts of 1."""
    figures = [{**asdict(one), "unit": one.unit.strip(), "drifted": bool(one.remedy)} for one in report.figures]
    return {"measured": report.title, "figures": figures}
