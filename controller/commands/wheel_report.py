"""Report how a wheel has changed since its calibration, and what to do.

examples:
  table-controller wheel-report table.yaml  # measures the spins that are saved beside the journal
  table-controller wheel-report table.yaml --journal old.journal --svg wheel.svg
      measures another journal, and draws the figures
  table-controller wheel-report table.yaml --capture spins.vcd  # measures a logic analyser's recording
"""

from argparse import ArgumentParser, Namespace
from dataclasses import asdict
from pathlib import Path

from controller.commands.arguments import add_game_or_file, add_journal, add_json, file, journal_of
from controller.commands.output import WARNING, paint, show, write_text
from controller.commissioning.roulette_report import ball_runs, roulette_report
from controller.commissioning.wheel_recording import MeasurementError, WheelRecording
from controller.commissioning.wheel_report import WheelReport, clapper_report, kept_edges
from controller.configuration.shipped import LoadedTable, find_table
from controller.drawing.plots import svg
from controller.errors import FAILED, OK
from controller.machine.registry import find_game
from controller.runtime.trackers import rotor_geometry
from hal.events import EdgeBatch


def configure(parser: ArgumentParser) -> None:
    add_game_or_file(parser)
    add_journal(parser)
    words = "measure a logic analyser's recording instead of the spins that were kept"
    parser.add_argument("--capture", type=file, metavar="CAP.vcd", help=words)
    parser.add_argument("--svg", type=Path, metavar="OUT", help="also draw the figures, as an SVG picture")
    add_json(parser)


def run(arguments: Namespace) -> int:
    loaded = find_table(arguments.table)
    table, report = loaded.config.table, _measured(loaded, arguments)
    title = f"the wheel of {table}, {report.title}"
    # Figures without a unit are parts of 1.
    figures = [{**asdict(one), "unit": one.unit.strip(), "drifted": bool(one.remedy)} for one in report.figures]
    data = {"table": table, "drifted": report.drifted, "measured": report.title, "figures": figures}
    lines = (
        paint(f"{figure}  {figure.remedy}", WARNING) if figure.remedy else f"{figure}  in order"
        for figure in report.figures
    )
    show(arguments.json, data, [f"{title}\n\n{'':<38}{'now':>9}{'before':>12}", *lines])
    if arguments.svg is not None:
        write_text(arguments.svg, svg(report.plots, title))
    return FAILED if report.drifted else OK


def _measured(loaded: LoadedTable, arguments: Namespace) -> WheelReport:
    config, path = loaded.config, loaded.path
    wheel, rotor, head = config.wheel, config.rotor, config.devices.head or config.devices.rotor

    def edges(calibrated: str = "") -> list[tuple[dict[str, bool], EdgeBatch]]:
        """The levels before each movement that is kept or recorded, and its edges."""
        if arguments.capture is None:
            return kept_edges(journal_of(config, arguments), config.game, calibrated)
        from hal.capture import captured  # It needs a library that nothing else here does.

        return [captured(head, str(arguments.capture))]

    if rotor is not None and config.devices.rotor is not None:
        geometry = rotor_geometry(rotor, config.devices.rotor)
        return roulette_report([run for moved in edges() for run in ball_runs(*moved, geometry)], geometry)
    if wheel is None or head is None:
        raise MeasurementError(f"{path}: a {config.game} table has no wheel with sensors")
    if wheel.clapper is None:
        raise MeasurementError(
            f"{path}: the wheel is not calibrated, so that there is nothing to compare its spins with; "
            f"run: table-controller calibrate {path}"
        )
    spins = [WheelRecording(levels, wheel, [moved]) for levels, moved in edges(wheel.clapper.measured)]
    return clapper_report(spins, wheel, len(wheel.order or find_game(config.game).wheel))
