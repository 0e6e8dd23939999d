"""The screens of one table, inside its own event loop: what is shown, to whom, and when it is made anew.

They only look. A table that cannot be shown plays on: an address that is taken is told in the log and tried again.
"""

import asyncio
import logging
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from functools import partial
from pathlib import Path
from typing import Protocol

from config.schema import TableConfig
from controller.access.authentication import KEYS
from controller.access.dealer_login import LOG_ON
from controller.configuration.shipped import LoadedTable
from controller.journal.record import RecordedDecision
from controller.runtime.table import Table
from controller.screens.limit_proposals import Proposals
from controller.screens.rounds import Rounds
from controller.screens.touch import Touch
from controller.statechart.registry import find_game, folders_of
from controller.viewmodel import bench_documents, documents
from controller.viewmodel.health import controls
from controller.viewmodel.history import TableHistory
from controller.viewmodel.presenter import board, dealer, describe, turn
from controller.web.http import HttpServer, Request
from controller.web.routes import Act, Asset, Query, Site, assets, files_in
from controller.web.sse import Channel
from hal.interfaces import Clock, Timer

log = logging.getLogger("table")

_SERVED = "screens at http://%s:%d/, /dealer and /rounds"
TURN_NS = 50_000_000
"""How often a turning wheel is shown."""
RETRY_S = 10.0
"""How often an address that cannot be had is tried again."""
_CLOSED: documents.Board = {
    "state": "closed",
    "tone": "closed",
    "headline": "TABLE IS CLOSED",
    "detail": "",
    "round": 0,
    "lit": [],
    "wins": [],
    "result": "",
    "multiplier": 1,
    "revolutions": None,
    "turn": None,
    "limits": None,
    "history": [],
    "counts": [],
    "spins": 0,
    "figure": {},
}
"""What the board shows while no table plays."""


@contextmanager
def _told() -> Iterator[None]:
    """A defect of the screens is told in the log, and is none of the table's."""
    try:
        yield
    except Exception:
        log.exception("the screens failed; the table plays on")


def _touch(config: TableConfig, clock: Clock) -> Touch:
    logs_on = LOG_ON in dict(controls(config))
    asked = KEYS if config.credentials is not None or logs_on else frozenset[str]()
    return Touch(find_game(config.game).controls | asked | ({LOG_ON} if logs_on else set()), clock)


def game_files(game: str) -> dict[str, Asset]:
    """What draws a game's figure, below ``/game/``; a game without a figure shows the areas of its layout."""
    plain = {"figure.js": assets()["plain.js"], "figure.css": Asset("figure.css", b"")}
    return {**plain, **files_in(folders_of(find_game(game)))}


def _idle(why: str) -> documents.Dealer:
    """What the dealer's screen shows while no table plays."""
    return {
        "next": why,
        "alerts": [{"text": why, "remedy": "", "age_s": 0}],
        "limits": {"asks": "", "announce": "", "file": ""},
        "pays": [],
        "health": [],
        "ages": [],
        "prompt": "",
        "entry": "",
        "refused": "",
        "dealer": "",
    }


class BenchSide(Protocol):
    """What a bench adds to the screens of its table."""

    @property
    def powered(self) -> bool:
        """Whether the table's computer runs."""

    def picture(self) -> bench_documents.Bench:
        """What is shown of the simulated hardware."""

    def breakages(self) -> list[bench_documents.Breakage]:
        """What can be broken."""

    def act(self, body: Mapping[str, object]) -> None:
        """Do what the page asks; raises ValueError."""


