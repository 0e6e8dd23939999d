"""The floor's own record: a journal like a table's, of what people decide at the floor, and of what it deletes."""

import json
import time
from pathlib import Path

from controller.errors import UserError
from controller.journal.errors import JournalError
from controller.journal.journal import Journal

FLOOR = ""
"""The person of an entry that nobody made: the floor decided by itself."""
_CHECKPOINT = "{}"
"""Each entry stands by itself."""


class FloorRecordError(UserError):
    """The record cannot be written; what it speaks of must not take effect."""


def write_record(file: Path, utc_ns: int, kind: str, person: str, **what: object) -> None:
    """Write an entry; it is durable on return. The file is open only meanwhile: any process of the floor may write.

    Raises:
        FloorRecordError: it cannot be written.
    """
    body = json.dumps({"person": person, **what}, ensure_ascii=False, sort_keys=True)
    try:
        journal = Journal(file)
        try:
            journal.append(0, time.monotonic_ns(), utc_ns, kind, body, _CHECKPOINT)
        finally:
            journal.close()
    except JournalError as error:
        raise FloorRecordError(f"the floor's own record: {error}; see record: in the floor's file") from error
