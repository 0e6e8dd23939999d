"""Watches, beside a running table, what is offered of updates; and keeps a table closed while one is installed."""

import logging
from collections.abc import Callable

from controller.events.event import UpdateEnded
from controller.journal.errors import JournalDamagedError
from controller.journal.journal import Journal
from controller.journal.recovery import recover_table_state
from controller.limits.table_state import ConfirmedUpdate
from controller.runtime.table import Table
from controller.updating.folder import UpdateFolder
from controller.updating.outcome import CLOSED_IN, UpdateOutcome, UpdateStage, outcome_of
from hal.interfaces import Clock, Timer

log = logging.getLogger("table")

NS_PER_S = 1_000_000_000
LOOKS_S = 2
"""How often the folder is looked at."""
BEGINS_WITHIN_S = 120
"""A system that has not begun by then does not: the stick was pulled out, or its own look found something."""
STALLED_S = 600
"""An installation that has not moved for this long needs a technician."""


class UpdateWatch:
    """Looks at the folder of one running table.

    Args:
        close: called once a confirmation is on record: the table stops playing.
    """

    def __init__(self, folder: UpdateFolder, table: Table, clock: Clock, close: Callable[[], None]) -> None:
        self._folder = folder
        self._table = table
        self._clock = clock
        self._close = close
        self._confirmed: ConfirmedUpdate | None = None
        """On record; None if none is, or it is on record how it ended."""
        self._timer: Timer | None = None

    def start(self) -> None:
        """The table has started: record how a confirmed update ended, and what is offered."""
        if not self._folder.exists():
            return
        table = self._table
        self._confirmed = table.table_state.update
        table.update.look = self._read
        table.recorder.state_listeners.append(self._on_state)
        folder = self._folder.read()
        if (
            self._confirmed is not None
            and folder.offer is not None
            and folder.offer.digest == self._confirmed.digest
        ):
            table.update.not_again(folder)
        self._look()

    def close(self) -> None:
        """Stop looking."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _look(self) -> None:
        if self._confirmed is not None:
            self._follow(self._confirmed, outcome_of(self._confirmed, self._folder.read()))
        self._read()
        self._table.router.look_at_prompt()
        self._timer = self._clock.call_at(self._clock.now_ns() + LOOKS_S * NS_PER_S, self._look)

    def _read(self) -> None:
        self._table.take(self._table.update.take(self._folder.read()))

    def _follow(self, confirmed: ConfirmedUpdate, outcome: UpdateOutcome) -> None:
        """Record how a confirmed update ended, if it has; if the system is at it, the table closes."""
        if outcome.stage in CLOSED_IN:
            self._stop_playing()
        elif outcome.stage is not UpdateStage.UNKNOWN:
            # Before it is on record: whatever the power cuts, nothing is installed that nobody waits for.
            self._folder.withdraw()
            installed = outcome.stage is UpdateStage.INSTALLED
            now_ns, utc_ns = self._clock.now_ns(), self._clock.utc_ns()
            self._table.take([UpdateEnded(now_ns, utc_ns, confirmed.version, installed, outcome.detail)])

    def _on_state(self) -> None:
        """The table's state has changed, and the change is recorded."""
        before, confirmed = self._confirmed, self._table.table_state.update
        self._confirmed = confirmed
        if confirmed is None or confirmed is before:
            return
        try:
            self._folder.confirm(confirmed.version, confirmed.digest, confirmed.by)
        except OSError as error:
            why = f"its confirmation cannot be handed over: {error.strerror}"
            self._follow(confirmed, UpdateOutcome(UpdateStage.NOT_INSTALLED, why))
            return
        self._stop_playing()

    def _stop_playing(self) -> None:
        self._table.recorder.ended = True
        self._close()


class UpdateWait:
    """Says how long a table stays closed for an update.

    Args:
        clock: the session's.
    """

    def __init__(self, folder: UpdateFolder, clock: Clock) -> None:
        self._folder = folder
        self._clock = clock
        self._last: tuple[UpdateOutcome, int] | None = None
        """What was last reported, and since when."""

    def pending_on(self, journal: Journal) -> ConfirmedUpdate | None:
        """The update for which the table of this journal stays closed; None for none."""
        if not self._folder.exists():
            return None
        try:
            confirmed = recover_table_state(journal)[0].update
        except JournalDamagedError:  # The table says so when it starts.
            return None
        if confirmed is None or outcome_of(confirmed, self._folder.read()).stage not in CLOSED_IN:
            return None
        self._last = None
        return confirmed

    def status(self, confirmed: ConfirmedUpdate) -> str:
        """Why the table is closed now; empty once it can play again."""
        outcome, now_ns = outcome_of(confirmed, self._folder.read()), self._clock.now_ns()
        if outcome.stage not in CLOSED_IN:
            return ""
        if self._last is None or self._last[0] != outcome:
            self._last = outcome, now_ns
            log.info("update %s %s", confirmed.version, outcome.detail)
        waited_s = (now_ns - self._last[1]) // NS_PER_S
        if outcome.stage is UpdateStage.PENDING and waited_s >= BEGINS_WITHIN_S:
            log.error("update %s: the system has not begun to install it", confirmed.version)
            self._folder.withdraw()
        status = f"closed: update {confirmed.version} {outcome.detail}"
        if waited_s < STALLED_S:
            return status
        return (
            f"{status}; for {waited_s // 60} min nothing has moved: call the technician, who switches it off and on"
        )
