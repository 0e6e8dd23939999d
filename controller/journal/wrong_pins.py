"""Wrong PINs at a table whose journal cannot be used: kept in a file beside it until a journal records them.

A power cut gives nobody new attempts: the count of those in a row comes back with the next start, and the journal
that replaces this one names how many there were (:func:`controller.journal.quarantine.quarantine`).
"""

import json
import logging
from contextlib import closing, suppress
from pathlib import Path
from typing import NamedTuple

from controller.events.event import IdentityRefused
from controller.journal.durable import write_durably
from controller.journal.errors import JournalDamagedError, JournalError
from controller.journal.journal import Journal
from controller.journal.record import of_entry

log = logging.getLogger(__name__)


class WrongPins(NamedTuple):
    """Those since the journal cannot be used."""

    in_a_row: int = 0
    total: int = 0


_OF_IDENTITY = ("identified", "identity-refused")


def wrong_pins(journal: Journal) -> int:
    """The number of consecutive wrong PINs at the journal's end, however long ago; of those that can be read."""
    entry = journal.last_of(_OF_IDENTITY, len(journal))
    while entry is not None and entry.kind == "identity-refused":
        with suppress(JournalDamagedError):
            event = of_entry(entry).event
            if isinstance(event, IdentityRefused) and not event.log_on:
                return event.failures
        entry = journal.last_of(_OF_IDENTITY, entry.seq - 1)
    return 0


def read_wrong_pins(journal: Path) -> WrongPins:
    """What is kept beside a journal, or else those in a row at its end, as far as it can be read."""
    with suppress(OSError, ValueError, TypeError):
        found = WrongPins(**json.loads(_file(journal).read_text(encoding="utf-8")))
        if type(found.in_a_row) is int and type(found.total) is int:
            return found
    with suppress(JournalError), closing(Journal(journal, read_only=True)) as opened:
        return WrongPins(wrong_pins(opened))
    return WrongPins()


def keep_wrong_pins(journal: Path, found: WrongPins) -> None:
    """Write them, on disk before anybody is answered. A disk that cannot be written is logged: the wait goes on."""
    try:
        write_durably(_file(journal), json.dumps(found._asdict()))
    except OSError as error:
        log.critical("wrong PINs cannot be kept: %s: %s", _file(journal), error.strerror)


def forget_wrong_pins(journal: Path) -> None:
    """Another journal has them on record."""
    with suppress(FileNotFoundError):
        _file(journal).unlink()


def _file(journal: Path) -> Path:
    return Path(f"{journal}.wrong-pins")
