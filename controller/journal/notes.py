"""``JOURNAL.note``: what a table with a journal of this name has to record and could not, as a code and parameters.

While the journal cannot be used, wrong PINs are counted here, so that a power cut gives nobody new attempts. When
it was replaced or recovered, the note keeps how. It is deleted once all of that is on record.
"""

import json
from contextlib import closing, suppress
from pathlib import Path
from typing import Any, NamedTuple

from controller.events.event import IdentityRefused
from controller.events.words import NOTHING, Text
from controller.journal.durable import write_durably
from controller.journal.errors import JournalDamagedError, JournalError
from controller.journal.journal import Journal
from controller.journal.record import of_entry

REPLACED, RECOVERED, WRONG_PINS = "journal-replaced", "journal-recovered", "wrong-pins"
_OF_IDENTITY = ("identified", "identity-refused")


class WrongPins(NamedTuple):
    """Those since the journal cannot be used; ``in_a_row`` also those before."""

    in_a_row: int = 0
    total: int = 0


def read_wrong_pins(journal: Path) -> WrongPins:
    """What is noted, or else those in a row at the journal's end, as far as it can be read."""
    kept = _read(journal).get(WRONG_PINS)
    if isinstance(kept, list) and [*map(type, kept)] == [int, int]:
        return WrongPins(*kept)
    with suppress(JournalError), closing(Journal(journal, read_only=True)) as opened:
        return WrongPins(_at_end(opened))
    return WrongPins()


def _at_end(journal: Journal) -> int:
    """Consecutive wrong PINs at a journal's end, however long ago; of the entries that can be read."""
    entry = journal.last_of(_OF_IDENTITY, len(journal))
    while entry is not None and entry.kind == "identity-refused":
        with suppress(JournalDamagedError):
            event = of_entry(entry).event
            if isinstance(event, IdentityRefused) and not event.log_on:
                return event.failures
        entry = journal.last_of(_OF_IDENTITY, entry.seq - 1)
    return 0


def noted(journal: Path, code: str) -> Text:
    """What is noted under a code; nothing if nothing is."""
    found = _read(journal).get(code)
    return Text(code, found) if isinstance(found, dict) else NOTHING


def note(journal: Path, code: str, what: object) -> None:
    """Note something; on disk when this returns.

    Raises:
        OSError: the disk cannot be written.
    """
    write_durably(_file(journal), json.dumps({**_read(journal), code: what}))


def mark_recorded(journal: Path) -> None:
    """Delete the note: all of it is on record."""
    _file(journal).unlink(missing_ok=True)


def _read(journal: Path) -> dict[str, Any]:
    with suppress(OSError, ValueError):
        found = json.loads(_file(journal).read_text(encoding="utf-8"))
        return found if isinstance(found, dict) else {}
    return {}


def _file(journal: Path) -> Path:
    return Path(f"{journal}.note")
