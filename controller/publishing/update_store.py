"""Where the publisher keeps the floor's update while it fetches it, and hands it over to the card's system.

Everything is in one folder on the data partition: ``fetch/DIGEST.part`` grows, is checked once it is whole, and is
renamed to ``handover/table.raucb``, which root takes away (``floor_offer.py`` of the card's image). No name and no
size that the floor sends becomes a part of a path. What may be written is bounded by the size that was announced.
"""

import hashlib
import os
from contextlib import suppress
from pathlib import Path

RESERVE_BYTES = 64 << 20
"""Of the data partition; it is left to the table's record."""
_PART = ".part"


class NoRoomError(OSError):
    """The data partition has no room for the bundle; the message is a sentence."""


class UpdateStore:
    """The folder of one table. Every method reads or writes the disk: call them outside of the event loop."""

    def __init__(self, folder: Path, reserve_bytes: int = RESERVE_BYTES) -> None:
        self._fetch, self._handover = folder / "fetch", folder / "handover"
        self._handed_file = folder / "handed"
        self._reserve_bytes = reserve_bytes

    def handed(self) -> str:
        """The digest of the bundle that was handed over last, and not taken back; empty for none."""
        try:
            return self._handed_file.read_text("ascii")
        except (FileNotFoundError, UnicodeDecodeError):
            return ""

    def begin(self, digest: str) -> int:
        """Prepare to fetch a bundle; parts of all others are deleted.

        Returns:
            how many bytes of it are there.
        """
        for folder in (self._fetch, self._handover):
            folder.mkdir(mode=0o750, parents=True, exist_ok=True)
        part = self._part(digest)
        for other in self._fetch.iterdir():
            if other != part:
                other.unlink()
        return part.stat().st_size if part.exists() else 0

    def reserve(self, bytes_left: int) -> None:
        """Check that so much more can be written.

        Raises:
            NoRoomError: it cannot, without what is left to the record.
        """
        found = os.statvfs(self._fetch)
        free = found.f_bavail * found.f_frsize
        if free < bytes_left + self._reserve_bytes:
            raise NoRoomError(
                f"the data partition has no room: {_mb(bytes_left)} are to be fetched and {_mb(free)} are free, of "
                f"which {_mb(self._reserve_bytes)} are kept for the record; use a larger card, or a USB stick"
            )

    def append(self, digest: str, offset: int, data: bytes) -> None:
        """Write the next bytes. Each chunk goes to the card at once: the record's own writes wait for no more."""
        handle = os.open(self._part(digest), os.O_WRONLY | os.O_CREAT | os.O_NOFOLLOW, 0o640)
        try:
            with open(handle, "wb", closefd=False) as file:
                file.seek(offset)
                file.write(data)
            os.fsync(handle)
        finally:
            os.close(handle)

    def finish(self, digest: str) -> bool:
        """Hand over a bundle that is whole, if it is the one that was announced; else delete it."""
        part = self._part(digest)
        with part.open("rb") as file:
            found = hashlib.file_digest(file, "sha256").hexdigest()
        if found != digest:
            part.unlink()
            return False
        self._write_handed(digest)
        part.rename(self._handover / "table.raucb")
        _sync(self._handover)
        return True

    def withdraw(self) -> None:
        """The floor has taken its offer back: delete what was fetched, and let the system take back what it has."""
        with suppress(FileNotFoundError):
            for part in self._fetch.iterdir():
                part.unlink()
        if self.handed():
            (self._handover / "table.raucb").unlink(missing_ok=True)
            (self._handover / "withdrawn").touch()
            self._handed_file.unlink()

    def _write_handed(self, digest: str) -> None:
        beside = self._handed_file.with_name(".handed")
        with beside.open("w", encoding="ascii") as file:
            file.write(digest)
            file.flush()
            os.fsync(file.fileno())
        beside.rename(self._handed_file)

    def _part(self, digest: str) -> Path:
        return self._fetch / f"{digest}{_PART}"


def _sync(folder: Path) -> None:
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def _mb(count: int) -> str:
    return f"{max(0, count) / 1e6:,.0f} MB"
