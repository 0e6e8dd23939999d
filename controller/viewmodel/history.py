"""Listens to a table and keeps what its screens show of the past: results, counts of the day, alerts, health.

All of it comes from recorded decisions, so that a watch that has read the journal knows what one knows that has
listened all along, and nothing is shown that is not on record.
"""

import logging
from collections import Counter, deque
from contextlib import closing
from dataclasses import dataclass
from datetime import date, datetime

from config.schema import TableConfig
from controller.access.authentication import PATIENCE_NS
from controller.events.effect import Alert, Light, Refused, Result, RoundOpened
from controller.events.event import PowerRestored, Press, TableStarted
from controller.events.record import Record
from controller.events.text import text_of
from controller.journal.chain import Entry
from controller.journal.errors import JournalDamagedError, JournalError
from controller.journal.journal import Journal
from controller.journal.record import RecordedDecision, of_entry
from controller.statechart.machine import Outcome
from controller.viewmodel import documents
from controller.viewmodel.health import DeviceList
from controller.viewmodel.registry import screen_of
from controller.viewmodel.screen import CORRECTING, ResultLabel
from hal.interfaces import Clock

log = logging.getLogger(__name__)

HISTORY = 20
"""Results that are shown."""
_KEPT = 2 * HISTORY
"""Results that are kept: those that are corrected give up their places."""
_ALERTS = 20
MOST_READ = 8000
"""Entries of the journal that are read at the start, at most, unless a single round is longer."""
_A_RESULT = '"kind":"result"'


@dataclass(frozen=True, slots=True)
class PastResult:
    """A result that stands, or stood."""

    round: int
    past: ResultLabel


@dataclass(slots=True)
class ActiveAlert:
    """An alert, and what it finds fault with."""

    utc: str
    alert: Alert
    device: str
    current: bool = True
    """It is of this round."""


