"""``/metrics`` of a publisher: how far it is, also while the broker is away, and who may read it."""

import asyncio
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, closing
from pathlib import Path
from typing import Any

import pytest
from contracts.loop import PATIENCE_S
from played import Played
from prometheus_client.parser import text_string_to_metric_families as plain_text

from config.schema import BrokerSection
from config.screens import PublisherMetricsSection
from controller.messages.link import LinkError, RefusedError
from controller.messages.models import MessagePart, RoundClosed
from controller.publishing import publisher as publishing
from controller.publishing.cursor import Cursor
from controller.publishing.metrics_site import PublisherMetrics
from controller.publishing.publisher import Publisher
from controller.web.exchange import Request, Response
from controller.web.metrics_token import MetricsTokenError
from hal.clock import LoopClock

BROKER = BrokerSection(host="broker", port=8883, ca="ca", certificate="crt", key="key", keep_alive_s=20)
TOKEN = "0123456789abcdef"


class Broker:
    """Takes messages; refuses rounds, or is away, if it is told to."""

    def __init__(self) -> None:
        self.refuses = self.away = False
        self.taken = 0

    async def publish(self, topic: str, message: MessagePart, retain: bool = False) -> None:
        await asyncio.sleep(0)
        if self.refuses and isinstance(message, RoundClosed):
            raise RefusedError(f"the broker refuses {topic}: Not authorized")
        self.taken += 1

    async def subscribe(self, topic: str) -> None:
        pass

    async def messages(self) -> AsyncIterator[Any]:
        await asyncio.Event().wait()
        yield None

    @asynccontextmanager
    async def connected(self, *_: object) -> AsyncIterator["Broker"]:
        if self.away:
            raise LinkError("the broker cannot be reached")
        yield self


@pytest.fixture
def played(tmp_path: Path) -> Iterator[Played]:
    made = Played("sic-bo", tmp_path / "table.journal", rounds=4, fault_rate=0.3)
    yield made
    made.finish()


@pytest.fixture
def broker(monkeypatch: pytest.MonkeyPatch) -> Broker:
    made = Broker()
    monkeypatch.setattr(publishing, "connected", made.connected)
    for name in ("FIRST_WAIT_S", "LONGEST_WAIT_S", "POLL_S"):
        monkeypatch.setattr(publishing, name, 0.0)
    return made


class Observed:
    """A publisher, and who scrapes it."""

    def __init__(self, played: Played, cursor: Cursor, **section: Any) -> None:
        clock = LoopClock()
        self.publisher = Publisher(played.config, BROKER, played.file, cursor, clock)
        self.page = PublisherMetrics("sic-bo", PublisherMetricsSection(**section), self.publisher, clock)

    def ask(self, method: str = "GET", path: str = "/metrics", **headers: str) -> Response:
        return self.page.answer(Request(method, path, {}, {"host": "127.0.0.1:8081", **headers}))

    def values(self) -> dict[str, float]:
        found = {}
        for family in plain_text(self.ask().body.decode()):
            for sample in family.samples:
                rest = [value for label, value in sample.labels.items() if label != "table"]
                found[" ".join((sample.name.removeprefix("table_controller_publisher_"), *rest))] = sample.value
        return found


async def until(observed: Observed, name: str, value: float) -> dict[str, float]:
    """Publish until a metric has a value."""
    task = asyncio.create_task(observed.publisher.run())
    try:
        async with asyncio.timeout(PATIENCE_S):
            while (values := observed.values()).get(name) != value:
                await asyncio.sleep(0)
        return values
    finally:
        task.cancel()
        await asyncio.wait([task])


def run(played: Played, tmp_path: Path, name: str, value: float) -> dict[str, float]:
    async def it() -> dict[str, float]:
        with closing(Cursor(tmp_path / "cursor")) as cursor:
            observed = Observed(played, cursor)
            try:
                return await until(observed, name, value)
            finally:
                observed.publisher.close()

    return asyncio.run(it())


def test_all_that_is_published_is_counted_and_the_cursor_follows(
    played: Played, broker: Broker, tmp_path: Path
) -> None:
    rounds = sum(entry.checkpoint is not None for entry in played.journal.entries()) - 1
    values = run(played, tmp_path, "messages_total round", rounds)
    assert values["connected"] == 1
    assert values["connections_total"] == 1
    assert values["messages_total online"] == 1
    assert values["journal_entries"] == len(played.journal)
    assert values["behind_entries"] == values["journal_entries"] - values["cursor_entries"]
    assert 0 < values["closed_entries"] <= values["journal_entries"]
    assert values["last_acknowledged_timestamp_seconds"] > 1.7e9
    assert values["journal_bytes"] > 0


def test_the_metrics_have_the_names_that_rules_and_dashboards_use(
    played: Played, broker: Broker, tmp_path: Path
) -> None:
    names = {name.partition(" ")[0] for name in run(played, tmp_path, "messages_total online", 1)}
    assert {name for name in names if not name.startswith("process_")} == {
        *("table_controller_build_info", "table_controller_start_time_seconds"),
        *("connected", "connections_total", "failures_total", "last_acknowledged_timestamp_seconds"),
        *("messages_total", "messages_repeated_total", "messages_refused_total"),
        *("journal_entries", "journal_bytes", "cursor_entries", "closed_entries", "behind_entries"),
    }
    assert "process_resident_memory_bytes" in names


def test_bad_requests_are_refused(played: Played, tmp_path: Path) -> None:
    (tmp_path / "token").write_text(TOKEN)
    with closing(Cursor(tmp_path / "cursor")) as cursor:

        async def ask() -> None:
            observed = Observed(played, cursor, token=str(tmp_path / "token"), hosts=["table-7.floor"])
            right = {"authorization": f"Bearer {TOKEN}"}
            assert observed.ask(**right).status == 200
            assert observed.ask(**right, host="table-7.floor:8081").status == 200
            assert observed.ask(**right, host="evil.example").status == 421
            assert observed.ask("POST", **right).status == 405
            assert observed.ask(path="/", **right).status == 404
            assert observed.ask(authorization="Bearer 0123456789abcdeX").status == 401
            assert observed.ask().status == 401
            observed.publisher.close()
            with pytest.raises(MetricsTokenError, match="No such file"):
                Observed(played, cursor, token=str(tmp_path / "none"))

        asyncio.run(ask())
