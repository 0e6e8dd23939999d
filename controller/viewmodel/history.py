"""Listens to a table and keeps the past that its screens show: results, counts of the day, alerts, health.

All of it is derived from recorded decisions: reading the journal after a restart gives the same history as
listening from the beginning, and nothing is shown that is not on record.
"""

import logging
from collections import deque
from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass
from datetime import UTC, date, datetime

from config.schema import TableConfig
from controller.events.effect import Alert, Light, Refused, Result, ResultWithdrawn, RoundOpened, Void, makes_void
from controller.events.event import MIRROR, Act, PowerRestored, Press, TableStarted
from controller.events.record import Outcome, Record
from controller.events.words import Text, plain, remedy_of, say
from controller.journal.chain import Entry
from controller.journal.errors import JournalDamagedError, JournalError
from controller.journal.journal import Journal
from controller.journal.record import RecordedDecision, of_entry
from controller.machine.game import in_words, words_of
from controller.machine.registry import find_game
from controller.table.prompts import View
from controller.viewmodel.documents import AlertLine
from controller.viewmodel.health import DeviceList
from controller.viewmodel.screen import ResultLabel, screen_of
from hal.interfaces import Clock

log = logging.getLogger(__name__)

HISTORY = 20
"""Number of results shown."""
_MAX_RESULTS = 2 * HISTORY
"""Number of results kept: more than shown, because corrected ones are removed."""
_MAX_ALERTS = 20
MOST_READ = 8000
"""Maximum number of journal entries read at the start, unless a single round is longer."""
_RESULT_JSON = '"kind":"result"'


@dataclass(slots=True)
class ActiveAlert:
    """An alert, and the device whose fault it reports."""

    utc: str
    alert: Alert
    device: str
    current: bool = True
    """It was raised in this round."""
    disputed: bool = False
    """It calls the floorperson to decide."""


