"""What the table and the card's system report to each other of updates, in a folder of files."""

from enum import Enum
from typing import NamedTuple, Protocol

FROM_FLOOR = "floor"
"""The source of what the floor's server offers."""


class Offer(NamedTuple):
    """An update that the system has examined."""

    version: str
    """Empty if that cannot be read."""
    digest: str
    """SHA-256 of its bundle, hexadecimal; empty if there is no bundle."""
    source: str
    """Where it lies, in words: ``USB stick``, ``floor``, ``FILE table.raucb``."""
    problem: str = ""
    """Why it cannot be taken, and what to do; empty if it can."""


class InstallState(Enum):
    """How far the system has come with a confirmed update."""

    INSTALLING = "installing"
    RESTARTING = "restarting"
    FAILED = "failed"


class InstallProgress(NamedTuple):
    """The progress of an installation."""

    digest: str
    state: InstallState
    percent: int = 0
    why: str = ""
    """Why it failed."""


class RunningSlot(NamedTuple):
    """What runs."""

    version: str
    slot: str
    """``A`` or ``B``."""
    digest: str
    """SHA-256 of the bundle that this slot was installed from; empty if that is not known."""


class FolderState(NamedTuple):
    """Everything that is in the folder at a time; None for what is not there, or cannot be read."""

    offer: Offer | None = None
    confirmed: str | None = None
    """The digest of the update that the table has let the system install."""
    progress: InstallProgress | None = None
    running: RunningSlot | None = None


class UpdateFolder(Protocol):
    """The folder, from the table's side."""

    def exists(self) -> bool:
        """Whether this computer takes updates in this way."""

    def read(self) -> FolderState:
        """Everything that is in it."""

    def confirm(self, version: str, digest: str, by: str) -> None:
        """Let the system install an update: its confirmation is on record.

        Raises:
            OSError: that cannot be written.
        """

    def withdraw(self) -> None:
        """Let the system install nothing."""
