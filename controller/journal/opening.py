"""Opens a journal and its mirror as one record: what one of them lacks is copied to it first.

The longer one counts, whichever it is; the hashes show that the shorter one is its beginning. If neither is, or if
the only medium that can be used may lack what the other one has, the table does not open by itself.
"""

import logging
import sqlite3
from collections.abc import Generator
from contextlib import closing
from itertools import islice
from pathlib import Path
from typing import NamedTuple

from controller.journal.durable import sync_folder
from controller.journal.errors import (
    JournalBehindError,
    JournalDamagedError,
    JournalError,
    JournalsForkedError,
    JournalUnwritableError,
)
from controller.journal.head_anchor import anchored_head, missing_at_end
from controller.journal.journal import Journal
from controller.journal.medium import JOURNAL, MIRROR, Medium, same_medium
from controller.journal.mirrored import MirroredJournal
from controller.journal.pair_mark import is_marked, mark, unmark

log = logging.getLogger("table")

BATCH = 2000
"""Entries that are copied in one transaction."""
_NEARLY = 1
"""So many entries may be missing on a medium when the power goes between the two writes."""


class CopyProgress(NamedTuple):
    """How far a medium was filled, in entries."""

    file: Path
    done: int
    total: int


Opening = Generator[CopyProgress, None, MirroredJournal]


def open_mirrored(file: Path, mirror: Path, decided: str = "", distinct: bool = True) -> MirroredJournal:
    """As :func:`opening`, without a pause."""
    steps = opening(file, mirror, decided, distinct)
    while True:
        try:
            next(steps)
        except StopIteration as opened:
            journal: MirroredJournal = opened.value
            return journal


def opening(file: Path, mirror: Path, decided: str = "", distinct: bool = True) -> Opening:
    """Open both, bring them to the same end, and yield after each part that was copied.

    Args:
        decided: the floorperson who goes on from the medium that is there, in words; empty if nobody decided that.
        distinct: the two must lie on different file systems.

    Raises:
        JournalsForkedError: each has entries that the other one lacks, or they are of different tables.
        JournalBehindError: one cannot be used, and it may have more than the other.
        JournalDamagedError, JournalUnwritableError, JournalError: neither can be used.
    """
    media = Medium(JOURNAL, file), Medium(MIRROR, mirror)
    try:
        media[0].open()
        if distinct and same_medium(file, mirror):
            words = f"{mirror}: it would lie on the same medium as the journal; is its own one mounted?"
            media[1].error = JournalUnwritableError(words)
        else:
            media[1].open()
        _make_absent(media, bool(decided))
        if all(medium.journal is not None for medium in media):
            yield from _equalize(media, bool(decided))
        if any(medium.journal is None for medium in media):
            yield from _alone(media, bool(decided))
        return MirroredJournal(media, decided)
    except BaseException:
        for medium in media:
            medium.close()
        raise


def _make_absent(media: tuple[Medium, Medium], decided: bool) -> None:
    """Begin the journals that are not there, unless the medium that is gone may have had the record."""
    if not any(medium.absent for medium in media):
        return
    marked = any(is_marked(medium.file) for medium in media)
    lost = next((medium for medium in media if medium.error is not None), None)
    recorded = any(medium.journal is not None for medium in media)
    if not decided and (marked or (lost is not None and not lost.damaged and not recorded)):
        missing = lost or next(medium for medium in media if medium.absent)
        raise _behind(missing, media[1] if missing is media[0] else media[0])
    if lost is not None and lost.damaged and lost.error is not None:
        raise lost.error
    for medium in media:
        if medium.absent:
            medium.make()


def _equalize(media: tuple[Medium, Medium], decided: bool) -> Generator[CopyProgress]:
    """Copy to the shorter one what it lacks, and mark both."""
    shorter, longer = sorted(media, key=lambda medium: len(_open(medium)))
    one, other = _open(shorter), _open(longer)
    if not _begins_with(other, one):
        raise _fork(media)
    missing = len(other) - len(one)
    if missing > _NEARLY and is_marked(longer.file) and not decided:
        raise _behind(shorter, longer)
    try:
        for medium in media:  # A mark must not outlast a cut that takes the name of the other medium's file.
            sync_folder(medium.file.parent)
        mark(shorter.file, longer.file)  # Before it has anything that may count later on.
        yield from _copy(one, other, shorter)
        mark(longer.file, shorter.file)
    except OSError as error:
        failing = shorter if not is_marked(shorter.file) else longer
        failing.fail(JournalUnwritableError(f"{failing.file}: {error.strerror}"))
    except JournalUnwritableError as error:
        shorter.fail(JournalUnwritableError(f"{shorter.file}: {error}"))
    except JournalDamagedError as error:
        log.error("%s: %s; it is not copied", longer.file, error)
        shorter.fail(JournalDamagedError(f"{shorter.file}: not filled, for {longer.file} is damaged: {error}"))


