"""A real Prometheus scrapes table, publisher and floor, and evaluates every expression of dashboards and rules.

The table plays on simulated hardware, its publisher reads its journal, and the floor's writer stores what it sends.
"""

import asyncio
import json
import re
import shutil
import subprocess
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
import yaml
from contracts.floor_store_cases import opened
from contracts.loop import PATIENCE_S
from floor_messages import arrived, online, record, state_after
from floor_pages import CONFIG, LINK
from played import Played
from postgres_server import Postgres
from project import ROOT
from prometheus_server import PACKAGE, SHOWN, Prometheus
from server_process import program

from config.schema import BrokerSection, ScreensSection
from config.screens import PublisherMetricsSection
from controller.configuration.shipped import LoadedTable, table_path
from controller.floor.ingest.counters import FloorCounters
from controller.floor.ingest.resend_requests import ResendRequests
from controller.floor.ingest.validation import Arrived
from controller.floor.ingest.writer import StoreWriter
from controller.floor.pages.server import Pages
from controller.floor.queries.store_figures import FiguresReader
from controller.messages.models import MessagePart, write
from controller.publishing import publisher as publishing
from controller.publishing.cursor import Cursor
from controller.publishing.metrics_site import PublisherMetrics
from controller.publishing.publisher import Publisher
from controller.screens.rounds import Rounds
from controller.screens.server import ScreenServer
from controller.web.http import Request, Response
from hal.clock import LoopClock

GAME = "dreamcatcher"
TOKEN = "0123456789abcdef"
DASHBOARDS = sorted((ROOT / "deploy/grafana/dashboards").glob("*.json"))
RARE = {
    *(("Floor", panel) for panel in ("Active alerts", "Devices out of order", "Void spins")),
    *(("Table", panel) for panel in ("Devices out of order", "Void", "Void spins", "Wagers returned")),
}
"""Panels that may have no value in a house in order."""


class Line:
    """The way from the publisher to the floor, with counters as the floor's subscriber has them."""

    def __init__(self, writer: StoreWriter, counters: FloorCounters, clock: LoopClock) -> None:
        self._writer, self._counters, self._clock = writer, counters, clock

    async def publish(self, topic: str, message: MessagePart, retain: bool = False) -> None:
        await asyncio.sleep(0)
        self._counters.arrived(topic)
        self._writer.add(Arrived(topic, write(message), self._clock.utc_ns()))

    async def subscribe(self, topic: str) -> None:
        pass

    async def messages(self) -> AsyncIterator[Any]:
        await asyncio.Event().wait()
        yield None

    @asynccontextmanager
    async def connected(self, *_: object) -> AsyncIterator["Line"]:
        self._counters.connections.inc()
        yield self


