"""Which pages of a table a browser may read, and which actions it may send."""

import json
from collections.abc import Mapping

import pytest

from controller.web.http import Answer, Follow, Request, Response
from controller.web.routes import GUARDS, Site, assets
from controller.web.sse import Channel
from hal.mock.clock import VirtualClock

HOST = {"host": "127.0.0.1:8080"}
JSON = {**HOST, "content-type": "application/json"}


class Table:
    """Routes with one page, one stream and one action."""

    def __init__(self, bench: bool = True) -> None:
        self.done: list[Mapping[str, object]] = []
        channel = Channel(VirtualClock(), lambda: {"n": 1})
        self.site = Site(
            hosts=["Table-7.floor"],
            describe=lambda: {"table": "seven"},
            pages={"/": "board.html"},
            streams={"/board.events": channel},
            acts={"/bench/act": self._act} if bench else {},
            queries={"/rounds": self._rounds},
        )

    def _act(self, request: Request, body: Mapping[str, object]) -> None:
        if "key" not in body:
            raise ValueError("say which key")
        self.done.append(body)

    async def _rounds(self, request: Request) -> Response:
        return Response()

    def get(self, path: str, headers: Mapping[str, str] = HOST, method: str = "GET") -> Answer:
        return self.site(Request(method, path, headers=headers))

    def status(self, path: str, headers: Mapping[str, str] = HOST, method: str = "GET") -> int:
        answer = self.get(path, headers, method)
        assert isinstance(answer, Response)
        return answer.status

    def post(self, body: bytes, headers: Mapping[str, str] = JSON, path: str = "/bench/act") -> Response:
        answer = self.site(Request("POST", path, headers=headers, body=body))
        assert isinstance(answer, Response)
        return answer


def test_pages_assets_streams_and_the_record_have_addresses_and_nothing_else_does() -> None:
    table = Table()
    for path in ("/", "/table.json", *(f"/assets/{name}" for name in assets())):
        assert table.status(path) == 200, path
    assert isinstance(table.get("/board.events"), Follow)
    for path in ("", "/board", "/assets", "/assets/", "/dealer.events", "/bench.events", "//", "/table.json/"):
        assert table.status(path) == 404, path


@pytest.mark.parametrize(
    "path",
    [
        "/assets/../screens.py",
        "/assets/../../table.py",
        "/assets//etc/passwd",
        "/assets/..",
        "/assets/board.js\x00",
        "/assets/__init__.py",
    ],
)
def test_nothing_outside_the_package_is_served(path: str) -> None:
    assert Table().status(path) == 404


@pytest.mark.parametrize("host", ["localhost", "LOCALHOST:80", "127.0.0.1", "[::1]:8080", "table-7.floor:8080"])
def test_this_computer_answers_to_its_own_host_names(host: str) -> None:
    assert Table().status("/", {"host": host}) == 200


@pytest.mark.parametrize(
    "host",
    [
        "",
        "evil.example",
        "evil.example:8080",
        "127.0.0.1.evil.example",
        "localhost@evil",
        "[",
        "::1",
        "localhost, evil",
    ],
)
def test_a_foreign_host_name_is_refused(host: str) -> None:
    """DNS rebinding."""
    table = Table()
    assert table.status("/", {"host": host}) == 421
    assert table.post(b'{"key": "t"}', {**JSON, "host": host}).status == 421
    assert table.done == []


def test_every_answer_has_the_security_headers() -> None:
    table = Table()
    answers = [
        *(table.get(path) for path in ("/", "/table.json", "/nothing", "/board.events")),
        table.get("/", {"host": "evil"}),
        table.post(b"{}"),
        table.post(b'{"key": "t"}'),
    ]
    for answer in answers:
        assert isinstance(answer, Response | Follow)
        assert set(GUARDS) <= set(answer.headers)


def test_a_page_of_this_table_may_act() -> None:
    table = Table()
    assert table.post(b'{"key": "t"}', {**JSON, "origin": "http://127.0.0.1:8080"}).status == 204
    assert table.done == [{"key": "t"}]


@pytest.mark.parametrize(
    "origin", ["http://evil.example", "null", "", "http://127.0.0.1:8081", "http://localhost:8080"]
)
def test_a_page_of_anybody_else_may_not(origin: str) -> None:
    """Cross-site request forgery."""
    table = Table()
    assert table.post(b'{"key": "t"}', {**JSON, "origin": origin}).status == 403
    assert table.done == []


@pytest.mark.parametrize("kind", ["text/plain", "application/x-www-form-urlencoded", "", "multipart/form-data"])
def test_a_form_may_not_act(kind: str) -> None:
    table = Table()
    assert table.post(b'{"key": "t"}', {**HOST, "content-type": kind}).status == 415
    assert table.done == []


@pytest.mark.parametrize("body", [b"", b"{", b"[]", b"3", b'"key"', b"\xff", b"[" * 4000, b"{}", b"null", b"NaN"])
def test_an_invalid_action_is_answered_with_a_sentence(body: bytes) -> None:
    table = Table()
    answer = table.post(body)
    assert answer.status == 400
    assert json.loads(answer.body)["error"]
    assert table.done == []


def test_a_table_on_real_hardware_accepts_no_actions() -> None:
    table = Table(bench=False)
    assert table.post(b'{"key": "t"}').status == 404
    assert table.post(b"{}", path="/").status == 404
    for method in ("PUT", "DELETE", "OPTIONS", "TRACE", "CONNECT", "PATCH"):
        assert table.status("/", method=method) == 405