def _copy(target: Journal, source: Journal, medium: Medium) -> Generator[CopyProgress]:
    total, rows = len(source), source.entries(after=len(target))
    while some := list(islice(rows, BATCH)):
        target.take_over(some)
        medium.filled += len(some)
        yield CopyProgress(medium.file, len(target), total)


def _alone(media: tuple[Medium, Medium], decided: bool) -> Generator[CopyProgress]:
    """One medium is left: it must have all that the other one is known to have, or the floorperson decides."""
    left = next((medium for medium in media if medium.journal is not None), None)
    if left is None:
        raise _neither(media)
    lost = next(medium for medium in media if medium is not left)
    complete = not is_marked(left.file) and len(_open(left)) > 0
    readable = lost.readable() if lost.error is not None else None
    if readable is not None:
        with closing(readable):
            complete = yield from _complete(left, lost, readable, complete)
    if complete:
        unmark(left.file)
    elif not decided:  # A decision is on record before the mark goes.
        raise _behind(lost, left)


def _complete(left: Medium, lost: Medium, readable: Journal, complete: bool) -> Generator[CopyProgress, None, bool]:
    """Whether what is left has all that can be read of the lost medium, after what it lacks was copied."""
    target = _open(left)
    try:
        if not _begins_with(target, readable) and not _begins_with(readable, target):
            if lost.damaged:
                return complete
            raise _fork((left, lost))
        if len(readable) > len(target):
            yield from _copy(target, readable, left)
            complete = not lost.damaged
        else:
            complete = True
        # Without a mark the lost one claims to have everything, and as soon as it is used again, it has not.
        claims = len(readable) > 0 and not lost.damaged and not is_marked(lost.file)
        anchored = anchored_head(lost.file)
        ends_before_head = anchored is not None and anchored.seq > len(readable)
        near = len(target) - len(readable) <= _NEARLY or not is_marked(left.file) or ends_before_head
        return complete and near and not claims and not missing_at_end(target, anchored)
    except (JournalDamagedError, sqlite3.Error) as error:
        log.error("%s cannot be read to its end: %s", lost.file, error)
        return False


def _begins_with(longer: Journal, shorter: Journal) -> bool:
    """Whether one journal is the beginning of another: then they have the hash of its last entry in common."""
    last = len(shorter)
    if last == 0:
        return True
    entry = longer.entry(last)
    return entry is not None and entry.hash == shorter.head


def _open(medium: Medium) -> Journal:
    assert medium.journal is not None
    return medium.journal


# -- what people read ------------------------------------------------------------------------------------------


def _fork(media: tuple[Medium, Medium]) -> JournalError:
    opened = []
    for medium in media:
        journal = medium.journal or medium.readable()
        assert journal is not None
        opened.append((medium, journal))
    low, high = 0, min(len(journal) for _, journal in opened)
    while low < high:  # Once two chains differ, they differ for good.
        middle = (low + high + 1) // 2
        first, second = (journal.entry(middle) for _, journal in opened)
        if first is not None and second is not None and first.hash == second.hash:
            low = middle
        else:
            high = middle - 1
    said = []
    for medium, journal in opened:
        entry = journal.entry(low + 1)
        what = f"{entry.kind} of {entry.utc}" if entry is not None else "nothing"
        said.append(f"{medium.file} has {what}, and {len(journal)} entries")
        if medium.journal is None:
            journal.close()
    remedy = "the technician decides which one counts, and has the other one put away: table-controller journal "
    return JournalsForkedError(
        f"the journal and its mirror differ from entry {low + 1} on: {'; '.join(said)}; "
        f"{remedy}quarantine FILE journal|mirror"
    )


def _behind(lost: Medium, left: Medium) -> JournalBehindError:
    why = str(lost.error) if lost.error is not None else f"{lost.file}: no journal, or one that ends long before"
    return JournalBehindError(
        f"the last rounds may be missing in {left.file}, for the {lost.name} is not here ({why})"
    )


def _neither(media: tuple[Medium, Medium]) -> JournalError:
    errors = [medium.error for medium in media if medium.error is not None]
    words = "; ".join(map(str, errors))
    if all(isinstance(error, JournalDamagedError) for error in errors):
        return JournalDamagedError(words)
    if any(isinstance(error, JournalUnwritableError) for error in errors):
        return JournalUnwritableError(words)
    return JournalError(words)