class TableHistory:
    """A listener of one table, which resumes after restarts.

    Args:
        clock: the table's.
    """

    def __init__(self, config: TableConfig, clock: Clock) -> None:
        self.screen = screen_of(config.game)
        self.clock = clock
        self.game = find_game(config.game)
        self.in_words = in_words(self.game, config.rules)
        """Says a sentence of the record in the game's words."""
        self.devices = DeviceList(config, self.in_words)
        self.result: Result | None = None
        """The present result; None if there is none."""
        self.lit: tuple[str, ...] = ()
        """The lamps that the record last commanded."""
        self.refused: Refused | None = None
        """The last refused press, until one is accepted or the state changes."""
        self._state = ""
        self._results: deque[tuple[int, ResultLabel]] = deque(maxlen=_MAX_RESULTS)
        self._day: date | None = None
        self._of_day: list[tuple[str, ...]] = []
        """The results of that day, each as the labels under which it counts."""
        self._alerts: deque[ActiveAlert] = deque(maxlen=_MAX_ALERTS)
        self.words = words_of(self.game)
        self.prompt = View()
        """The open prompt; the table says when that changes."""

    # -- notifications from the table ------------------------------------------------------------------------

    def __call__(self, recorded: RecordedDecision) -> None:
        """Take a recorded decision; the table calls this."""
        self._take(recorded.entry, recorded.record)

    def recall(self, journal: Journal) -> None:
        """Read what happened before this process started; call it before the table starts.

        Bounded work: no more than :data:`MOST_READ` entries, and no further back than today's first round and the
        last results. Damaged entries are skipped: the table reports them when it starts, and the audit later.
        """
        for entry in reversed(self._last_entries(journal)):
            try:
                self._take(entry, of_entry(entry))
            except (JournalDamagedError, ValueError) as error:
                log.warning("the screens skip entry %d of the journal: %s", entry.seq, error)

    def _last_entries(self, journal: Journal) -> list[Entry]:
        """The journal's last entries, newest first, back to the beginning of a round."""
        entries: list[Entry] = []
        complete = results = 0
        today = local_day(self.clock.utc_ns())
        try:
            with closing(journal.backwards()) as backwards:
                for entry in backwards:
                    entries.append(entry)
                    results += _RESULT_JSON in entry.body
                    if entry.checkpoint is not None:
                        complete = len(entries)
                        if results >= _MAX_RESULTS and day_of(entry) < today:
                            break
                    if complete and len(entries) >= MOST_READ:
                        break
        except (JournalError, ValueError) as error:
            log.warning("the screens cannot read the past rounds: %s", error)
        return entries[:complete]

    # -- a record --------------------------------------------------------------------------------------------

    def _take(self, entry: Entry, record: Record) -> None:
        event = record.event
        self.devices.take(event)
        if isinstance(event, PowerRestored | TableStarted):
            self.devices.lit()  # The start sets the panel and reports its faults.
            # Likewise that of the mirror.
            self._keep_alerts(lambda active: active.device != MIRROR)
        accepted = isinstance(event, Press | Act) and record.outcome == Outcome.ACCEPTED.value
        if accepted or record.state != self._state:
            self.refused, self._state = None, record.state
        if record.state not in self.game.result_states or makes_void(record.effects):
            if self.result is not None and any(isinstance(effect, Void) for effect in record.effects):
                self._withdraw(entry.round)  # It was made void after it was shown.
            self.result = None
        for effect in record.effects:
            if isinstance(effect, Result | Void):
                self._decided()
            if isinstance(effect, ResultWithdrawn):
                if self.screen.past(Result(effect.label, ())) is not None:
                    self._withdraw(entry.round)
                self.result = None
            if isinstance(effect, Light):
                self.lit = effect.areas
                self.devices.lit()
            elif isinstance(effect, Result):
                self._on_result(entry, effect)
            elif isinstance(effect, RoundOpened):
                self._on_round_opened()
            elif isinstance(effect, Alert):
                disputed = record.state in self.screen.disputes
                self._alerts.append(
                    ActiveAlert(entry.utc, effect, self.devices.device_of(event), disputed=disputed)
                )
            elif isinstance(effect, Refused):
                self.refused = effect

    def _on_result(self, entry: Entry, result: Result) -> None:
        self.result = result
        past = self.screen.past(result)
        if past is None:
            return
        if (day := day_of(entry)) != self._day:
            self._day, self._of_day = day, []
        self._results.append((entry.round, past))
        self._of_day.append(past.counted)

    def _decided(self) -> None:
        """What was in dispute is decided: it is no alert any more, though a device may still be out of order."""
        self._keep_alerts(lambda active: not active.disputed)

    def _withdraw(self, number: int) -> None:
        """Remove the last result of this round, which is being corrected."""
        if not self._results or self._results[-1][0] != number:
            return
        # The last result always belongs to the day that is being counted.
        self._results.pop()
        self._of_day.pop()

    def _on_round_opened(self) -> None:
        self.result = None
        for active in self._alerts:
            active.current = False
        self._keep_alerts(self._is_active)

    def _keep_alerts(self, keep: Callable[[ActiveAlert], bool]) -> None:
        self._alerts = deque(filter(keep, self._alerts), maxlen=_MAX_ALERTS)

    def _is_active(self, active: ActiveAlert) -> bool:
        return active.current or active.device in self.devices.faults

    # -- queries of the screens ------------------------------------------------------------------------------

    def history(self) -> list[tuple[int, ResultLabel]]:
        """The last results with their rounds, newest first."""
        return list(reversed(self._results))[:HISTORY]

    def today(self, utc_ns: int) -> list[tuple[str, ...]]:
        """Today's results, each as the labels under which it counts."""
        return self._of_day if self._day == local_day(utc_ns) else []

    def alerts(self) -> list[AlertLine]:
        """The alerts of this round and those that are still active; newest first."""
        now_ns, words, name = self.clock.utc_ns(), self.words, self.in_words
        return [
            AlertLine(
                name(say(words, Text(active.alert.text, active.alert.parameters))),
                name(remedy_of(active.alert, words)),
                max(0, now_ns - utc_ns_of(active.utc)) // 1_000_000_000,
            )
            for active in reversed(self.active_alerts())
        ]

    def active_alerts(self) -> list[ActiveAlert]:
        """The same, the oldest first, each with the device that it is about."""
        return [active for active in self._alerts if self._is_active(active)]

    def refusal(self) -> str:
        """The key that was refused last, with its reason, if it has one of its own; empty if there is none."""
        if self.refused is None:
            return ""
        why = say(self.words, Text(self.refused.why, self.refused.parameters)) if self.refused.why else ""
        return self.in_words(f"{plain(self.refused.control)} was refused" + (f": {why}" if why else ""))


# -- time -------------------------------------------------------------------------------------------------------


def local_day(utc_ns: int) -> date:
    """The day in the table's time zone."""
    return datetime.fromtimestamp(utc_ns / 1e9).date()


def utc_offset_min(utc_ns: int) -> int:
    """Minutes by which the table's time zone is ahead of UTC at a moment; summer time counts."""
    offset = datetime.fromtimestamp(utc_ns / 1e9, UTC).astimezone().utcoffset()
    return int(offset.total_seconds() // 60) if offset is not None else 0


def utc_ns_of(utc: str) -> int:
    """The wall time of an entry, in nanoseconds UTC."""
    return int(datetime.fromisoformat(utc).timestamp() * 1000) * 1_000_000


def day_of(entry: Entry) -> date:
    """The day of an entry in the table's time zone."""
    return datetime.fromisoformat(entry.utc).astimezone().date()
