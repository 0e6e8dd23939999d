"""The edges that a table keeps beside its journal, for ``wheel-report``."""

import sqlite3
import zlib
from collections.abc import Iterable, Iterator
from contextlib import closing
from itertools import pairwise
from pathlib import Path

from controller.commissioning.wheel_recording import MeasurementError, WheelRecording
from controller.journal.errors import JournalError
from controller.journal.journal import Journal
from controller.journal.replay.trace import EdgeStretch, Traces, trace_file
from hal.events import EdgeBatch

_STARTS = ("table-started", "power-restored")


def kept_stretches(journal: Path, calibrated: str = "") -> list[EdgeStretch]:
    """The stretches of all rounds that are kept, in order.

    Args:
        calibrated: the day of the calibration; only rounds after the day's last start of the table count.

    Raises:
        MeasurementError: no edges are kept.
        JournalError: journal or edges cannot be read.
    """
    file = trace_file(journal)
    with closing(Journal(journal, read_only=True)) as opened:
        since = -1
        for entry in opened.entries() if calibrated else ():
            if entry.kind in _STARTS and entry.utc.startswith(calibrated):
                since = entry.round
    if not file.exists():
        raise MeasurementError(f"{file}: no edges are kept beside the journal; see journal.trace_rounds")
    try:
        with closing(Traces(file, rounds=0)) as traces:
            return [stretch for number in traces.rounds() if number > since for stretch in traces.of(number)]
    except (sqlite3.Error, zlib.error) as error:
        raise JournalError(f"{file} is damaged: {error}; move it away, a new one begins") from error


def recordings(stretches: Iterable[EdgeStretch], backwards: bool, rest_ns: int) -> Iterator[WheelRecording]:
    """Each movement of the wheel as a recording; a long spin of a fine encoder is kept in several stretches.

    Args:
        backwards: whether the encoder counts backwards.
        rest_ns: a pause between two movements is at least so long.
    """
    recording: WheelRecording | None = None
    for stretch in stretches:
        if recording is None or not 0 <= stretch.first_ns - recording.end_ns < rest_ns:
            if recording is not None:
                yield recording
            recording = WheelRecording(stretch.levels, backwards)
        recording.feed(batch_of(stretch, sum(map(len, recording.batches))))
        late = any(other < one for one, other in pairwise(stretch.stamps_ns))
        recording.lost += bool(stretch.lost or stretch.readings or late)
    if recording is not None:
        yield recording


def batch_of(stretch: EdgeStretch, before: int = 0) -> EdgeBatch:
    """A stretch as a batch of edges, after so many others."""
    return EdgeBatch(stretch.edges, stretch.stamps_ns, range(before + 1, before + 1 + len(stretch.edges)))
