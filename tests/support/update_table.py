"""A folder of updates in memory, and a table on simulated hardware that watches it."""

from dataclasses import dataclass, field
from pathlib import Path

from config.schema import TableConfig
from controller.bench.rig import Rig
from controller.events.event import UpdateConfirmed, UpdateEnded, UpdateOffered
from controller.runtime.update_watch import UpdateWatch
from controller.updating.folder import FolderState, InstallProgress, InstallState, Offer, RunningSlot

NEW, OTHER, OLD = "a" * 64, "b" * 64, "0" * 64
STICK = Offer("0.6.0", NEW, "USB stick")
OTHER_OFFER = Offer("0.7.0", OTHER, "USB stick")
A_RUNS = RunningSlot("0.5.0", "A", OLD)
B_RUNS = RunningSlot("0.6.0", "B", NEW)
PROBLEM = "its signature is of nobody whom this table trusts: ask its maker for another one"
KINDS = ("update-offered", "update-confirmed", "update-ended")


def progress(state: InstallState, percent: int = 0, why: str = "", digest: str = NEW) -> InstallProgress:
    return InstallProgress(digest, state, percent, why)


@dataclass
class FolderInMemory:
    """The folder, with both sides' files."""

    offer: Offer | None = None
    confirmed: str | None = None
    progress: InstallProgress | None = None
    running: RunningSlot | None = A_RUNS
    there: bool = True
    full: bool = False
    by: list[str] = field(default_factory=list)
    """Who confirmed, each time."""

    def exists(self) -> bool:
        return self.there

    def read(self) -> FolderState:
        return FolderState(self.offer, self.confirmed, self.progress, self.running)

    def confirm(self, version: str, digest: str, by: str) -> None:
        if self.full:
            raise OSError(28, "No space left on device")
        self.progress, self.confirmed = None, digest
        self.by.append(by)

    def withdraw(self) -> None:
        self.confirmed = None


class Updated:
    """A table, the folder that it watches, and the power that may be cut."""

    def __init__(self, rig: Rig, folder: FolderInMemory) -> None:
        self.rig = rig
        self.folder = folder
        self.closed = 0
        """How often it stopped playing for an update."""
        self.watch()

    def watch(self) -> None:
        """As a table's session does once it has started."""
        self._watch = UpdateWatch(self.folder, self.rig.table, self.rig.clock, self._close)
        self._watch.start()

    def restart(self) -> None:
        """The power is cut, and returns; nothing but the folder's files and the journal is left."""
        self._watch.close()
        self.rig.power_cut()
        self.watch()

    def _close(self) -> None:
        self.closed += 1

    def offer(self, offer: Offer | None) -> None:
        """Something is offered, and the table sees it."""
        self.folder.offer = offer
        self.rig.wait(3)

    def asks(self) -> str:
        return self.rig.table.sign.prompt() or self.rig.table.update.prompt()

    def events(self) -> list[UpdateOffered | UpdateConfirmed | UpdateEnded]:
        found = (record.event for record in self.rig.records())
        return [one for one in found if isinstance(one, UpdateOffered | UpdateConfirmed | UpdateEnded)]

    def kinds(self) -> list[str]:
        return [event.kind for event in self.events()]

    def stop(self) -> None:
        self._watch.close()
        self.rig.table.stop()
        self.rig.journal.close()


def open_table(config: TableConfig, journal: Path | None = None, folder: FolderInMemory | None = None) -> Updated:
    """A Dreamcatcher table that is open for wagers."""
    rig = Rig(config, journal)
    rig.turn(1.2)
    assert rig.state.value == "bets-open"
    return Updated(rig, folder or FolderInMemory())
