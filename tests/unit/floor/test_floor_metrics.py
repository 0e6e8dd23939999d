"""``/metrics`` of a floor: what it counts and what it reads of the store, at whatever size, and who may read it."""

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest
from contracts.floor_store_cases import opened
from contracts.loop import PATIENCE_S
from floor_messages import LATER_NS, arrived, online, record, state_after
from floor_pages import CONFIG, HOST, LINK
from prometheus_client.parser import text_string_to_metric_families as plain_text
from sqlalchemy import Engine, event, text
from stored_floor import NOW_MS, a_table, an_alert, fill, insert

from config.schema import ScreensSection
from controller.floor.ingest.counters import FloorCounters, IngestState
from controller.floor.ingest.resend_requests import ResendRequests
from controller.floor.ingest.validation import Arrived
from controller.floor.ingest.writer import StoreWriter
from controller.floor.pages import metrics
from controller.floor.pages.metrics_declared import OF_FLOOR, OF_STORE
from controller.floor.pages.server import Pages
from controller.floor.store.rounds import RoundFate
from controller.floor.store.store import Store
from controller.metrics.declaration import EVERYWHERE
from controller.web.http import Request, Response
from hal.clock import LoopClock
from hal.mock.clock import VirtualClock

TOKEN = "0123456789abcdef"
S = 1_000_000_000


class Scraped:
    """The pages of a floor with metrics, and who scrapes them."""

    def __init__(self, engine: Engine, ingest: IngestState | None = None, **screens: Any) -> None:
        self.clock = VirtualClock(NOW_MS * 1_000_000)
        config = CONFIG.model_copy(update={"screens": ScreensSection(metrics=True, **screens)})
        self.pages = Pages(config, engine, self.clock, lambda: LINK)
        if ingest is not None:
            self.pages.measure(lambda: ingest)

    async def ask(self, method: str = "GET", path: str = "/metrics", **headers: str) -> Response:
        answer = self.pages.site(Request(method, path, {}, HOST | headers))
        answer = await answer if isinstance(answer, Awaitable) else answer
        assert isinstance(answer, Response)
        return answer

    async def values(self) -> dict[str, float]:
        """Each sample by its name and the values of its labels, but the floor's."""
        answer = await self.ask()
        assert answer.status == 200, answer.body
        found = {}
        for family in plain_text(answer.body.decode()):
            for sample in family.samples:
                rest = [value for label, value in sample.labels.items() if label != "floor"]
                found[" ".join((sample.name.removeprefix("table_controller_floor_"), *rest))] = sample.value
        return found


def scrape(engine: Engine, exchange: Callable[[Scraped], Awaitable[None]], *given: Any, **screens: Any) -> None:
    async def run() -> None:
        scraped = Scraped(engine, *given, **screens)
        try:
            await exchange(scraped)
        finally:
            scraped.pages.close()

    asyncio.run(run())


def state_of(counters: FloorCounters, **changed: Any) -> IngestState:
    given = {"waiting_messages": 0, "waiting_bytes": 0, "incomplete_tables": 0}
    return IngestState(counters, **(given | {"connected": True, "store_available": True} | changed))


def test_tables_alerts_and_devices_are_those_of_the_store(engine: Engine) -> None:
    devices = [{"device": "clapper", "state": "silent"}, {"device": "panel", "state": "ok"}]
    health = {"version": 1, "table": "b", "devices": devices}
    rows = [
        a_table("a"),
        a_table("b", state={"state": "locked"}, health=health),
        a_table("c", running=False),
        a_table("d", online=False, running=False),
        a_table("e", game="sic-bo", state={"state": "malfunction"}),
        a_table("f", game="sic-bo") | {"state": None},
    ]
    alerts = [
        an_alert("a", "one"),
        an_alert("b", "two", kind="gap"),
        an_alert("b", "three", kind="gap"),
        an_alert("b", "four", ended="2026-06-01T10:00:00.000Z"),
    ]
    for alert in alerts:
        insert(engine, {"alerts": [alert]})
    insert(engine, {"tables": rows})

    async def exchange(floor: Scraped) -> None:
        values = await floor.values()
        assert (values["tables dreamcatcher"], values["tables sic-bo"]) == (4, 2)
        assert values["tables_online dreamcatcher"] == 3
        assert values["tables_playing dreamcatcher"] == 2
        assert (values["tables_locked dreamcatcher"], values["tables_locked sic-bo"]) == (1, 1)
        assert values["table_states dreamcatcher locked"] == 1
        assert (values["alerts_active gap"], values["alerts_active table"]) == (2, 1)
        assert {name for name in values if name.startswith("devices_faulty")} == {"devices_faulty clapper silent"}
        assert values["store_readable"] == 1

    scrape(engine, exchange)


