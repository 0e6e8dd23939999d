"""What runs, from which slot, and what each slot was installed from. Called by updates.py."""

import json
import os
import re
import tempfile
from pathlib import Path

MEMORY = Path("/data/update/slots.json")
"""By slot: version and digest of the bundle, SHA-256 of what it has for the boot partition, whether that was found
there at the first start (checked), and whether the table got ready on it (good)."""
VERSION = Path("/usr/lib/table-image/version")
CMDLINE = Path("/proc/cmdline")


def put(file: Path, document: object) -> None:
    """Write a file beside its place and rename it. No link is followed that the table may have put there."""
    handle, name = tempfile.mkstemp(dir=file.parent, prefix=f".{file.stem}.")
    with os.fdopen(handle, "w", encoding="utf-8") as stream:
        json.dump(document, stream)
        stream.flush()
        os.fchmod(handle, 0o644)
        os.fsync(handle)
    Path(name).rename(file)
    folder = os.open(file.parent, os.O_RDONLY)
    os.fsync(folder)
    os.close(folder)


def memory() -> dict[str, dict[str, object]]:
    """What is remembered of the slots."""
    try:
        return dict(json.loads(MEMORY.read_text("utf-8")))
    except (OSError, ValueError):
        return {}


def remember(slot: str, entry: dict[str, object] | None) -> None:
    """Remember of a slot what it was installed from, or forget it."""
    known = memory()
    known.pop(slot, None)
    put(MEMORY, known | ({slot: entry} if entry else {}))


def running_slot() -> str:
    """The slot that the boot loader took."""
    found = re.search(r"rauc\.slot=([AB])\b", CMDLINE.read_text())
    return found[1] if found else "A"


def running_version() -> str:
    """The version that runs."""
    return VERSION.read_text().strip()


def other_slot() -> str:
    """The slot that an update is written to."""
    return "B" if running_slot() == "A" else "A"
