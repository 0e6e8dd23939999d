"""``/metrics`` of a floor: what it counts and what it reads of the store, at whatever size, and who may read it."""

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

from contracts.floor_store_cases import opened
from floor_messages import LATER_NS, arrived, online, record
from floor_pages import CONFIG, HOST, LINK
from prometheus_client.parser import text_string_to_metric_families as plain_text
from sqlalchemy import Engine
from stored_floor import NOW_MS, a_table, an_alert, fill, insert

from config.schema import ScreensSection
from controller.floor.ingest.counters import FloorCounters
from controller.floor.ingest.resend_requests import ResendRequests
from controller.floor.ingest.validation import Arrived
from controller.floor.ingest.writer import StoreWriter
from controller.floor.pages.server import Pages
from controller.floor.store.rounds import RoundFate
from controller.web.http import Request, Response
from hal.clock import LoopClock
from hal.mock.clock import VirtualClock

TOKEN = "0123456789abcdef"
OF_STORE = {
    *("tables", "tables_online", "tables_playing", "tables_locked", "table_states", "alerts_active"),
    "devices_faulty",
}
GAUGES = {
    *("store_readable", "store_read_seconds", "queue_messages", "queue_bytes", "tables_incomplete"),
    *("store_available", "broker_connected"),
}
COUNTERS = {
    *("messages_received", "messages_refused", "messages_dropped", "rounds", "spins", "voids", "corrections"),
    *("resend_requests", "store_errors", "broker_connections", "broker_connection_failures"),
}
HISTOGRAMS = {"round_lag_seconds", "batch_duration_seconds", "batch_messages"}


class Scraped:
    """The pages of a floor with metrics, and who scrapes them."""

    def __init__(self, engine: Engine, counters: FloorCounters | None = None, **screens: Any) -> None:
        self.clock = VirtualClock(NOW_MS * 1_000_000)
        config = CONFIG.model_copy(update={"screens": ScreensSection(metrics=True, **screens)})
        self.pages = Pages(config, engine, self.clock, lambda: LINK)
        if counters is not None:
            self.pages.measure(counters.registry)

    async def ask(self, path: str = "/metrics", **headers: str) -> Response:
        answer = self.pages.site(Request("GET", path, {}, HOST | headers))
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


def counted(waiting: tuple[int, int] = (0, 0), incomplete: int = 0, well: bool = True) -> FloorCounters:
    """Counters of a floor, and what is so now."""
    made = FloorCounters(CONFIG.floor)
    made.watch(lambda: waiting, lambda: incomplete, lambda: well, lambda: well)
    return made


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


def test_the_metrics_have_the_names_that_rules_and_dashboards_use(engine: Engine) -> None:
    fill(engine, tables=3, rounds=2)

    async def exchange(floor: Scraped) -> None:
        found = list(plain_text((await floor.ask()).body.decode()))
        own = [family for family in found if family.name.startswith("table_controller_")]
        # In the text format the ends of counters stay off, that of an info does not.
        assert {family.name.removeprefix("table_controller_"): family.type for family in own} == {
            **dict.fromkeys(("build_info", "start_time_seconds"), "gauge"),
            **{f"floor_{name}": "gauge" for name in (*OF_STORE, *GAUGES)},
            **{f"floor_{name}": "counter" for name in COUNTERS},
            **{f"floor_{name}": "histogram" for name in HISTOGRAMS},
        }
        assert "process_resident_memory_bytes" in {family.name for family in found}

    scrape(engine, exchange, counted())


def test_what_the_writer_stores_is_counted(tmp_path: Path) -> None:
    """Rounds by game and fate, voids by reason, refused messages by reason, the lag, a lacking round."""

    async def keep() -> FloorCounters:
        store, requests = opened(f"sqlite:///{tmp_path}/floor.db"), ResendRequests()
        counters = FloorCounters("north")
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

    def value(name: str, **labels: str) -> float | None:
        return counters.registry.get_sample_value(f"table_controller_floor_{name}", {"floor": "north", **labels})

    game = record([1])[0].game
    fates = {fate.value: value("rounds_total", game=game, fate=fate.value) for fate in RoundFate}
    assert fates == {"stored": 2, "repeated": 1, "disputed": 0, "unproven": 0}, "from 0, so that increases show"
    assert (value("messages_refused_total", reason="not-json"), value("messages_refused_total", reason="huge")) == (
        1,
        0,
    )
    assert (value("round_lag_seconds_count"), value("round_lag_seconds_bucket", le="+Inf")) == (2, 2)
    assert (value("round_lag_seconds_sum") or 0) > 0
    assert (value("batch_messages_count") or 0) >= 1


def test_the_token_opens_the_metrics_and_no_other_does(engine: Engine, tmp_path: Path) -> None:
    token = tmp_path / "token"
    token.write_text(TOKEN)

    async def exchange(floor: Scraped) -> None:
        for shown in ("", f"Bearer {TOKEN}x", f"Basic {TOKEN}"):
            assert (await floor.ask(authorization=shown)).status == 401
        assert (await floor.ask(authorization=f"Bearer {TOKEN}")).status == 200

    scrape(engine, exchange, None, metrics_token=str(token))