class House:
    """A table, its publisher and its floor, each with its ``/metrics`` served on loopback."""

    def __init__(self, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        self.folder = folder
        self.token = folder / "token"
        self.token.write_text(TOKEN)
        self.played = Played(GAME, folder / "table.journal", rounds=2, fault_rate=0.3)
        clock, self.counters = LoopClock(), FloorCounters(CONFIG.floor)
        self._store, requests = opened(f"sqlite:///{folder}/floor.db"), ResendRequests()
        self._writer = StoreWriter(self._store, requests, clock, lambda: None, counters=self.counters)
        line = Line(self._writer, self.counters, clock)
        monkeypatch.setattr(publishing, "connected", line.connected)
        monkeypatch.setattr(publishing, "POLL_S", 0.05)
        self._cursor = Cursor(folder / "table.published")
        broker = BrokerSection(host="broker", ca="ca", certificate="crt", key="key")
        self._publisher = Publisher(self.played.config, broker, self.played.file, self._cursor, clock)
        self.publisher = PublisherMetrics(GAME, PublisherMetricsSection(), self._publisher, clock)
        screens = ScreensSection(metrics=True)
        config = self.played.config.model_copy(update={"screens": screens})
        loaded = LoadedTable(table_path(GAME), config, "0" * 64)
        self.table = ScreenServer(loaded, self.played.rig.clock, Rounds(folder, self.played.file))
        self.table.watch(self.played.rig.table)
        screens = ScreensSection(metrics=True, metrics_token=str(self.token))
        self.floor = Pages(CONFIG.model_copy(update={"screens": screens}), self._store.engine, clock, lambda: LINK)
        self.counters.watch(lambda: self._writer.waiting, lambda: requests.tables, lambda: True, lambda: True)
        self.floor.measure(self.counters.registry)
        self._work: list[asyncio.Task[None]] = []

    async def open(self) -> dict[str, int]:
        """Serve; returns the port of each job of the example."""
        self._work = [asyncio.create_task(one.run()) for one in (self._writer, self._publisher)]
        served = {"table": self.table, "publisher": self.publisher, "floor": self.floor}
        return {job: await one.open("127.0.0.1", 0) for job, one in served.items()}

    async def close(self) -> None:
        for task in self._work:
            task.cancel()
        await asyncio.wait(self._work)
        await self._writer.finish()
        for one in (self.table, self.floor, self._publisher, self._cursor, self._store):
            one.close()
        self.publisher._server.close()
        self.played.finish()


async def until(condition: Callable[[], bool]) -> None:
    """Ask Prometheus until it is so."""
    async with asyncio.timeout(PATIENCE_S):
        while not await asyncio.to_thread(condition):
            await asyncio.sleep(0.05)


def _expressions() -> list[tuple[str, str, str]]:
    """Dashboard, panel and expression, with every value of the variables, and a rate over few seconds."""
    found = []
    for file in DASHBOARDS:
        dashboard = json.loads(file.read_text(encoding="utf-8"))
        _, variable = dashboard["templating"]["list"]
        for panel in dashboard["panels"]:
            for target in panel["targets"]:
                text = target["expr"].replace(f"${variable['name']}", ".*").replace("$__rate_interval", "1m")
                found.append((dashboard["title"], panel["title"], text))
    return found


def _named() -> set[str]:
    """The metrics that dashboards and rules name, without what their kind adds to a name."""
    texts = [file.read_text(encoding="utf-8") for file in (*DASHBOARDS, SHOWN / "rules.yml")]
    return {
        re.sub("_(bucket|sum|count|total)$", "", name)
        for text in texts
        for name in re.findall(r"table_controller_\w+", text)
    }


def test_every_expression_of_every_dashboard_has_a_value(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def run() -> None:
        house = House(tmp_path, monkeypatch)
        try:
            prometheus = Prometheus(tmp_path / "prometheus", await house.open(), house.token)
            await asyncio.to_thread(prometheus.start)
            try:
                await _scraped(house, prometheus)
            finally:
                prometheus.stop()
        finally:
            await house.close()

    asyncio.run(run())


async def _scraped(house: House, prometheus: Prometheus) -> None:
    """Play while Prometheus scrapes, then evaluate everything."""
    before = (
        'count(count_over_time(up[1m]) >= 3) == 3 and sum(table_controller_floor_rounds_total{fate="stored"}) > 0'
    )
    await until(lambda: bool(prometheus.value(before)))
    house.played.more(3, 7, fault_rate=0.5)
    stored = 'increase(table_controller_floor_rounds_total{fate="stored"}[1m]) > 0'
    await until(lambda: bool(prometheus.value(stored)))
    await until(lambda: bool(prometheus.value("increase(table_controller_decisions_total[1m]) > 0")))
    values = {one: await asyncio.to_thread(prometheus.value, one[2]) for one in _expressions()}
    empty = {(dashboard, panel) for (dashboard, panel, _), samples in values.items() if not samples}
    assert empty <= RARE
    numbers = [float(sample["value"][1]) for samples in values.values() for sample in samples]
    assert any(number > 0 for number in numbers)
    by_title = {(dashboard, panel): samples for (dashboard, panel, _), samples in values.items()}
    assert [float(one["value"][1]) for one in by_title["Floor", "Tables"]] == [1]
    assert [float(one["value"][1]) for one in by_title["Publishers", "Connected"]] == [1]
    (state,) = by_title["Table", "State"]
    assert state["metric"]["table_controller_state"] == house.played.rig.state.value
    assert {one["value"][1] for one in await asyncio.to_thread(prometheus.value, "up")} == {"1"}
    known = await asyncio.to_thread(prometheus.metrics)
    assert _named() <= {name.removesuffix("_total") for name in known}
    healths = {rule["name"]: rule["health"] for rule in await asyncio.to_thread(prometheus.rules)}
    assert set(healths.values()) == {"ok"}, healths
    await asyncio.to_thread(_checked_metrics, house, prometheus)


def _checked_metrics(house: House, prometheus: Prometheus) -> None:
    """Each endpoint is as Prometheus wants names and units to be."""
    for site in (house.table.site, house.publisher.answer):
        answer = site(Request("GET", "/metrics", {}, {"host": "localhost"}))
        assert isinstance(answer, Response)
        _promtool(["check", "metrics"], answer.body)


async def _floor_metrics(house: House) -> bytes:
    sent = {"host": "localhost", "authorization": f"Bearer {TOKEN}"}
    answer = house.floor.site(Request("GET", "/metrics", {}, sent))
    response = answer if isinstance(answer, Response) else await answer  # type: ignore[misc]
    assert isinstance(response, Response)
    return response.body


def test_the_floors_metrics_are_as_prometheus_wants_them(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def run() -> bytes:
        house = House(tmp_path, monkeypatch)
        await house.open()
        try:
            async with asyncio.timeout(PATIENCE_S):
                stored = ("table_controller_floor_round_lag_seconds_count", {"floor": CONFIG.floor})
                while not house.counters.registry.get_sample_value(*stored):
                    await asyncio.sleep(0.01)
            return await _floor_metrics(house)
        finally:
            await house.close()

    _promtool(["check", "metrics"], asyncio.run(run()))


def test_the_rules_are_right_and_their_tests_pass(tmp_path: Path) -> None:
    for name in ("rules.yml", "rules_test.yml"):
        shutil.copy(SHOWN / name, tmp_path)
    _promtool(["check", "rules", str(tmp_path / "rules.yml")])
    _promtool(["test", "rules", str(tmp_path / "rules_test.yml")])
    tests = (SHOWN / "rules_test.yml").read_text(encoding="utf-8")
    rules = yaml.safe_load((SHOWN / "rules.yml").read_text(encoding="utf-8"))
    for rule in (rule for group in rules["groups"] for rule in group["rules"]):
        assert f'alertname="{rule["alert"]}"' in tests, "each rule has a test"
        assert rule["labels"]["severity"] in ("warning", "critical")
        assert rule["annotations"].keys() == {"summary", "remedy"}


def test_the_example_is_a_configuration(tmp_path: Path) -> None:
    shown = (SHOWN / "prometheus.yml").read_text(encoding="utf-8")
    token = tmp_path / "token"
    token.write_text(TOKEN)
    (tmp_path / "prometheus.yml").write_text(shown.replace("/etc/prometheus/table-controller.token", str(token)))
    shutil.copy(SHOWN / "rules.yml", tmp_path)
    _promtool(["check", "config", str(tmp_path / "prometheus.yml")])


def test_the_figures_of_the_store_are_the_same_in_postgresql(postgres: Postgres, tmp_path: Path) -> None:
    """The state of a game is taken out of JSON by the database itself."""
    found = []
    last = record([1, 1])[-1]
    for url in (f"sqlite:///{tmp_path}/floor.db", postgres.fresh()):
        store = opened(url)
        store.take([arrived(online()), arrived(last), arrived(state_after(last))])
        with store.engine.connect() as db:
            found.append(FiguresReader().read(db))
        store.close()
    assert found[0] == found[1]
    (group,) = found[0].tables
    assert (group.game, group.online, group.state) == (last.game, True, state_after(last).state)


def _promtool(words: list[str], given: bytes = b"") -> None:
    done = subprocess.run(
        [program("promtool", PACKAGE), *words], input=given, capture_output=True, check=False, timeout=PATIENCE_S
    )
    said = (done.stdout + done.stderr).decode()
    assert done.returncode == 0, said
