"""What a table reports to the floor of an update: from the files by which its system and the table proceed."""

from dataclasses import dataclass
from pathlib import Path

from pydantic import BaseModel, ConfigDict, ValidationError

from controller.messages.update_models import VersionMessage
from controller.runtime.update_folder import FOLDER, FilesOfUpdates
from controller.updating.folder import FolderState, InstallState

EXAMINED = "floor.json"
"""What the card's system has made of the bundle that was handed over (``floor_offer.py`` of the image)."""
_MOST_BYTES = 4096
_MOST_WORDS = 1000


@dataclass(frozen=True, slots=True)
class UpdateProgress:
    """How far an offer of the floor's has come.

    Attributes:
        stage: as in :class:`~controller.messages.update_models.VersionMessage`.
        received: bytes that were fetched.
        why: why it does not go on.
    """

    stage: str
    received: int = 0
    why: str = ""


class _Examined(BaseModel):
    model_config = ConfigDict(strict=True, frozen=True)

    digest: str
    state: str
    why: str = ""


class UpdateReports:
    """Reads the folder of a card's image (docs/image.md, "Updates"), and writes nothing there."""

    def __init__(self, folder: Path = FOLDER) -> None:
        self._folder = folder
        self._files = FilesOfUpdates(folder)

    def takes(self) -> bool:
        """Whether this computer takes updates of a card's image."""
        return self._files.exists()

    def runs(self, digest: str) -> bool:
        """Whether what runs was installed from this bundle."""
        running = self._files.read().running
        return running is not None and running.digest == digest

    def message(self, table: str, digest: str, fetched: UpdateProgress) -> VersionMessage:
        """The report.

        Args:
            digest: of what the floor offers; empty for nothing.
            fetched: how far the publisher has come with it.
        """
        if not self.takes():
            return VersionMessage(table=table, takes=False)
        found = self._files.read()
        running = found.running
        progress = self._progress(digest, found, fetched) if digest else UpdateProgress("")
        return VersionMessage(
            table=table,
            takes=True,
            running=running.version[:80] if running is not None else "",
            slot=running.slot[:80] if running is not None else "",
            digest=digest,
            stage=progress.stage[:80],
            received=progress.received,
            why=progress.why[:_MOST_WORDS],
        )

    def _progress(self, digest: str, found: FolderState, fetched: UpdateProgress) -> UpdateProgress:
        """What runs counts first, then what the system reports of the installation, then of the bundle."""
        if found.running is not None and found.running.digest == digest:
            return UpdateProgress("installed", fetched.received)
        installing = found.progress if found.progress is not None and found.progress.digest == digest else None
        if installing is not None and installing.state is not InstallState.FAILED:
            return UpdateProgress("installing", fetched.received)
        if found.confirmed == digest:
            return UpdateProgress("confirmed", fetched.received)
        examined = self._examined()
        if examined is not None and examined.digest == digest:
            # Before an installation that has failed: the floor may have offered the same bundle anew since.
            return UpdateProgress(examined.state, fetched.received, examined.why)
        if installing is not None:
            return UpdateProgress("failed", fetched.received, installing.why or "the system gives no reason")
        return fetched

    def _examined(self) -> _Examined | None:
        try:
            with (self._folder / EXAMINED).open("rb") as file:
                return _Examined.model_validate_json(file.read(_MOST_BYTES))
        except (OSError, ValidationError):
            return None