def test_every_declared_metric_is_there_and_no_other(engine: Engine) -> None:
    fill(engine, tables=3, rounds=2)

    async def exchange(floor: Scraped) -> None:
        names = {family.name for family in plain_text((await floor.ask()).body.decode())}
        own = {name for name in names if name.startswith("table_controller_")}
        # In the text format the ends of counters stay off, that of an info does not.
        assert own == {one.name.removesuffix("_total") for one in (*EVERYWHERE, *OF_FLOOR)}
        assert "process_resident_memory_bytes" in names

    scrape(engine, exchange, state_of(FloorCounters()))


def test_what_the_writer_stores_is_counted(tmp_path: Path) -> None:
    """Rounds by game and fate, voids by reason, refused messages by reason, the lag, a lacking round."""

    async def keep() -> FloorCounters:
        store, counters, requests = opened(f"sqlite:///{tmp_path}/floor.db"), FloorCounters(), ResendRequests()
        writer = StoreWriter(store, requests, LoopClock(), lambda: None, counters=counters)
        messages = record([1, 1, 1, 1])
        for message in (messages[0], messages[0], messages[3]):
            writer.add(arrived(message))
        writer.add(Arrived("tables/big-six-1/round", b"{", LATER_NS))
        writer.add(arrived(online()))
        assert writer.waiting[0] == 5
        assert writer.waiting[1] > 1000
        await writer.finish()
        assert writer.waiting == (0, 0)
        assert requests.tables == 1
        store.close()
        return counters

    counters = asyncio.run(keep())
    game = record([1])[0].game
    assert +counters.rounds == {(game, "stored"): 2, (game, "repeated"): 1}
    assert counters.rounds.keys() == {(game, fate.value) for fate in RoundFate}, "from 0, so that increases show"
    assert +counters.refused == {"not-json": 1}
    assert counters.batch_messages.count >= 1
    assert counters.lag_s.count == 2
    assert counters.lag_s.total > 0


def test_a_store_that_is_away_is_counted_and_shown(tmp_path: Path, engine: Engine) -> None:
    counters = FloorCounters()
    counters.store_errors += 1
    counters.arrived("tables/a/round")
    counters.arrived("tables/a/nonsense")

    async def exchange(floor: Scraped) -> None:
        values = await floor.values()
        assert (values["store_available"], values["store_errors_total"]) == (0, 1)
        assert (values["broker_connected"], values["queue_messages"], values["queue_bytes"]) == (0, 7, 900)
        assert values["messages_received_total round"] == values["messages_received_total other"] == 1
        assert values["tables_incomplete"] == 2

    away = {"connected": False, "store_available": False, "incomplete_tables": 2}
    scrape(engine, exchange, state_of(counters, waiting_messages=7, waiting_bytes=900, **away))


def test_a_store_that_cannot_be_read_hides_nothing_else(engine: Engine) -> None:
    with engine.begin() as connection:
        connection.execute(text("DROP TABLE alerts"))

    async def exchange(floor: Scraped) -> None:
        values = await floor.values()
        assert values["store_readable"] == 0
        assert values["broker_connected"] == 1
        names = {name.partition(" ")[0] for name in values}
        assert not names & {one.name.removeprefix("table_controller_floor_") for one in OF_STORE}

    scrape(engine, exchange, state_of(FloorCounters()))