class TableHistory:
    """A listener of one table; it goes on over restarts.

    Args:
        clock: the table's.
    """

    def __init__(self, config: TableConfig, clock: Clock) -> None:
        self.screen = screen_of(config.game)
        self.clock = clock
        self.devices = DeviceList(config)
        self.result: Result | None = None
        """The result that stands."""
        self.lit: tuple[str, ...] = ()
        """What the record last asked of the lamps."""
        self.refused: Refused | None = None
        """The last press that was refused, until one is accepted."""
        self._results: deque[PastResult] = deque(maxlen=_KEPT)
        self._day: date | None = None
        self._counts: Counter[str] = Counter()
        self._spins = 0
        self._alerts: deque[ActiveAlert] = deque(maxlen=_ALERTS)
        self._state = ""
        self._prompt = ""
        self._prompted_ns = 0

    # -- what the table tells --------------------------------------------------------------------------------

    def __call__(self, recorded: RecordedDecision) -> None:
        """Take a happening; the table calls this."""
        self._take(recorded.entry, recorded.record)

    def prompted(self, prompt: str) -> None:
        """What a floorperson is asked who identifies; empty once that is over."""
        self._prompt, self._prompted_ns = prompt, self.clock.now_ns()

    def recall(self, journal: Journal) -> None:
        """Read what happened before this process began; call it before the table starts.

        Bounded work: no more than :data:`MOST_READ` entries, and no further back than today's first round and the
        last results. What is damaged is passed over: the table tells of it when it starts, and the audit after.
        """
        for entry in reversed(self._last_entries(journal)):
            try:
                self._take(entry, of_entry(entry))
            except (JournalDamagedError, ValueError) as error:
                log.warning("the screens pass over entry %d of the journal: %s", entry.seq, error)

    def _last_entries(self, journal: Journal) -> list[Entry]:
        """The journal's last entries, newest first, back to the beginning of a round."""
        entries: list[Entry] = []
        whole = results = 0
        today = local_day(self.clock.utc_ns())
        try:
            with closing(journal.backwards()) as backwards:
                for entry in backwards:
                    entries.append(entry)
                    results += _A_RESULT in entry.body
                    if entry.checkpoint is not None:
                        whole = len(entries)
                        if results >= _KEPT and day_of(entry) < today:
                            break
                    if whole and len(entries) >= MOST_READ:
                        break
        except (JournalError, ValueError) as error:
            log.warning("the screens cannot read what happened before: %s", error)
        return entries[:whole]

    # -- a record --------------------------------------------------------------------------------------------

    def _take(self, entry: Entry, record: Record) -> None:
        event, before = record.event, self._state
        self._state = record.state
        self.devices.take(event)
        if isinstance(event, PowerRestored | TableStarted):
            self.devices.lit()  # The start lights the panel and tells what is wrong with it.
        if isinstance(event, Press) and record.outcome == Outcome.ACCEPTED.value:
            self.refused = None
        standing = self.screen.standing
        if standing is not None and record.state not in standing:
            self.result = None
            if before == CORRECTING:
                self._withdraw(entry.round)
        for effect in record.effects:
            if isinstance(effect, Light):
                self.lit = effect.areas
                self.devices.lit()
            elif isinstance(effect, Result):
                self._stands(entry, effect)
            elif isinstance(effect, RoundOpened):
                self._opened()
            elif isinstance(effect, Alert):
                self._alerts.append(ActiveAlert(entry.utc, effect, self.devices.device_of(event)))
            elif isinstance(effect, Refused):
                self.refused = effect

    def _stands(self, entry: Entry, result: Result) -> None:
        self.result = result
        past = self.screen.past(result)
        if past is None:
            return
        day = day_of(entry)
        if day != self._day:
            self._day, self._counts, self._spins = day, Counter(), 0
        self._counts.update(past.counted)
        self._spins += 1
        self._results.append(PastResult(entry.round, past))

    def _withdraw(self, number: int) -> None:
        """The last result of this round is being corrected: it never was one."""
        if not self._results or self._results[-1].round != number:
            return
        wrong = self._results.pop()
        # The last result is of the day that is counted: each one that came after it would have been the last.
        self._counts.subtract(wrong.past.counted)
        self._spins -= 1

    def _opened(self) -> None:
        self.result = None
        for warned in self._alerts:
            warned.current = False
        standing = [warned for warned in self._alerts if self._stands_still(warned)]
        self._alerts = deque(standing, maxlen=_ALERTS)

    def _stands_still(self, warned: ActiveAlert) -> bool:
        return warned.current or warned.device in self.devices.troubles

    # -- what the screens ask --------------------------------------------------------------------------------

    def history(self) -> list[PastResult]:
        """The last results, newest first."""
        return list(reversed(self._results))[:HISTORY]

    def of_round(self, number: int) -> tuple[ResultLabel, ...]:
        """The results of a round so far."""
        return tuple(result.past for result in self._results if result.round == number)

    def counts(self, utc_ns: int) -> tuple[Counter[str], int]:
        """The results of this day by what they count for, and how many there were."""
        if self._day != local_day(utc_ns):
            return Counter(), 0
        return self._counts, self._spins

    def alerts(self) -> list[documents.Alert]:
        """What wants attention in this round, or still does; newest first."""
        now_ns = self.clock.utc_ns()
        shown = [warned for warned in reversed(self._alerts) if self._stands_still(warned)]
        return [
            {
                "text": warned.alert.text,
                "remedy": warned.alert.remedy,
                "age_s": max(0, now_ns - utc_ns_of(warned.utc)) // 1_000_000_000,
            }
            for warned in shown
        ]

    def refusal(self) -> str:
        """The last refused press in words, until one is accepted."""
        return text_of(self.refused) if self.refused is not None else ""

    def prompt(self, now_ns: int) -> str:
        """What a floorperson is asked; forgotten after the time that an identification is given."""
        return self._prompt if now_ns - self._prompted_ns <= PATIENCE_NS else ""


# -- time -------------------------------------------------------------------------------------------------------


def local_day(utc_ns: int) -> date:
    """The day at the table's place."""
    return datetime.fromtimestamp(utc_ns / 1e9).date()


def utc_ns_of(utc: str) -> int:
    """The wall time of an entry, in nanoseconds."""
    return int(datetime.fromisoformat(utc).timestamp() * 1000) * 1_000_000


def day_of(entry: Entry) -> date:
    """The day of an entry at the table's place."""
    return datetime.fromisoformat(entry.utc).astimezone().date()