class ScreenServer:
    """The pages of one table.

    Args:
        loaded: the table's file.
        rounds: shows the record.
        bench: the simulated hardware, on which the page ``/bench`` plays; without it there is no such address.
    """

    def __init__(self, loaded: LoadedTable, clock: Clock, rounds: Rounds, bench: BenchSide | None = None) -> None:
        self._config = loaded.config
        self._clock = clock
        self._bench = bench
        self._table: Table | None = None
        self._watch: TableHistory | None = None
        self._why = "the table has not started yet"
        self._description: documents.Description | None = None
        self._timer: Timer | None = None
        self._opening: asyncio.Future[None] | None = None
        self.board = Channel(clock, self._board)
        self.dealer = Channel(clock, self._dealer)
        pages = {"/": "board.html", "/dealer": "dealer.html", "/rounds": "rounds.html"}
        streams = {"/board.events": self.board, "/dealer.events": self.dealer}
        self._proposals = Proposals(self._config.screens.address, self._config.table, self._playing)
        acts: dict[str, Act] = {"/limits": self._proposals.act}
        queries: dict[str, Query] = {"/rounds": rounds.answer}
        self.touch = _touch(self._config, clock) if self._config.screens.touch else None
        """Keys to be added to those of every table that is shown."""
        if self.touch is not None:
            acts |= {"/dealer/pair": self.touch.pair, "/dealer/press": self.touch.press}
            queries["/dealer/code"] = self.touch.code
        if bench is not None:
            self.playing = Channel(clock, self._benched)
            pages["/bench"], streams["/bench.events"] = "bench.html", self.playing
            acts["/bench/act"] = partial(self._act, bench)
        self._channels = tuple(streams.values())
        site = Site(
            self._config.screens.hosts,
            self._described,
            pages,
            streams,
            acts,
            queries,
            game=game_files(self._config.game),
        )
        self._server = HttpServer(site)

    async def open(self, address: str, port: int) -> int:
        """Listen; returns the port.

        Raises:
            OSError: the address cannot be had.
        """
        found = await self._server.open(address, port)
        self._timer = self._clock.call_at(self._clock.now_ns() + TURN_NS, self._look)
        return found

    async def keep_open(self, address: str, port: int) -> None:
        """Listen; if that is not possible, try again from time to time: the table plays on without."""
        try:
            found = await self.open(address, port)
        except OSError as error:
            why = f"no screens at {address}:{port}: {error.strerror}; see screens: in the table's file"
            log.warning("%s; the table plays on, and it is tried again", why)
            self._opening = asyncio.ensure_future(self._retried(address, port))
        else:
            log.info(_SERVED, address, found)

    async def _retried(self, address: str, port: int) -> None:
        while True:
            await asyncio.sleep(RETRY_S)
            with suppress(OSError):
                log.info(_SERVED, address, await self.open(address, port))
                return

    def close(self) -> None:
        """Show nothing more."""
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
        """How many look."""
        return sum(channel.viewers for channel in self._channels)

    # -- which table ---------------------------------------------------------------------------------------

    def watch(self, table: Table) -> None:
        """Show a table that is about to start. Whatever fails here, the table plays."""
        self._watch, self._table = TableHistory(self._config, self._clock), table
        with _told():
            self._description = describe(self._config, table)
            self._watch.recall(table.journal)
        table.listeners.append(self._hear)
        table.prompt_listeners.append(self._prompted)
        self.changed()

    def closed(self, why: str) -> None:
        """No table plays now."""
        self._table, self._watch, self._why = None, None, why
        self.changed()

    def changed(self) -> None:
        """There is something new to see."""
        for channel in self._channels:
            channel.changed()

    def _hear(self, recorded: RecordedDecision) -> None:
        if self._watch is not None:
            with _told():
                self._watch(recorded)
        self.changed()

    def _prompted(self, prompt: str) -> None:
        if self._watch is not None:
            self._watch.prompted(prompt)
        self.changed()

    def _act(self, bench: BenchSide, request: Request, body: Mapping[str, object]) -> None:
        bench.act(body)
        self.changed()

    def _playing(self) -> Table | None:
        """The table that can be spoken to."""
        return self._table if self._powered else None

    # -- what is shown -------------------------------------------------------------------------------------

    def _described(self) -> documents.Table:
        if self._description is None:  # A board needs what is drawn, also of a table that cannot start.
            self._description = describe(self._config, None)
        described: documents.Table = {
            **self._description,
            "bench": self._bench is not None,
            "touch": list(self.touch.controls) if self.touch is not None else [],
        }
        if self._bench is None:
            return described
        benched: documents.BenchTable = {**described, "breakages": self._bench.breakages()}
        return benched

    @property
    def _powered(self) -> bool:
        return self._bench is None or self._bench.powered

    def _board(self) -> documents.Board:
        if self._table is None or self._watch is None or not self._powered:
            return _CLOSED.copy()
        return board(self._config, self._table, self._watch, self._clock.now_ns(), self._clock.utc_ns())

    def _dealer(self) -> documents.DealerView:
        if self._table is None or self._watch is None or not self._powered:
            return {**self._board(), "dealer": _idle(self._why if self._powered else "the power is off")}
        told = dealer(self._config, self._table, self._watch, self._clock.now_ns())
        return {**self._board(), "dealer": told}

    def _benched(self) -> documents.BenchView:
        assert self._bench is not None
        return {**self._dealer(), "bench": self._bench.picture()}

    def _look(self) -> None:
        """Show how the wheel turns, and on a bench how its hardware stands."""
        self._timer = self._clock.call_at(self._clock.now_ns() + TURN_NS, self._look)
        if self._bench is not None and self.playing.viewers:
            self.playing.changed()
        if self._table is not None and self.viewers:
            moved = turn(self._table)
            if moved is not None:
                for channel in self._channels:
                    channel.tell("turn", moved)


def configured_screens(loaded: LoadedTable, journal: Path, clock: Clock) -> ScreenServer | None:
    """The screens of a table that runs; None if its file turns them off."""
    if not loaded.config.screens.enabled:
        return None
    return ScreenServer(loaded, clock, Rounds(loaded.path, journal))
