"""The folder in which a card's system and its table report updates to each other (docs/image.md, "Updates").

The system writes ``offer.json``, ``progress.json`` and ``running.json``, the table ``confirmed.json``. Each is
written beside and renamed. A computer without the folder takes no updates in this way.
"""

import json
import logging
import os
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from controller.updating.folder import FolderState, InstallProgress, Offer, RunningSlot

if TYPE_CHECKING:
    from controller.runtime.update_documents import OfferDocument, UpdateDocument

log = logging.getLogger("table")

FOLDER = Path("/run/table-update")
OFFER, CONFIRMED, PROGRESS, RUNNING = "offer.json", "confirmed.json", "progress.json", "running.json"
_MOST_BYTES = 16_384
_UNREADABLE = "what the system says of it cannot be read: offer it again, or call the technician"
_D = TypeVar("_D", bound="UpdateDocument")


class FilesOfUpdates:
    """The folder as it is on the card (:class:`controller.updating.folder.UpdateFolder`)."""

    def __init__(self, folder: Path = FOLDER) -> None:
        self._folder = folder
        self._unreadable: set[str] = set()
        """The files that cannot be read, so that each is logged once."""

    def exists(self) -> bool:
        return self._folder.is_dir()

    def read(self) -> FolderState:
        from controller.runtime import update_documents as documents  # Only on a card that takes updates.

        offer = self._judged(self._file(OFFER, documents.OfferDocument))
        confirmed = self._file(CONFIRMED, documents.ConfirmedDocument)
        progress = self._file(PROGRESS, documents.ProgressDocument)
        running = self._file(RUNNING, documents.RunningDocument)
        return FolderState(
            offer,
            confirmed.digest if confirmed is not None else None,
            InstallProgress(progress.digest, progress.state, progress.percent, progress.why) if progress else None,
            RunningSlot(running.version, running.slot, running.digest) if running else None,
        )

    def confirm(self, version: str, digest: str, by: str) -> None:
        self.forget()
        beside = self._folder / f".{CONFIRMED}"
        with beside.open("w", encoding="utf-8") as file:
            json.dump({"digest": digest, "version": version, "by": by}, file)
            file.flush()
            os.fsync(file.fileno())
        beside.rename(self._folder / CONFIRMED)

    def withdraw(self) -> None:
        try:
            (self._folder / CONFIRMED).unlink(missing_ok=True)
        except OSError as error:
            log.error("%s cannot be removed: %s", self._folder / CONFIRMED, error.strerror)

    def forget(self) -> None:
        """Remove the progress of an attempt that has ended; the table has it on record."""
        (self._folder / PROGRESS).unlink(missing_ok=True)

    def _judged(self, found: "OfferDocument | None") -> Offer | None:
        if found is None:
            return Offer("", "", "the system", _UNREADABLE) if OFFER in self._unreadable else None
        if not found.problem and not (found.digest and found.version):
            return Offer(found.version, found.digest, found.source or "the system", _UNREADABLE)
        return Offer(found.version, found.digest, found.source or "the system", found.problem)

    def _file(self, name: str, model: type[_D]) -> _D | None:
        """A file's content; None if it is not there or cannot be read, which is logged once."""
        try:
            with (self._folder / name).open("rb") as file:
                found = model.model_validate_json(file.read(_MOST_BYTES))
        except FileNotFoundError:
            self._unreadable.discard(name)
            return None
        except (OSError, ValueError) as error:
            if name not in self._unreadable:
                why = error.strerror if isinstance(error, OSError) else "it does not hold what it should"
                log.error("%s cannot be read: %s", self._folder / name, why)
            self._unreadable.add(name)
            return None
        self._unreadable.discard(name)
        return found
