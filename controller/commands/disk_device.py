"""A whole device of ``qualify-disk``: confirmed by its name, written over from end to end, read back, judged."""

import sys
from argparse import Namespace
from dataclasses import asdict
from pathlib import Path

from controller.commands.columns import as_json
from controller.commands.disk_columns import times_text, verdict_data, verdict_text
from controller.commands.status_line import status_line
from controller.commissioning.disk.device_blocks import BLOCK_BYTES, BlocksRead, judge_blocks
from controller.commissioning.disk.device_place import DevicePlace, device_of, open_device
from controller.commissioning.disk.device_trial import fill_and_read, flush_durations
from controller.commissioning.disk.errors import DiskTrialError
from controller.commissioning.disk.flush_times import FlushTimes, flush_times
from controller.commissioning.disk.folder_qualification import KernelFiles
from controller.commissioning.disk.folder_trial import TrialClock, TrialProgress
from controller.commissioning.disk.judge_flush import judge_speed, judge_times
from controller.commissioning.disk.judge_place import judge_disk
from controller.commissioning.disk.trial_folder import disk_error
from controller.commissioning.disk.verdict import DiskGrade, DiskVerdict, verdict_of
from controller.runtime import exit_codes as exits

_NEXT = "next: make a file system on it (mkfs.ext4), mount it, and call qualify-disk with its folder"


def whole_device(arguments: Namespace, kernel: KernelFiles, clock: TrialClock) -> int:
    """Try a device, once somebody has keyed its name."""
    place = device_of(Path(arguments.place), kernel)
    _confirm(place, arguments.erase)
    with open_device(place, BLOCK_BYTES) as disk, status_line() as show:

        def report(progress: TrialProgress) -> None:
            show(f"{progress.what}, {progress.done:.0%}, {progress.left_s:.0f} s left")

        try:
            times = flush_times(flush_durations(disk, arguments.seconds, clock, report))
        except OSError as error:
            raise disk_error(place.path, error) from error
        read = fill_and_read(disk, clock, report)
    verdict = verdict_of(
        judge_blocks(read),
        judge_disk(place.disk),
        judge_speed(times.p50_ms * 1000, place.disk),
        judge_times(times),
    )
    print(as_json(_data(place, times, read, verdict)) if arguments.json else _text(place, times, read, verdict))
    return exits.FAILED if verdict.grade is DiskGrade.UNFIT else exits.OK


def _confirm(place: DevicePlace, named: str | None) -> None:
    """Go on only if the device's name was keyed.

    Raises:
        DiskTrialError: another one was, or none.
    """
    if named is None:
        print(f"everything on {place.disk.title} will be lost", file=sys.stderr)
        print(f"key its name, {place.disk.name}, to go on:", end=" ", file=sys.stderr, flush=True)
        named = sys.stdin.readline().strip()
    if named != place.disk.name:
        raise DiskTrialError(f"{place.path}: '{named}' is not its name, {place.disk.name}; nothing was written")


def _text(place: DevicePlace, times: FlushTimes, read: BlocksRead, verdict: DiskVerdict) -> str:
    lines = [
        f"{place.path}: {place.disk.title}",
        times_text(times).replace("commits", "flushes of a page", 1),
        f"read back: {read.intact} of {read.blocks} blocks of 1 MiB as they were written",
        "",
        verdict_text(verdict),
    ]
    return "\n".join(lines if verdict.grade is DiskGrade.UNFIT else [*lines, _NEXT])


def _data(place: DevicePlace, times: FlushTimes, read: BlocksRead, verdict: DiskVerdict) -> dict[str, object]:
    return {
        "device": str(place.path),
        "disk": {**asdict(place.disk), "kind": place.disk.kind.value},
        "flushes": asdict(times),
        "blocks": {"bytes": BLOCK_BYTES, "count": read.blocks, **asdict(read)},
        **verdict_data(verdict),
    }
