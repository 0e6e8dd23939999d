"""The bench without a server, as the worker's script uses it, and the archive that it is loaded from."""

import asyncio
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

from tools.site_bench.__main__ import files_of_library, pack
from tools.site_bench.table import TableInBrowser

PATIENCE_S = 60.0


class Script:
    """What a page would get of each of its requests."""

    def __init__(self, table: TableInBrowser) -> None:
        self.table = table
        self._more = asyncio.Event()

    def ask(self, method: str, target: str, body: str = "") -> tuple[int, list[dict[str, Any]]]:
        messages: list[dict[str, Any]] = []

        def post(text: str) -> None:
            messages.append(json.loads(text))
            self._more.set()

        kind = "application/json" if body else ""
        return self.table.ask(method, target, kind, body, post), messages

    async def until(self, true: Callable[[], bool]) -> None:
        """Wait for messages until a condition holds."""
        async with asyncio.timeout(PATIENCE_S):
            while not true():
                self._more.clear()
                await self._more.wait()


def _on_a_table(test: Callable[[Script], Any], game: str = "sic-bo") -> None:
    async def run() -> None:
        table = TableInBrowser(game, 1)
        try:
            await test(Script(table))
        finally:
            table.close()

    asyncio.run(run())


def test_pages_and_documents_are_those_of_the_server() -> None:
    async def test(script: Script) -> None:
        _, (page,) = script.ask("GET", "/bench")
        assert page["status"] == 200
        assert 'src="/assets/bench.js"' in page["body"]
        _, (table,) = script.ask("GET", "/table.json")
        assert json.loads(table["body"])["game"] == "sic-bo"
        _, (missing,) = script.ask("GET", "/nothing")
        assert missing["status"] == 404

    _on_a_table(test)


def test_only_pages_of_the_same_site_may_frame_them() -> None:
    async def test(script: Script) -> None:
        _, (page,) = script.ask("GET", "/bench")
        policy = dict(page["headers"])["Content-Security-Policy"]
        assert "frame-ancestors 'self'" in policy
        assert "script-src 'self'" in policy

    _on_a_table(test)


def test_a_stream_shows_what_is_pressed_until_it_is_left() -> None:
    async def test(script: Script) -> None:
        number, got = script.ask("GET", "/bench.events")
        assert got[0]["body"] is None
        assert dict(got[0]["headers"])["Content-Type"] == "text/event-stream"
        assert got[1]["event"].startswith("event: picture\ndata: {")
        assert got[1]["event"].endswith("}\n\n")
        _, (answer,) = script.ask("POST", "/bench/act", '{"press": "floor-key"}')
        assert answer["status"] == 204
        await script.until(lambda: "> floor key" in str(got[-1]))
        script.table.leave(number)
        before = len(got)
        script.ask("POST", "/bench/act", '{"press": "1"}')
        await asyncio.sleep(0)
        assert len(got) == before

    _on_a_table(test)


def test_an_act_that_cannot_be_says_why() -> None:
    async def test(script: Script) -> None:
        _, (answer,) = script.ask("POST", "/bench/act", '{"throw": 3}')
        assert answer["status"] == 400
        assert "no wheel" in json.loads(answer["body"])["error"]

    _on_a_table(test)


def test_the_record_is_read_without_a_process() -> None:
    async def test(script: Script) -> None:
        _, got = script.ask("GET", "/rounds.json")
        await script.until(lambda: bool(got))
        assert got[0]["status"] == 200
        assert [line["round"] for line in json.loads(got[0]["body"])["rounds"]] == [0]
        _, missing = script.ask("GET", "/rounds/7.json")
        await script.until(lambda: bool(missing))
        assert missing[0]["status"] == 404

    _on_a_table(test)


def test_another_table_ends_the_streams_of_the_one_before() -> None:
    async def test(script: Script) -> None:
        _, got = script.ask("GET", "/board.events")
        script.table.close()
        assert got[-1] == {"end": True}

    _on_a_table(test)


def test_the_archive_depends_on_the_files_alone(tmp_path: Path) -> None:
    pack({"b": b"2", "a/c": b"1"}, tmp_path / "one.zip")
    pack({"a/c": b"1", "b": b"2"}, tmp_path / "other.zip")
    assert (tmp_path / "one.zip").read_bytes() == (tmp_path / "other.zip").read_bytes()


def test_a_library_comes_with_its_licence_and_nothing_that_only_this_computer_runs() -> None:
    names = {name for name, _ in files_of_library("PyYAML")}
    assert "yaml/__init__.py" in names
    assert any("LICENSE" in name for name in names)
    assert not any(name.endswith((".so", ".pyc")) for name in names)