def test_a_store_that_does_not_answer_delays_a_scrape_for_seconds_only(
    engine: Engine, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(metrics, "PATIENCE_S", 0.0)

    async def exchange(floor: Scraped) -> None:
        async with asyncio.timeout(PATIENCE_S):
            assert (await floor.values())["store_readable"] == 0

    scrape(engine, exchange, state_of(FloorCounters()))


def test_a_scrape_asks_the_store_for_tables_and_alerts_alone_and_seldom(engine: Engine) -> None:
    """Whatever the number of rounds, and however many scrape."""
    fill(engine, tables=3, rounds=40)
    statements: list[str] = []
    event.listen(engine, "before_cursor_execute", lambda *given: statements.append(given[2]))

    async def exchange(floor: Scraped) -> None:
        await asyncio.gather(*(floor.ask() for _ in range(20)))
        selected = [statement for statement in statements if "SELECT" in statement]
        assert len(selected) == 3
        assert not any("rounds" in statement or "hour_sums" in statement for statement in selected)
        floor.clock.advance_to(floor.clock.now_ns() + metrics.FRESH_NS - 1)
        await floor.ask()
        assert len(statements) == 3
        floor.clock.advance_to(floor.clock.now_ns() + 1)
        await floor.ask()
        assert len(statements) == 6

    scrape(engine, exchange)


def test_names_that_tables_invent_make_no_more_series(engine: Engine) -> None:
    rows = [a_table(f"t-{n}", game=f"game-{n}", state={"state": f"state-{n}" * 9}) for n in range(80)]
    insert(engine, {"tables": rows})

    async def exchange(floor: Scraped) -> None:
        values = await floor.values()
        games = [name for name in values if name.startswith("tables ")]
        assert len(games) == 51
        assert values["tables other"] == 30
        states = {name.rpartition(" ")[2] for name in values if name.startswith("table_states ")}
        assert states == {"other"}, "too long for a label"

    scrape(engine, exchange)
    counters = FloorCounters()
    for n in range(500):
        counters._reasons.of(f"reason-{n}")
    assert counters._reasons.of("reason-499") == "other"


def test_other_paths_and_methods_are_refused_and_without_the_key_there_is_no_page(engine: Engine) -> None:
    async def exchange(floor: Scraped) -> None:
        assert [(await floor.ask("POST")).status, (await floor.ask("PUT")).status] == [404, 405]
        assert (await floor.ask(path="/metrics.json")).status == 404
        pages = Pages(CONFIG, engine, floor.clock, lambda: LINK)
        assert pages.site(Request("GET", "/metrics", {}, HOST)).status == 404  # type: ignore[union-attr]
        pages.close()

    scrape(engine, exchange)


def test_the_token_opens_the_metrics_and_no_other_does(engine: Engine, tmp_path: Path) -> None:
    token = tmp_path / "token"
    token.write_text(TOKEN)

    async def exchange(floor: Scraped) -> None:
        for shown in ("", f"Bearer {TOKEN}x", f"Basic {TOKEN}"):
            assert (await floor.ask(authorization=shown)).status == 401
        assert (await floor.ask(authorization=f"Bearer {TOKEN}")).status == 200

    scrape(engine, exchange, None, metrics_token=str(token))


def test_a_bad_token_is_a_problem_of_the_file_and_the_pages_go_on(
    engine: Engine, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    missing = str(tmp_path / "none")

    async def exchange(floor: Scraped) -> None:
        answer = await floor.ask()
        assert (answer.status, b"none: No such file" in answer.body) == (503, True)
        assert (await floor.ask(path="/floor.json")).status == 200

    scrape(engine, exchange, None, metrics_token=missing)
    assert "messages are stored all the same" in caplog.text


def test_the_cost_of_a_scrape_is_that_of_its_tables(engine: Engine) -> None:
    """The size of the answer is the same for ten tables and for two hundred."""
    sizes = []
    for tables in (10, 200):
        insert(
            engine, {"tables": [a_table(f"t-{tables}-{n}", state={"state": "bets-open"}) for n in range(tables)]}
        )

        async def exchange(floor: Scraped) -> None:
            sizes.append(len((await floor.ask()).body.splitlines()))

        scrape(engine, exchange, state_of(FloorCounters()))
    assert sizes[0] == sizes[1]


def test_a_state_message_becomes_a_state(tmp_path: Path) -> None:
    """As the store has it, through the messages themselves."""
    store: Store = opened(f"sqlite:///{tmp_path}/floor.db")
    last = record([1, 1])[-1]
    store.take([arrived(online()), arrived(last), arrived(state_after(last))])

    async def exchange(floor: Scraped) -> None:
        values = await floor.values()
        assert any(name.startswith(f"table_states {last.game} ") for name in values)

    scrape(store.engine, exchange)
    store.close()
