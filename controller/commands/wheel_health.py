"""``wheel-health``: how a wheel changes over its spins, and what to do before it voids one."""

import math
import sys
from argparse import ArgumentParser, ArgumentTypeError, Namespace
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path

from controller.commands.columns import as_json, columns
from controller.commands.local_time import local_day, local_minute
from controller.commands.progress import shown_progress
from controller.commands.rotor_columns import finding_lines, left_out, rotor_data, rotor_plots, rotor_text
from controller.configuration.shipped import LoadedTable, load_table, table_path
from controller.drawing.plots import Plot, svg
from controller.runtime import exit_codes as exits
from controller.runtime.log_format import complain
from controller.runtime.media import files_of
from controller.runtime.rotor_history import rotor_history
from controller.runtime.wheel_history import (
    WheelHistory,
    WheelHistoryError,
    rounds_kept,
    wheel_history,
)
from controller.wheel_health.findings import WheelFinding
from controller.wheel_health.groups import SpinGroup, summed
from controller.wheel_health.report import MeasuredSpin, by_count, by_day, peg_between, plots

NAME = "wheel-health"
HELP = "what of a wheel drifts, from the edges that are kept, and what to do about it"
EXAMPLES = (
    ("wheel-health table.yaml", "what drifts, by day"),
    (
        "wheel-health old.journal --file table.yaml --spins 100 --svg health.svg",
        "a copy of a journal, in rows of 100 spins, and draws it",
    ),
)
_HEADERS = (
    "since", "spins", "loss ↺", "loss ↻", "air", "strike ↺", "strike ↻", "release ↺", "release ↻",
    "width ↺", "width ↻", "favours", "odd peg",
)  # fmt: skip
_LEGEND = (
    "↺ counterclockwise, ↻ clockwise; loss: of a section, over the calibrated one; air: part that a turn takes; "
    "strike,\nrelease: degrees later than calibrated; width: degrees with the contact closed; favours: by how much "
    "the heavy\nspot favours the best section; odd peg: the one farthest off, and degrees along the rim"
)


class HealthUsageError(Exception):
    """The arguments of the command contradict one another; the message says which to use."""


def configure(parser: ArgumentParser) -> None:
    parser.add_argument("file", metavar="JOURNAL|FILE", help="the YAML file of a table, or a journal with --file")
    parser.add_argument(
        "--file", "--table", dest="table", metavar="FILE", help="the YAML file of the table that wrote the journal"
    )
    parser.add_argument("--spins", type=_count, metavar="N", help="a row for every N spins instead of every day")
    parser.add_argument(
        "--svg", type=Path, metavar="OUT", help="also draw the measures over time, as an SVG picture"
    )
    parser.add_argument("--json", action="store_true", help="print JSON: findings, groups, every spin")


def _count(word: str) -> int:
    if not word.isdecimal() or not int(word):
        raise ArgumentTypeError(f"'{word}' is not a number of spins; for example: --spins 100")
    return int(word)


def run(arguments: Namespace) -> int:
    try:
        loaded, file = _table(arguments)
        if loaded.config.rotor is not None:
            return _of_roulette(loaded, file, arguments)
        with shown_progress("rounds", rounds_kept(file)) as progress:
            history = wheel_history(loaded, file, progress)
        if not history.spins:
            raise WheelHistoryError(f"{file}: no spin could be measured{left_out(history.left_out)}")
    except HealthUsageError as error:
        complain(f"table-controller wheel-health: {error}")
        return exits.USAGE
    except WheelHistoryError as error:
        complain(f"table-controller wheel-health: {error}")
        return exits.FAILED
    return _shown(loaded, history, arguments)


def _of_roulette(loaded: LoadedTable, file: Path, arguments: Namespace) -> int:
    """The same of a roulette wheel."""
    with shown_progress("rounds", rounds_kept(file)) as progress:
        history = rotor_history(loaded, file, progress)
    if not history.spins:
        raise WheelHistoryError(f"{file}: no spin could be measured{left_out(history.left_out)}")
    name = loaded.config.table
    print(as_json(rotor_data(name, history)) if arguments.json else rotor_text(name, history, arguments.spins))
    drawn = arguments.svg is None or _written(arguments.svg, rotor_plots(name, history), name)
    return exits.OK if drawn and not history.findings else exits.FAILED


def _shown(loaded: LoadedTable, history: WheelHistory, arguments: Namespace) -> int:
    size = arguments.spins
    if arguments.json:
        groups = by_day(history.spins) if size is None else by_count(history.spins, size)
        print(as_json(_data(loaded, history, groups)))
    else:
        spins = history.spins
        groups = by_day(spins, local_day) if size is None else by_count(spins, size, local_minute)
        print(_words(loaded, history, groups))
    drawn = arguments.svg is None or _drawn(arguments.svg, loaded, history)
    return exits.OK if drawn and not history.findings else exits.FAILED


