"""Report how a wheel has changed since its calibration, and what to do.

examples:
  table-controller wheel-report table.yaml
      measures the spins that are saved beside the journal
  table-controller wheel-report old.journal --table table.yaml --svg wheel.svg
      measures another journal, and draws the figures
  table-controller wheel-report spins.vcd --table table.yaml
      measures a logic analyser's recording
"""

from argparse import ArgumentParser, Namespace
from dataclasses import asdict
from pathlib import Path

from config.schema import DeviceSection
from controller.commands.journal_files import add_file_and_table, file_and_table
from controller.commands.output import Colour, paint, print_json, write_text
from controller.commissioning.roulette_report import ball_runs, roulette_report
from controller.commissioning.wheel_recording import MeasurementError, WheelRecording
from controller.commissioning.wheel_report import WheelReport, clapper_report, kept_edges
from controller.configuration.shipped import LoadedTable
from controller.drawing.plots import svg
from controller.errors import FAILED, OK, UserError
from controller.machine.registry import find_game
from controller.runtime.trackers import rotor_geometry
from hal.events import EdgeBatch


def configure(parser: ArgumentParser) -> None:
    add_file_and_table(parser, "JOURNAL|CAPTURE")
    parser.add_argument("--svg", type=Path, metavar="OUT", help="also draw the figures, as an SVG picture")
    parser.add_argument("--json", action="store_true", help="print JSON")


def run(arguments: Namespace) -> int:
    loaded, file = file_and_table(arguments)
    report = _of_clapper(loaded, file) if loaded.config.wheel is not None else _of_roulette(loaded, file)
    title = f"the wheel of {loaded.config.table}, {report.title}"
    if arguments.json:
        # Figures without a unit are parts of 1.
        figures = [{**asdict(one), "unit": one.unit.strip(), "drifted": bool(one.remedy)} for one in report.figures]
        head = {"table": loaded.config.table, "drifted": report.drifted, "measured": report.title}
        print_json({**head, "figures": figures})
    else:
        print(f"{title}\n\n{'':<38}{'now':>9}{'before':>12}")
        for figure in report.figures:
            line = f"{figure}  {figure.remedy or 'in order'}"
            print(paint(line, Colour.WARNING) if figure.remedy else line)
    if arguments.svg is not None:
        write_text(arguments.svg, svg(report.plots, title))
    return FAILED if report.drifted else OK


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
    if not file.exists():
        raise UserError(f"{file}: there is no such file")
    if file.suffix != ".vcd":
        return kept_edges(file, calibrated)
    from hal.capture import captured  # It needs a library that nothing else here does.

    return [captured(head, str(file))]
