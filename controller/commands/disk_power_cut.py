"""The power cut of ``qualify-disk``: records until it comes, a partner that hears of them, the verdict after it."""

from argparse import Namespace
from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import asdict
from pathlib import Path

from controller.commands.columns import as_json
from controller.commands.disk_columns import verdict_data, verdict_text
from controller.commissioning.disk.cut_log import (
    Acknowledged,
    CutLog,
    DiskGoneError,
    begin,
    find,
    remove,
    states,
    write_until_cut,
)
from controller.commissioning.disk.errors import DiskTrialError, DiskUsageError
from controller.commissioning.disk.folder_qualification import KernelFiles, place_of
from controller.commissioning.disk.folder_trial import SystemTrialClock, TrialClock
from controller.commissioning.disk.judge_cut import CutLosses, judge_cut, losses_of
from controller.commissioning.disk.partner import PartnerLine, PartnerListener, read_log
from controller.commissioning.disk.relay import RelayCut, relay_words
from controller.commissioning.disk.trial_folder import existing_folder
from controller.commissioning.disk.verdict import DiskGrade, DiskVerdict
from controller.runtime import exit_codes as exits

_NS = 1_000_000_000


def listen(arguments: Namespace) -> int:
    """Hear what another computer's disk acknowledges, until its power is gone."""
    if arguments.log is None:
        raise DiskUsageError("--listen needs --log FILE, a new file for the numbers")
    show = _once_a_second(SystemTrialClock())
    with PartnerListener(arguments.listen) as listener:
        print(f"listening at port {listener.port}", flush=True)
        last = listener.receive(arguments.log, show)
    print(f"silent since {last}; once its power is back: qualify-disk FOLDER --after-cut --log {arguments.log}")
    return exits.OK


def until_cut(arguments: Namespace, kernel: KernelFiles, clock: TrialClock) -> int:
    """Write records until the power goes."""
    relay = None if arguments.relay is None else relay_words(arguments.relay)
    place = place_of(Path(arguments.place), kernel)
    log = begin(place.folder)
    hearers: list[Acknowledged] = [_once_a_second(clock)]
    with ExitStack() as open_ones:
        try:
            if arguments.partner is not None:
                host, port = arguments.partner
                hearers.append(open_ones.enter_context(PartnerLine(host, port, log.run)).acknowledged)
            if relay is not None:
                cut = RelayCut(relay, clock)
                open_ones.callback(cut.close)
                hearers.append(cut.acknowledged)
            print(f"run {log.run} in {place.folder}; cut the power at any time", flush=True)
            write_until_cut(log, clock, _each(hearers))
        except DiskGoneError as gone:
            print(gone)
        except BaseException:
            remove(place.folder)
            raise
    return exits.OK


def _each(hearers: Sequence[Acknowledged]) -> Acknowledged:
    def acknowledged(number: int) -> None:
        for hearer in hearers:
            hearer(number)

    return acknowledged


def _once_a_second(clock: TrialClock) -> Acknowledged:
    """Print the last number once a second, for somebody who pulls the plug."""
    due = 0

    def show(number: int) -> None:
        nonlocal due
        if (now := clock.now_ns()) >= due:
            due = now + _NS
            print(f"acknowledged {number}", flush=True)

    return show


def after_cut(arguments: Namespace) -> int:
    """Read what the cut left, and judge it."""
    folder = existing_folder(Path(arguments.place))
    log = find(folder)
    losses = losses_of(list(states(log)), _acknowledged(arguments, log))
    verdict = judge_cut(losses)
    print(as_json(_data(log, losses, verdict)) if arguments.json else _text(log, losses, verdict))
    if arguments.remove:
        remove(folder)
    return exits.FAILED if verdict.grade is DiskGrade.UNFIT else exits.OK


def _acknowledged(arguments: Namespace, log: CutLog) -> int | None:
    """How far the disk had acknowledged, as somebody says; None if nobody does."""
    if arguments.log is None:
        number: int | None = arguments.acknowledged
        return number
    run, number = read_log(arguments.log)
    if run != log.run:
        raise DiskTrialError(
            f"{arguments.log} is of run {run}, and {log.folder} has run {log.run}; name the log of this run. "
            "If it is the right one, the disk has lost all of a run: it is unfit"
        )
    return number


def _text(log: CutLog, losses: CutLosses, verdict: DiskVerdict) -> str:
    said = "nobody says how many" if losses.acknowledged is None else str(losses.acknowledged)
    return "\n".join(
        (
            f"run {log.run} in {log.folder}",
            f"records there: up to {losses.reached}; acknowledged: {said}; must be there: up to {losses.required}",
            "",
            verdict_text(verdict),
        )
    )


def _data(log: CutLog, losses: CutLosses, verdict: DiskVerdict) -> dict[str, object]:
    return {"folder": str(log.folder), "run": log.run, **asdict(losses), **verdict_data(verdict)}
