"""What a witness signed last of each record, signed again now: what an audit holds an export against."""

import sqlite3
from contextlib import closing
from pathlib import Path

from controller.transparency.checkpoint import Checkpoint
from controller.transparency.note import SignedNote
from controller.transparency.signing_key import Signer
from controller.transparency.witness import WitnessError


def witness_heads(file: Path, signer: Signer, seconds: int) -> list[SignedNote]:
    """The last checkpoint of each record, in the order in which each was signed last. The witness may run
    meanwhile.

    Args:
        file: the witness's.
        seconds: the wall time, since 1970.

    Raises:
        WitnessError: the file cannot be read.
    """
    if not file.is_file():
        raise WitnessError(f"{file}: this witness has signed nothing yet")
    try:
        with closing(sqlite3.connect(file, timeout=5.0)) as db:
            db.execute("PRAGMA query_only=ON")
            rows = db.execute("SELECT origin, size, root FROM logs ORDER BY rowid").fetchall()
    except sqlite3.Error as error:
        raise WitnessError(f"{file}: it cannot be read: {error}") from error
    texts = [Checkpoint(*row).text() for row in rows]
    return [SignedNote(text, (signer.sign(text, seconds),)) for text in texts]
