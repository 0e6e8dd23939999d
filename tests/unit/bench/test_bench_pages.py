"""The pages of a bench: those of its table, and actions that only a page of this bench may send."""

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest
from asgi import Answer, asked

from config.schema import TableConfig
from controller.bench.live import LiveBench
from controller.bench.web.server import MOST_BYTES, BenchPages
from hal.mock.clock import VirtualClock

Shipped = Callable[[str], TableConfig]
JSON = {"content_type": "application/json"}
PRESS = b'{"press": "done"}'


def served(shipped: Shipped, tmp_path: Path, exchange: Callable[[BenchPages, LiveBench], Awaitable[None]]) -> None:
    async def run() -> None:
        bench = LiveBench(shipped("sic-bo"), tmp_path / "bench.journal", seed=1, clock=VirtualClock())
        try:
            await exchange(BenchPages(bench, tmp_path / "bench.journal"), bench)
        finally:
            bench.close()

    asyncio.run(run())


def acted(shipped: Shipped, tmp_path: Path, body: bytes, **headers: str) -> tuple[Answer, bool]:
    """The answer to an action, and whether it was done."""
    found: list[tuple[Answer, bool]] = []

    async def exchange(pages: BenchPages, bench: LiveBench) -> None:
        before = len(bench.watch.log)
        answer = await asked(pages.application, "/bench/act", "POST", body, **headers)
        found.append((answer, len(bench.watch.log) > before))

    served(shipped, tmp_path, exchange)
    return found[0]


def test_a_page_of_this_bench_may_act(shipped: Shipped, tmp_path: Path) -> None:
    for headers in ({}, {"origin": "http://localhost:8080"}):
        answer, done = acted(shipped, tmp_path, PRESS, **JSON, **headers)
        assert (answer.status, done) == (204, True)


@pytest.mark.parametrize(
    ("status", "body", "headers"),
    [
        *(
            (403, PRESS, {"origin": origin})
            for origin in ("http://evil.example", "null", "", "http://localhost:81")
        ),
        *((415, PRESS, {"content_type": kind}) for kind in ("text/plain", "", "multipart/form-data")),
        (421, PRESS, {"host": "evil.example"}),
        (413, b" " * (MOST_BYTES + 1), {}),
        *((400, body, {}) for body in (b"", b"{", b"[]", b"3", b"\xff", b"[" * 4000, b"{}", b"null", b"NaN")),
    ],
)
def test_what_anybody_else_sends_does_nothing(
    status: int, body: bytes, headers: dict[str, str], shipped: Shipped, tmp_path: Path
) -> None:
    """Cross-site request forgery, DNS rebinding, and what is no action."""
    answer, done = acted(shipped, tmp_path, body, **{**JSON, **headers})
    assert (answer.status, done) == (status, False)


def test_the_description_has_what_can_be_injected_and_the_screens_go_dark_with_the_power(
    shipped: Shipped, tmp_path: Path
) -> None:
    async def exchange(pages: BenchPages, bench: LiveBench) -> None:
        described = (await asked(pages.application, "/table.json")).document
        assert described["bench"]
        assert described["breakages"]
        assert described["moves"]
        running = asyncio.create_task(pages.run())
        hub = pages._pages.hub

        async def until(condition: Callable[[str], bool]) -> None:
            while not condition(hub.views["dealer"]["task"]["act"]):
                await asyncio.sleep(0.01)
                bench.clock.advance_to(bench.clock.now_ns() + 100_000_000)  # type: ignore[attr-defined]

        await until(lambda act: "not been reached" not in act)
        bench.power_cut()
        await until(lambda act: act == "the power is off")
        await until(lambda act: act != "the power is off")
        running.cancel()
        await asyncio.wait({running})

    served(shipped, tmp_path, exchange)
