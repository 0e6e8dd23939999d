"""The views of a running table: the documents that its screens show, made for whoever follows them.

They are made after the table has done its work, at most once per change, and only while somebody follows. A defect
here is logged and does not reach the table.
"""

import logging
from collections.abc import Iterator, Mapping
from contextlib import contextmanager

from pydantic_core import to_jsonable_python

from config.schema import TableConfig
from controller.configuration.machines import under_terms
from controller.journal.record import RecordedDecision
from controller.limits.proposals import asked_for
from controller.runtime.socket import Follower
from controller.runtime.table import Table
from controller.table.prompts import View
from controller.viewmodel.description import describe
from controller.viewmodel.history import TableHistory
from controller.viewmodel.presenter import board, closed_board, closed_dealer, dealer, limits_of, turn
from controller.viewmodel.table_counts import TableCounts
from hal.interfaces import Clock, Timer

log = logging.getLogger("table")

INTERVAL_NS = 40_000_000
"""Shortest time between two sets of documents; the first one after a quiet time is made at once."""
TURN_NS = 50_000_000
"""How often a turning wheel is shown."""
REFRESH_NS = 15_000_000_000
"""How often documents are made anew without a change: ages and the day change by themselves."""
_WITH_TERMS = ("table-started", "power-restored", "terms-in-effect")
"""The kinds of entries after which a table may have other payout odds or rules."""


class TableViews:
    """The views of one table, through its starts and ends.

    They are ``table`` (its description), ``board``, ``dealer``, ``counts`` and ``clock``.
    """

    def __init__(self, config: TableConfig, clock: Clock) -> None:
        self.table: Table | None = None
        self._config = self._in_effect = config
        self._clock = clock
        self._history: TableHistory | None = None
        self._counts = TableCounts()
        self._closed = ("the table has not started yet", "")
        self._description: Mapping[str, object] | None = None
        self._followers: list[Follower] = []
        self._views: dict[str, Mapping[str, object]] = {}
        self._made_ns = -REFRESH_NS
        self._timer: Timer | None = None
        self._ticker: Timer | None = None

    # -- the table -------------------------------------------------------------------------------------------

    def watch(self, table: Table) -> None:
        """Show a table that is about to start."""
        self._history, self.table = TableHistory(self._config, self._clock), table
        self._take_terms(table)
        with logged():
            self._history.recall(table.journal)
        if self._config.screens.enabled:
            table.sign.boards.append(self._is_lit)
        table.listeners.append(self._on_decision)
        table.inputs.prompt_listeners.append(self._on_prompt)
        self.changed()

    def closed(self, why: str, prompt: str = "") -> None:
        """Show that no table is running, why, and what the floorperson is asked for."""
        self.table, self._history, self._closed = None, None, (why, prompt)
        self.changed()

    def _on_decision(self, recorded: RecordedDecision) -> None:
        with logged():
            assert self._history is not None
            assert self.table is not None
            self._history(recorded)
            self._counts.take(recorded.record, recorded.record.state in self.table.machine.rounds.inspecting)
            if recorded.entry.kind in _WITH_TERMS:
                self._take_terms(self.table)
        self.changed()

    def _take_terms(self, table: Table) -> None:
        self._in_effect = under_terms(self._config, table.table_state)
        self._description = None  # Made when somebody follows, and not while the table starts.

    def _on_prompt(self, prompt: View) -> None:
        if self._history is not None:
            self._history.prompt = prompt
        self.changed()

    def _is_lit(self) -> bool:
        """Whether a screen shows the board, and the limits sign with it."""
        return any(follower.showing for follower in self._followers)

    def limits(self, request: Mapping[str, object]) -> dict[str, object]:
        """Answer a request of ``table-controller limits``: ``{"show": true}``, or a proposal (:func:`asked_for`).

        Raises:
            ValueError: it is malformed, or not possible now.
        """
        table = self.table
        if table is None:
            raise ValueError("no table plays now: its dealer's screen says why")
        sign = table.sign
        if request != {"show": True}:
            proposed = sign.propose(asked_for(request, table.table_state.limits, sign.currency))
            return {"ticket": proposed.since_ns, "waits_s": proposed.patience_s, "asks": sign.prompt()}
        latest = sign.proposal
        told = (
            {"ticket": latest.since_ns, "outcome": latest.outcome.value, "words": latest.words} if latest else None
        )
        return {"table": self._config.table, "limits": to_jsonable_python(limits_of(table)), "proposal": told}

    # -- followers -------------------------------------------------------------------------------------------

    def follow(self, follower: Follower) -> None:
        """Hand over the present documents, and each change from now on."""
        if not self._followers:
            self._ticker = self._clock.call_at(self._clock.now_ns() + TURN_NS, self._tick)
        self._followers.append(follower)
        self._make()
        follower.take(self._views)

    def leave(self, follower: Follower) -> None:
        """No longer; nothing happens if it does not follow."""
        if follower in self._followers:
            self._followers.remove(follower)
        if not self._followers:
            for timer in (self._ticker, self._timer):
                if timer is not None:
                    timer.cancel()
            self._ticker = self._timer = None

    def changed(self) -> None:
        """Make new documents, once the table has done its work."""
        if self._followers and self._timer is None:
            due_ns = max(self._clock.now_ns(), self._made_ns + INTERVAL_NS)
            self._timer = self._clock.call_at(due_ns, self._hand_over)

    def _hand_over(self) -> None:
        self._timer = None
        self._make()
        for follower in tuple(self._followers):
            follower.take(self._views)

    def _tick(self) -> None:
        now_ns = self._clock.now_ns()
        self._ticker = self._clock.call_at(now_ns + TURN_NS, self._tick)
        if now_ns - self._made_ns >= REFRESH_NS:
            self.changed()
        with logged():
            if self.table is not None and self._history is not None:
                position = turn(self.table, self._history)
                for follower in tuple(self._followers) if position is not None else ():
                    follower.turn(to_jsonable_python(position))

    # -- the documents ---------------------------------------------------------------------------------------

    def _make(self) -> None:
        self._made_ns = self._clock.now_ns()
        with logged():
            for name, made in self._documents():
                document = to_jsonable_python(made)
                if self._views.get(name) != document:
                    self._views[name] = document

    def _documents(self) -> Iterator[tuple[str, object]]:
        now_ns, utc_ns = self._made_ns, self._clock.utc_ns()
        table, history = self.table, self._history
        if self._description is None:
            self._description = describe(self._in_effect)
        yield "table", self._description
        yield "clock", {"utc_ahead_ms": (utc_ns - now_ns) // 1_000_000}
        yield "counts", self._counts.document(table, history)
        if table is None or history is None:
            yield "board", closed_board(utc_ns)
            yield "dealer", closed_dealer(*self._closed)
        else:
            yield "board", board(self._in_effect, table, history, now_ns, utc_ns)
            yield "dealer", dealer(self._in_effect, table, history, now_ns)


@contextmanager
def logged() -> Iterator[None]:
    """Log a defect of the screens, so that it does not reach the table."""
    try:
        yield
    except Exception:
        log.exception("the screens failed; the table plays on")
