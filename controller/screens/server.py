"""The screens of one table, on its own event loop: what they show, to whom, and when they are updated.

They never affect play: if their address is in use, that is logged and retried while the table plays on.
"""

import asyncio
import logging
from collections.abc import Mapping
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from controller.configuration.machines import under_terms
from controller.configuration.shipped import LoadedTable
from controller.journal.record import RecordedDecision
from controller.runtime.publisher_status import PLACE, FloorContact
from controller.runtime.table import Table
from controller.screens.bench_side import BenchSide
from controller.screens.closed_table import closed_board, idle
from controller.screens.game_files import game_files
from controller.screens.house import PLACE as HOUSE
from controller.screens.house import house_of
from controller.screens.limit_proposals import Proposals
from controller.screens.listening import is_urgent, listen, logged
from controller.screens.rounds import Rounds
from controller.table.prompts import View
from controller.viewmodel import documents
from controller.viewmodel.history import TableHistory
from controller.viewmodel.presenter import board, dealer, describe, turn
from controller.web.exchange import Request
from controller.web.opening import keep_open
from controller.web.routes import PACKAGES, Act, Asset, Query, Site
from controller.web.server import HttpServer
from controller.web.sse import Channel
from hal.interfaces import Clock, Timer

if TYPE_CHECKING:  # Loaded only for a table whose file asks for metrics.
    from controller.screens.table_metrics import TableMetrics

log = logging.getLogger("table")

_SERVED = "screens at http://%s:%d/, /dealer and /rounds"
_UNAVAILABLE = "no screens at %s:%d: %s; see screens: in the table's file; the table plays on; retrying"
TURN_NS = 50_000_000
"""How often a turning wheel is shown."""
_WITH_TERMS = ("table-started", "power-restored", "terms-in-effect")
"""The kinds of entries after which a table may have other payout odds or rules."""


