"""``qualify-disk``: whether a card, stick or disk may hold a table's journal, with reasons and what to do."""

from argparse import ArgumentParser, ArgumentTypeError, Namespace
from pathlib import Path

from controller.commands.columns import as_json
from controller.commands.disk_columns import folder_data, folder_text
from controller.commands.status_line import status_line
from controller.commissioning.disk.endurance import ENTRIES_A_ROUND, TableLoad
from controller.commissioning.disk.errors import DiskTrialError, DiskUsageError
from controller.commissioning.disk.folder_qualification import KernelFiles, judge_folder, measure, place_of
from controller.commissioning.disk.folder_trial import SystemTrialClock, TrialProgress
from controller.commissioning.disk.thresholds import ROUNDS_A_DAY
from controller.commissioning.disk.verdict import DiskGrade
from controller.runtime import exit_codes as exits
from controller.runtime.log_format import complain

NAME = "qualify-disk"
HELP = "whether a card, stick or disk may hold a table's journal"
KERNEL = KernelFiles()
_SECONDS = 60.0
_LONGEST_S = 86_400.0


def configure(parser: ArgumentParser) -> None:
    parser.add_argument("place", metavar="FOLDER", help="a folder on the disk; nothing in it is changed")
    parser.add_argument(
        "--seconds", type=_seconds, default=_SECONDS, metavar="N", help="how long to write (default 60)"
    )
    parser.add_argument("--json", action="store_true", help="print what was measured and the verdict as JSON")
    wear = parser.add_argument_group("how long it lasts")
    wear.add_argument("--tbw", type=_terabytes, metavar="TB", help="terabytes written, as its maker rates it")
    wear.add_argument(
        "--game", choices=ENTRIES_A_ROUND, metavar="GAME", help="the table's (default: the one that writes most)"
    )
    wear.add_argument(
        "--rounds-a-day", type=_rounds, default=ROUNDS_A_DAY, metavar="N", help=f"default {ROUNDS_A_DAY}"
    )


def _seconds(word: str) -> float:
    return _number(word, "seconds", 1.0, _LONGEST_S, "--seconds 60")


def _terabytes(word: str) -> float:
    return _number(word, "terabytes", 0.001, 1e6, "--tbw 60")


def _rounds(word: str) -> int:
    return round(_number(word, "rounds a day", 1.0, 1e6, "--rounds-a-day 2880"))


def _number(word: str, what: str, least: float, most: float, example: str) -> float:
    try:
        number = float(word)
    except ValueError:
        number = -1.0
    if not least <= number <= most:
        raise ArgumentTypeError(
            f"'{word}' is not a number of {what}, {least:g} to {most:g}; for example: {example}"
        )
    return number


def run(arguments: Namespace) -> int:
    try:
        return _folder(arguments)
    except DiskUsageError as error:
        complain(f"table-controller qualify-disk: {error}")
        return exits.USAGE
    except DiskTrialError as error:
        complain(f"table-controller qualify-disk: {error}")
        return exits.FAILED


def _folder(arguments: Namespace) -> int:
    place = place_of(Path(arguments.place), KERNEL)
    load = _load(arguments)
    with status_line() as show:

        def report(progress: TrialProgress) -> None:
            show(f"{progress.what}, {progress.done:.0%}, {progress.left_s:.0f} s left")

        found = measure(place, arguments.seconds, SystemTrialClock(), report, KERNEL)
    verdict = judge_folder(found, load, arguments.tbw)
    if arguments.json:
        print(as_json(folder_data(found, verdict, load, arguments.tbw)))
    else:
        print(folder_text(found, verdict, load, arguments.tbw))
    return exits.FAILED if verdict.grade is DiskGrade.UNFIT else exits.OK


def _load(arguments: Namespace) -> TableLoad:
    entries = ENTRIES_A_ROUND[arguments.game] if arguments.game else TableLoad().entries_a_round
    return TableLoad(entries, arguments.rounds_a_day)
