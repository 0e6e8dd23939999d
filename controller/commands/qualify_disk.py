"""``qualify-disk``: whether a card, stick or disk may hold a table's journal, with reasons and what to do."""

from argparse import ArgumentParser, ArgumentTypeError, Namespace
from pathlib import Path

from controller.commands.columns import as_json, port
from controller.commands.disk_columns import folder_data, folder_text
from controller.commands.disk_device import whole_device
from controller.commands.disk_power_cut import after_cut, listen, until_cut
from controller.commands.status_line import status_line
from controller.commissioning.disk.device_place import is_device
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
EXAMPLES = (
    ("qualify-disk /var/lib/table-controller --seconds 60", "measures for a minute, and deletes what it wrote"),
    ("qualify-disk /media/stick --tbw 60 --game roulette --json", "also how long it lasts, by its maker's rating"),
    ("sudo qualify-disk /dev/sdb", "a whole device: all that is on it is lost, once its name was keyed"),
    (
        "qualify-disk /media/stick --until-cut --partner 192.0.2.7:9000",
        "writes until the power is cut, and tells another computer how far",
    ),
    ("qualify-disk --listen 9000 --log heard.txt", "on that other computer"),
    ("qualify-disk /media/stick --after-cut --log heard.txt --remove", "what the power cut left"),
)
KERNEL = KernelFiles()
_SECONDS = 60.0
_LONGEST_S = 86_400.0
_PLACE = "a folder on the disk, in which nothing is changed; or a whole device, which is written over"
_PHASES = {
    "partner": ("until_cut",),
    "relay": ("until_cut",),
    "acknowledged": ("after_cut",),
    "remove": ("after_cut",),
    "log": ("listen", "after_cut"),
}
"""The options of a power cut, each with the phases in which it means something."""


def configure(parser: ArgumentParser) -> None:
    parser.add_argument("place", nargs="?", metavar="FOLDER|DEVICE", help=_PLACE)
    parser.add_argument(
        "--seconds", type=_seconds, default=_SECONDS, metavar="N", help="how long to write (default 60)"
    )
    parser.add_argument("--json", action="store_true", help="print what was measured and the verdict as JSON")
    parser.add_argument(
        "--erase", metavar="NAME", help="with a device: its name, keyed beforehand: everything on it will be lost"
    )
    wear = parser.add_argument_group("how long it lasts")
    wear.add_argument("--tbw", type=_terabytes, metavar="TB", help="terabytes written, as its maker rates it")
    wear.add_argument(
        "--game", choices=ENTRIES_A_ROUND, metavar="GAME", help="the table's (default: the one that writes most)"
    )
    wear.add_argument(
        "--rounds-a-day",
        type=_rounds,
        default=ROUNDS_A_DAY,
        metavar="N",
        help=f"how many (default {ROUNDS_A_DAY})",
    )
    _configure_cut(parser)


def _configure_cut(parser: ArgumentParser) -> None:
    cut = parser.add_argument_group("a power cut, on purpose")
    phase = cut.add_mutually_exclusive_group()
    phase.add_argument("--until-cut", action="store_true", help="write numbered records until the power goes")
    phase.add_argument("--after-cut", action="store_true", help="read what the cut left of them")
    phase.add_argument(
        "--listen", type=_port, metavar="PORT", help="on another computer: hear which records are acknowledged"
    )
    cut.add_argument("--partner", type=_partner, metavar="HOST:PORT", help="with --until-cut: who listens")
    cut.add_argument("--relay", metavar="CMD", help="with --until-cut: the command that cuts the power")
    cut.add_argument(
        "--acknowledged", type=_record, metavar="N", help="with --after-cut: the last number that was seen"
    )
    cut.add_argument("--log", type=Path, metavar="FILE", help="with --listen, --after-cut: the numbers heard")
    cut.add_argument("--remove", action="store_true", help="with --after-cut: take the records away at the end")


def _seconds(word: str) -> float:
    return _number(word, "seconds", 1.0, _LONGEST_S, "--seconds 60")


def _terabytes(word: str) -> float:
    return _number(word, "terabytes", 0.001, 1e6, "--tbw 60")


def _rounds(word: str) -> int:
    return round(_number(word, "rounds a day", 1.0, 1e6, "--rounds-a-day 2880"))


def _record(word: str) -> int:
    return round(_number(word, "records", 0.0, 1e9, "--acknowledged 5120"))


def _port(word: str) -> int:
    if not port(word):
        raise ArgumentTypeError("port 0 is none that a partner can name; for example: --listen 9090")
    return port(word)


def _partner(word: str) -> tuple[str, int]:
    host, _, number = word.rpartition(":")
    if not host:
        raise ArgumentTypeError(f"'{word}' is not a host and a port; for example: --partner 192.168.1.20:9090")
    return host.strip("[]"), _port(number)


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
        _check(arguments)
        if arguments.listen is not None:
            return listen(arguments)
        if arguments.until_cut:
            return until_cut(arguments, KERNEL, SystemTrialClock())
        if arguments.after_cut:
            return after_cut(arguments)
        if is_device(Path(arguments.place)):
            return whole_device(arguments, KERNEL, SystemTrialClock())
        return _folder(arguments)
    except DiskUsageError as error:
        complain(f"table-controller qualify-disk: {error}")
        return exits.USAGE
    except DiskTrialError as error:
        complain(f"table-controller qualify-disk: {error}")
        return exits.FAILED


def _check(arguments: Namespace) -> None:
    """Each option goes with the phases that know it.

    Raises:
        DiskUsageError: one is given to another phase, or no folder is named.
    """
    phases = ("until_cut", "after_cut", "listen")
    phase = next((name for name in phases if _given(arguments, name)), "")
    for option, known in _PHASES.items():
        if _given(arguments, option) and phase not in known:
            goes_with = " or ".join(f"--{name.replace('_', '-')}" for name in known)
            raise DiskUsageError(f"--{option} goes with {goes_with} only")
    if phase == "listen" and arguments.place is not None:
        raise DiskUsageError("--listen takes no folder: the disk is on the other computer")
    if phase != "listen" and arguments.place is None:
        raise DiskUsageError("name a folder on the disk, for example: qualify-disk /var/lib/table-controller")
    if arguments.place is not None:
        _check_place(arguments, phase)
    if arguments.log is not None and arguments.acknowledged is not None:
        raise DiskUsageError("--log and --acknowledged say the same; leave one out")


def _check_place(arguments: Namespace, phase: str) -> None:
    if not is_device(Path(arguments.place)):
        if arguments.erase is not None:
            raise DiskUsageError(f"--erase goes with a device, and {arguments.place} is none; nothing was written")
        return
    if phase:
        raise DiskUsageError(
            f"--{phase.replace('_', '-')} goes with a folder; make a file system on the device first"
        )
    if arguments.tbw is not None or arguments.game is not None:
        raise DiskUsageError("--tbw and --game go with a folder; make a file system on the device first")


def _given(arguments: Namespace, option: str) -> bool:
    value = getattr(arguments, option)
    return value is not None and value is not False


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