def _table(arguments: Namespace) -> tuple[LoadedTable, Path]:
    """The table and its journal.

    Raises:
        HealthUsageError: one of the two was not named, or one twice.
        ConfigError: the table's file is wrong.
    """
    path = table_path(arguments.file)
    if path.suffix not in (".yaml", ".yml"):
        if arguments.table is None:
            raise HealthUsageError(
                f"{path}: a journal does not say how its wheel is built: add --file with its table's YAML file"
            )
        return load_table(table_path(arguments.table)), path
    if arguments.table is not None:
        raise HealthUsageError(f"{path} is a table's file: name the journal in its place, or leave --file out")
    loaded = load_table(path)
    return loaded, files_of(loaded.config).in_use()


# -- output --------------------------------------------------------------------------------------------------------


def _words(loaded: LoadedTable, history: WheelHistory, groups: Sequence[SpinGroup]) -> str:
    many = len(history.spins)
    spins = f"{many} spin{'' if many == 1 else 's'} measured{left_out(history.left_out)}"
    sections = history.geometry.sections
    lines = [
        f"the wheel of {loaded.config.table}, calibrated {history.calibrated}: {spins}",
        "",
        columns(_HEADERS, [_row(one, sections) for one in groups], right=frozenset(range(1, len(_HEADERS) - 1))),
        "",
        _LEGEND,
        "",
    ]
    lines += finding_lines(history.findings, history.spins)
    return "\n".join([*lines, "" if history.findings else "nothing found: the wheel is as calibrated"]).rstrip()


def _row(one: SpinGroup, sections: int) -> list[str]:
    def both(values: tuple[float | None, float | None], form: str) -> list[str]:
        return [
            "–" if value is None else format(round(value, 2 if "+" in form else 3) + 0.0, form) for value in values
        ]

    return [
        one.name,
        str(one.spins),
        *both(one.loss_ratio, ".3f"),
        "–" if one.air_loss is None else f"{one.air_loss:.3f}",
        *both(one.strike_deg, "+.2f"),
        *both(one.release_deg, "+.2f"),
        *both(one.width_deg, ".2f"),
        f"{one.favours:.1%}",
        f"{peg_between(one.odd_peg, sections)} {round(one.odd_deg, 2) + 0.0:+.2f}",
    ]


def _data(loaded: LoadedTable, history: WheelHistory, groups: Sequence[SpinGroup]) -> dict[str, object]:
    """All of it for programs; lengths in degrees, angles along the rim from the first section's start."""
    pegs = summed(spin.measures for spin in history.spins).pegs_along_rim()
    return {
        "table": loaded.config.table,
        "calibrated": history.calibrated,
        "sections": history.geometry.sections,
        "findings": [_finding(one, history) for one in history.findings],
        "groups": [asdict(one) for one in groups],
        "pegs_deg": [None if math.isnan(off) else round(off, 4) for off in pegs],
        "spins": [_spin(spin) for spin in history.spins],
        "left_out": dict(history.left_out),
    }


def _finding(finding: WheelFinding, history: WheelHistory) -> dict[str, object]:
    spin = history.spins[finding.spin - 1]
    return {**asdict(finding), "sign": finding.sign.value, "round": spin.round, "utc": spin.utc}


def _spin(spin: MeasuredSpin) -> dict[str, object]:
    measures = spin.measures
    return {
        "round": spin.round,
        "utc": spin.utc,
        "touched": spin.touched,
        "direction": measures.direction,
        "turns": round(measures.turns, 3),
        "section_loss": measures.section_loss,
        "air_loss": measures.air_loss,
        "loss_ratio": measures.loss_ratio or None,
        "ripple_sections": measures.ripple_sections,
        "fastest_at_deg": measures.fastest_at_deg,
        "strike_deg": measures.strike_deg,
        "release_deg": measures.release_deg,
        "width_deg": measures.width_deg,
        "odd_peg": measures.odd_peg,
        "odd_deg": measures.pegs_deg[measures.odd_peg] * measures.direction,
        "missed_pegs": measures.missed,
        "chatter": measures.chatter,
    }


def _drawn(out: Path, loaded: LoadedTable, history: WheelHistory) -> bool:
    """Write the picture; False if it cannot be written."""
    spins, name = history.spins, loaded.config.table
    return _written(out, plots(name, spins, [spins[one.spin - 1].at_s for one in history.findings]), name)


def _written(out: Path, drawn: Sequence[Plot], table: str) -> bool:
    try:
        out.write_text(svg(drawn, f"the wheel of {table}"), encoding="utf-8")
    except OSError as error:
        complain(f"table-controller wheel-health: {out}: {error.strerror}; name another file")
        return False
    print(f"{out} written", file=sys.stderr)
    return True
