"""What becomes of an update that is confirmed on record, by what the card's system reports of it."""

from enum import Enum
from typing import NamedTuple

from controller.limits.table_state import ConfirmedUpdate
from controller.updating.folder import FolderState, InstallProgress, InstallState


class UpdateStage(Enum):
    """How far a confirmed update has come."""

    PENDING = "pending"
    """The system has not begun."""
    INSTALLING = "installing"
    """The system is at it, or about to start the computer anew."""
    INSTALLED = "installed"
    NOT_INSTALLED = "not installed"
    UNKNOWN = "unknown"
    """Nobody says what runs: neither of the two may be recorded."""


CLOSED_IN = (UpdateStage.PENDING, UpdateStage.INSTALLING)
"""The stages in which nobody plays."""


class UpdateOutcome(NamedTuple):
    """What became of a confirmed update so far, and that in words."""

    stage: UpdateStage
    detail: str


def outcome_of(confirmed: ConfirmedUpdate, folder: FolderState) -> UpdateOutcome:
    """What became of a confirmed update.

    What runs counts first: the computer may have been started anew. A failure counts before a confirmation that
    still lies there, for the system takes that away after it has reported the failure.
    """
    running, progress = folder.running, folder.progress
    if running is not None and running.digest == confirmed.digest:
        return UpdateOutcome(UpdateStage.INSTALLED, f"version {running.version} runs in slot {running.slot}")
    if progress is not None and progress.digest == confirmed.digest:
        return _in_progress(progress)
    if folder.confirmed == confirmed.digest:
        return UpdateOutcome(UpdateStage.PENDING, "is about to be installed")
    if running is None:
        return UpdateOutcome(UpdateStage.UNKNOWN, "nothing says which version runs")
    present = f"version {running.version} runs in slot {running.slot}"
    why = f"{present}; the installation was not begun, was cut off, or what it installed did not start"
    return UpdateOutcome(UpdateStage.NOT_INSTALLED, why)


def _in_progress(progress: InstallProgress) -> UpdateOutcome:
    if progress.state is InstallState.FAILED:
        return UpdateOutcome(UpdateStage.NOT_INSTALLED, progress.why or "the system gives no reason")
    if progress.state is InstallState.RESTARTING:
        return UpdateOutcome(UpdateStage.INSTALLING, "is installed, and the computer is started anew with it")
    return UpdateOutcome(UpdateStage.INSTALLING, f"is being installed, {progress.percent} %")
