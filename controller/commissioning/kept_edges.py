"""The edges that a table keeps beside its journal, for ``wheel-report``."""

import sqlite3
import zlib
from contextlib import closing
from pathlib import Path

from controller.commissioning.wheel_recording import MeasurementError
from controller.journal.copied import copied
from controller.journal.errors import JournalError
from controller.journal.reading import copy_of
from controller.journal.replay.trace import EdgeStretch, Traces, trace_file
from hal.events import EdgeBatch

_STARTS = ("table-started", "power-restored")


def kept_edges(journal: Path, calibrated: str = "") -> list[tuple[dict[str, bool], EdgeBatch]]:
    """The movements of all rounds that are kept, without those of which edges were lost: levels before, and edges.

    Args:
        calibrated: the day of the calibration; only rounds after the day's last start of the table count.

    Raises:
        MeasurementError: no edges are kept.
        JournalError: journal or edges cannot be read.
    """
    file = trace_file(journal)
    with copy_of(journal) as opened:
        started = (entry for entry in opened.entries() if entry.kind in _STARTS)
        since = max((entry.round for entry in started if entry.utc[:10] == calibrated), default=-1)
    if not file.exists():
        raise MeasurementError(f"{file}: no edges are kept beside the journal; see journal.trace_rounds")
    try:
        with copied(file) as copy, closing(Traces(copy, rounds=0)) as traces:
            stretches = [one for number in traces.rounds() if number > since for one in traces.of(number)]
    except (sqlite3.Error, zlib.error) as error:
        raise JournalError(f"{file} is damaged: {error}; move it away, a new one begins") from error
    return [(one.levels, _batch(one)) for one in stretches if not one.lost and not one.readings]


def _batch(stretch: EdgeStretch) -> EdgeBatch:
    return EdgeBatch(stretch.edges, stretch.stamps_ns, range(1, 1 + len(stretch.edges)))