class ScreenServer:
    """The pages of one table.

    Args:
        loaded: the configured table.
        rounds: answers requests about past rounds.
        bench: the simulated hardware of the page ``/bench``; None for a real table, which has no such page.
    """

    def __init__(self, loaded: LoadedTable, clock: Clock, rounds: Rounds, bench: BenchSide | None = None) -> None:
        self._config = self._in_effect = loaded.config
        self._clock = clock
        self._rounds = rounds
        self._bench = bench
        self._table: Table | None = None
        self._history: TableHistory | None = None
        self._closed_because, self._closed_prompt = "the table has not started yet", ""
        self._description: documents.Description | None = None
        self._timer: Timer | None = None
        self._opening: asyncio.Task[None] | None = None
        self._floor = FloorContact(PLACE if self._config.broker is not None else None, clock)
        self._house = house_of(self._config.screens)
        self.board = Channel(clock, self._board)
        self.dealer = Channel(clock, self._dealer)
        self._proposals = Proposals(self._config.table, self._playing)
        streams = {"/board.events": self.board, "/dealer.events": self.dealer}
        if bench is not None:
            self.playing = Channel(clock, self._bench_view)
            streams["/bench.events"] = self.playing
        self._channels = tuple(streams.values())
        self._metrics: TableMetrics | None = None
        self.site = self._site(streams)
        """Answers every request."""
        self._server = HttpServer(self.site, is_urgent)

    def _answer_of_metrics(self) -> Query:
        """What answers ``/metrics``; if something lacks, that is logged, and the table plays on."""
        from controller.screens.table_metrics import TableMetrics  # Only here is its library loaded.
        from controller.web.metrics_token import MetricsTokenError, token_of, unavailable

        try:
            token = token_of(self._config.screens.metrics_token)
        except MetricsTokenError as error:
            why = f"screens: metrics_token: {error}"
            log.error("no metrics: %s; the table plays on", why)
            return unavailable(why)
        self._metrics = TableMetrics(self._config, self._clock, token, lambda: self.viewers)
        return self._metrics.answer

    def _site(self, streams: Mapping[str, Channel]) -> Site:
        """Every address that is answered."""
        config = self._config
        pages: dict[str, str | Asset] = {"/": "board.html", "/dealer": "dealer.html", "/rounds": "rounds.html"}
        acts: dict[str, Act] = {"/limits": self._proposals.act}
        queries: dict[str, Query] = {"/rounds": self._rounds.answer}
        if self._house is not None:
            queries[HOUSE] = self._house.answer
        if config.screens.metrics and self._bench is None:
            queries["/metrics"] = self._answer_of_metrics()
        if self._bench is not None:
            pages["/bench"] = "bench.html"
            acts["/bench/act"] = partial(self._act, self._bench)
        served = (pages, streams, acts, queries, PACKAGES, game_files(config.game))
        return Site(config.screens.hosts, self._table_document, *served)

    async def open(self, address: str, port: int) -> int:
        """Listen and return the port.

        Raises:
            OSError: the address is not available.
        """
        bound = await listen(self._server, address, port)
        self._timer = self._clock.call_at(self._clock.now_ns() + TURN_NS, self._on_tick)
        return bound

    async def keep_open(self, address: str, port: int) -> None:
        """Listen; if that is not possible, retry while the table plays on."""
        self._opening = await keep_open(self.open, address, port, log, _SERVED, _UNAVAILABLE)

    def close(self) -> None:
        """Stop serving."""
        if self._opening is not None:
            self._opening.cancel()
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        for channel in self._channels:
            channel.close()
        self._server.close()

    @property
    def viewers(self) -> int:
        """The number of connected viewers."""
        return sum(channel.viewers for channel in self._channels)

    # -- the table -----------------------------------------------------------------------------------------

    def watch(self, table: Table) -> None:
        """Show a table that is about to start. A failure here does not stop the table."""
        self._history, self._table = TableHistory(self._config, self._clock), table
        self._rounds.journal = table.journal
        self._description = None  # Made when a page first asks, and not while the table starts.
        with logged():
            self._history.recall(table.journal)
        if self._metrics is not None:
            self._metrics.watch(table, self._history)
        table.sign.boards.append(self._is_lit)
        table.listeners.append(self._on_decision)
        table.inputs.prompt_listeners.append(self._on_prompt)
        self.changed()

    def closed(self, why: str, prompt: str = "") -> None:
        """Show that no table is running, why, and what the floorperson is asked for."""
        self._table, self._history, self._rounds.journal = None, None, None
        self._closed_because, self._closed_prompt = why, prompt
        if self._metrics is not None:
            self._metrics.watch(None, None)
        self.changed()

    def changed(self) -> None:
        """Update every stream."""
        for channel in self._channels:
            channel.changed()

    def _on_decision(self, recorded: RecordedDecision) -> None:
        if self._history is not None:
            with logged():
                self._history(recorded)
        if self._metrics is not None:
            with logged():
                self._metrics.count(recorded)
        if recorded.entry.kind in _WITH_TERMS:
            self._describe_anew()
        self.changed()

    def _describe_anew(self) -> None:
        """Odds or rules may be others: pages that show the old ones are to fetch the description again."""
        before = self._description
        with logged():
            if self._table is not None:
                self._in_effect = under_terms(self._config, self._table.table_state)
            if before is not None:
                self._description = describe(self._config, self._table)
        if self._description != before:
            for channel in self._channels:
                channel.close()

    def _is_lit(self) -> bool:
        """Whether a screen shows the board, and the limits sign with it."""
        return bool(self.board.viewers or (self._bench is not None and self.playing.viewers))

    def _on_prompt(self, prompt: View) -> None:
        if self._history is not None:
            self._history.prompted(prompt)
        self.changed()

    def _act(self, bench: BenchSide, request: Request, body: Mapping[str, object]) -> None:
        bench.act(body)
        self.changed()

    def _playing(self) -> Table | None:
        """The table that can take requests; None if it is not running."""
        return self._table if self._powered else None

    # -- the documents -------------------------------------------------------------------------------------

    def _table_document(self) -> documents.TableDescription:
        if self._description is None:  # The board draws the figure of a table that cannot start, too.
            self._description = describe(self._config, self._table)
        description: documents.TableDescription = {
            **self._description,
            "bench": self._bench is not None,
            "house": self._house.document() if self._house is not None else None,
        }
        if self._bench is None:
            return description
        with_bench: documents.BenchTable = {**description, "breakages": self._bench.breakages()}
        return with_bench

    @property
    def _powered(self) -> bool:
        return self._bench is None or self._bench.powered

    def _board(self) -> documents.Board:
        now_ns, utc_ns = self._clock.now_ns(), self._clock.utc_ns()
        if self._table is None or self._history is None or not self._powered:
            return closed_board(now_ns, utc_ns)
        return board(self._in_effect, self._table, self._history, now_ns, utc_ns)

    def _dealer(self) -> documents.DealerView:
        if self._table is None or self._history is None or not self._powered:
            why = (self._closed_because, self._closed_prompt) if self._powered else ("the power is off",)
            return {**self._board(), "dealer": {**idle(*why), "floor": self._floor.line()}}
        view = dealer(self._in_effect, self._table, self._history, self._clock.now_ns())
        return {**self._board(), "dealer": {**view, "floor": self._floor.line()}}

    def _bench_view(self) -> documents.BenchView:
        assert self._bench is not None
        return {**self._dealer(), "bench": self._bench.picture()}

    def _on_tick(self) -> None:
        """Show the turning wheel, and on a bench the state of its hardware."""
        self._timer = self._clock.call_at(self._clock.now_ns() + TURN_NS, self._on_tick)
        if self._bench is not None and self.playing.viewers:
            self.playing.changed()
        if self._table is not None and self.viewers:
            position = turn(self._table)
            if position is not None:
                for channel in self._channels:
                    channel.publish("turn", position)


def configured_screens(loaded: LoadedTable, journal: Path, clock: Clock) -> ScreenServer | None:
    """The screens of a real table; None if its file turns them off."""
    if not loaded.config.screens.enabled:
        return None
    return ScreenServer(loaded, clock, Rounds(loaded.path, journal))
