"""Receivers are told at least once and in order, whatever they do; the floor does not notice."""

import asyncio
import base64
import hashlib
import hmac
import json
import socket
import ssl
from collections.abc import Callable
from pathlib import Path
from typing import Any

import jsonschema
import pytest
import trustme
from pydantic import ValidationError
from sqlalchemy import Engine, update
from stored_floor import NOW_MS, an_alert, insert, utc
from webhook_receiver import WebhookServer, webhook_server

from config.loader import load_floor
from config.webhooks import WebhookSection
from controller.commands.cli import main
from controller.floor.pages.server import Pages
from controller.floor.process import Floor
from controller.floor.store.engine import WRITING, open_engine
from controller.floor.store.schema import alerts
from controller.floor.webhooks import http_post, pace, receiver
from controller.floor.webhooks.pace import LONGEST_WAIT_S, MessagePace, RetryWaits
from controller.floor.webhooks.receiver import Receiver
from controller.messages.documents import webhook_schema
from controller.runtime.systemd import ServiceManager
from hal.clock import LoopClock

PATIENCE_S = 20.0


@pytest.fixture(autouse=True)
def _soon(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pace, "FIRST_WAIT_S", 0.01)
    monkeypatch.setattr(pace, "LONGEST_WAIT_S", 0.02)
    monkeypatch.setattr(receiver, "LOOK_S", 0.01)


def tell(
    engine: Engine, section: WebhookSection, condition: Callable[[], bool], said: list[str] | None = None
) -> None:
    """Run a receiver until something is so at the end of a turn: what it was told then is kept as told."""

    async def run() -> None:
        one = Receiver(
            section, "hall", engine, LoopClock(), lambda: said.append(one.trouble) if said is not None else None
        )
        turn, so = one._turn, False

        async def watched() -> float:
            nonlocal so
            try:
                return await turn()
            finally:
                so = so or condition()

        one._turn = watched  # type: ignore[method-assign]
        task = asyncio.create_task(one.run())
        async with asyncio.timeout(PATIENCE_S):
            while not so:
                assert not task.done()
                await asyncio.sleep(0.005)
        task.cancel()
        await asyncio.wait([task])
        one._store.shutdown()  # A look at the store that was begun ends before its connections are closed.

    asyncio.run(run())


def pager(server: WebhookServer, **changed: Any) -> WebhookSection:
    return WebhookSection(**{"name": "pager", "url": server.url, **changed})


def add(engine: Engine, *texts: str) -> None:
    insert(engine, {"alerts": [an_alert("sic-bo-1", text) for text in texts]})


def test_each_event_is_a_message_of_the_schema(engine: Engine) -> None:
    add(engine, "one", "two")
    with webhook_server() as server:
        tell(engine, pager(server), lambda: len(server.taken) == 2)
        with engine.begin() as db:
            db.execute(update(alerts).values(acknowledged=utc(NOW_MS), acknowledged_by="ana", reason="my secret"))
        tell(engine, pager(server), lambda: len(server.taken) == 4)
        assert server.delivered == [
            (event, text) for event in ("raised", "acknowledged") for text in ("one", "two")
        ]
        for message in server.taken:
            jsonschema.validate(message, webhook_schema())
        headers, body = server.posted[0]
        assert headers["path"] == "/alerts?to=pager"
        assert headers["content-type"] == "application/json"
        assert "ana" not in str(server.taken), "who, and why, stays on the floor's pages"
        assert "secret" not in str(server.taken)
        assert json.loads(body)["events"][0]["alert"]["remedy"] == "have it mended"


def test_a_message_is_signed_so_that_its_receiver_can_verify_it(engine: Engine, tmp_path: Path) -> None:
    key = bytes(range(32))
    (tmp_path / "key").write_text("whsec_" + base64.b64encode(key).decode() + "\n")
    add(engine, "one")
    with webhook_server() as server:
        tell(engine, pager(server, secret_file=str(tmp_path / "key")), lambda: len(server.taken) == 1)
        headers, body = server.posted[0]
    signed = f"{headers['webhook-id']}.{headers['webhook-timestamp']}.".encode() + body
    expected = base64.b64encode(hmac.new(key, signed, hashlib.sha256).digest()).decode()
    assert headers["webhook-signature"] == f"v1,{expected}"
    assert key.hex() not in body.hex()


@pytest.mark.parametrize("status", [500, 503, 429, 408])
def test_a_receiver_that_fails_is_notified_again_until_it_takes_it(
    engine: Engine, caplog: pytest.LogCaptureFixture, status: int
) -> None:
    add(engine, "one", "two")
    said: list[str] = []
    with webhook_server() as server:
        server.statuses = [status] * 8
        tell(engine, pager(server), lambda: len(server.taken) == 2, said)
        assert server.delivered == [("raised", "one"), ("raised", "two")]
        assert len({headers["webhook-id"] for headers, _ in server.posted[:9]}) == 1, "the same message each time"
    assert said == [f"webhook pager: it answers {status}", ""]
    assert [one.levelname for one in caplog.records if "pager" in one.message] == ["ERROR"], "said once"


@pytest.mark.parametrize("status", [400, 401, 404, 410, 301, 308])
def test_a_message_that_is_refused_is_given_up_with_a_line_in_the_log(
    engine: Engine, caplog: pytest.LogCaptureFixture, status: int
) -> None:
    add(engine, "one", "two")
    with webhook_server() as server:
        server.headers = {"Location": server.url + "&moved"}
        server.statuses = [status] * receiver.TRIES
        tell(engine, pager(server), lambda: len(server.taken) == 1)
        assert server.delivered == [("raised", "two")]
        assert not [headers for headers, _ in server.posted if "moved" in headers["path"]], (
            "no redirect is followed"
        )
        assert len(server.posted) == receiver.TRIES + 1
    assert f"given up after {receiver.TRIES} refusals with {status}: alerts 1 raised" in caplog.text


def test_a_restart_loses_none_and_a_repetition_can_be_known_by_its_id(engine: Engine) -> None:
    add(engine, "one")
    with webhook_server() as server:
        server.statuses = [500] * 1000
        tell(engine, pager(server), lambda: len(server.posted) >= 3)
        add(engine, "two")
        server.statuses = []
        tell(engine, pager(server), lambda: len(server.taken) == 2)
        ids = [event["id"] for message in server.taken for event in message["events"]]
    assert ids == ["hall/1/raised", "hall/2/raised"]


def test_beyond_the_pace_all_that_waits_is_one_message(engine: Engine) -> None:
    add(engine, *map(str, range(30)))
    with webhook_server() as server:
        tell(engine, pager(server, per_minute=3), lambda: len(server.delivered) == 30)
        assert [len(message["events"]) for message in server.taken] == [30]
        add(engine, "x", "y")
        tell(engine, pager(server, per_minute=3), lambda: len(server.delivered) == 32)
        assert [len(message["events"]) for message in server.taken] == [30, 1, 1]


def test_no_more_than_its_pace_is_sent() -> None:
    pace_ = MessagePace(2)
    assert (pace_.left(0), pace_.wait_s(0)) == (2, 0)
    pace_.sent(0)
    pace_.sent(10)
    assert (pace_.left(59.9), pace_.wait_s(20)) == (0, 40)
    assert (pace_.left(60), pace_.left(70)) == (1, 2)


def test_waits_grow_are_drawn_and_are_at_least_what_the_receiver_asks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.undo()
    waits = RetryWaits(lambda: 0.0)
    assert [waits.failed_s() for _ in range(10)] == [2.5, 5, 10, 20, 40, 80, 160, 320, 450, 450]
    waits.succeeded()
    assert waits.failed_s() == 2.5
    assert RetryWaits(lambda: 1.0).failed_s() == 5
    assert RetryWaits().failed_s("120") == 120
    assert RetryWaits().failed_s("99999999") == LONGEST_WAIT_S == 900
    assert RetryWaits(lambda: 1.0).failed_s("Fri, 31 Dec 1999 23:59:59 GMT") == 5


class Silent:
    """Takes a connection and does with it what it is told."""

    def __init__(self, answer: bytes, repeated: bool = False) -> None:
        self._answer, self._repeated = answer, repeated
        self.connections = 0

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.connections += 1
        await reader.readuntil(b"\r\n\r\n")
        try:
            writer.write(self._answer)
            while self._repeated:
                writer.write(self._answer)
                await writer.drain()
            await reader.read()
        except OSError:
            pass
        finally:
            writer.transport.abort()


@pytest.mark.parametrize(
    ("peer", "why"),
    [
        (Silent(b""), "no answer within"),
        (Silent(b"HTTP/1.1 200 OK\r\nX: "), "no answer within"),
        (Silent(b"HTTP/1.1 100 Continue\r\n\r\n", repeated=True), "has no end"),
        (Silent(b"x" * 1000, repeated=True), "has no end"),
        (Silent(b"SSH-2.0-OpenSSH_9\r\n\r\n"), "is not HTTP/1.1"),
    ],
)
def test_a_receiver_that_hangs_floods_or_lies_ends_in_time(
    engine: Engine, monkeypatch: pytest.MonkeyPatch, peer: Silent, why: str
) -> None:
    monkeypatch.setattr(http_post, "LIMIT_S", 0.3 if "within" in why else PATIENCE_S)
    add(engine, "one")
    said: list[str] = []

    async def run() -> None:
        server = await asyncio.start_server(peer.serve, "127.0.0.1", 0)
        port = server.sockets[0].getsockname()[1]
        section = WebhookSection(name="pager", url=f"http://127.0.0.1:{port}")
        one = Receiver(section, "hall", engine, LoopClock(), lambda: said.append(one.trouble))
        task = asyncio.create_task(one.run())
        async with asyncio.timeout(PATIENCE_S):
            while not said:
                await asyncio.sleep(0.005)
        task.cancel()
        await asyncio.wait([task])
        server.close()

    asyncio.run(run())
    assert why in said[0]


def test_a_receiver_that_is_down_is_said_and_notified_later(engine: Engine) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        port = taken.getsockname()[1]
        add(engine, "one")
        said: list[str] = []
        section = WebhookSection(name="pager", url=f"http://127.0.0.1:{port}/")
        tell(engine, section, lambda: bool(said), said)
    assert "webhook pager: " in said[0]
    assert "refused" in said[0].lower()


@pytest.mark.parametrize(
    ("url", "sentence"),
    [
        ("http://pager.example/", "must begin with https://"),
        ("http://127.0.0.1.example/", "must begin with https://"),
        ("ftp://127.0.0.1/", "must begin with https://"),
        ("https://user:pass@pager.example/", "no user, password or fragment"),
        ("https://pager.example/#x", "no user, password or fragment"),
        ("https://pager.example:x/", "has a port that is none"),
        ("https:///alerts", "a whole address"),
        ("https://pager.example/a b", "a whole address"),
        ("https://pager.example/\n", "a whole address"),
    ],
)
def test_an_address_that_would_tell_others_is_refused(url: str, sentence: str) -> None:
    with pytest.raises(ValidationError, match=sentence):
        WebhookSection(name="pager", url=url)


@pytest.mark.parametrize("url", ["https://pager.example:8443/x?y=z", "http://127.0.0.1:9000/", "http://[::1]/"])
def test_other_addresses_are_taken(url: str) -> None:
    assert WebhookSection(name="pager", url=url).url == url


@pytest.mark.parametrize(
    "text", ["", "whsec_", "short", "whsec_" + "A" * 20, "whsec_!!!!", "whsec_" + "A" * 400, "ä"]
)
def test_a_key_that_is_none_is_said_without_being_shown(engine: Engine, tmp_path: Path, text: str) -> None:
    (tmp_path / "key").write_text(text)
    add(engine, "one")
    said: list[str] = []
    section = WebhookSection(name="pager", url="http://127.0.0.1:9/", secret_file=str(tmp_path / "key"))
    tell(engine, section, lambda: bool(said), said)
    assert "must hold whsec_ and base64 of 24 to 64 bytes" in said[0]
    assert len(text) < 10 or text not in said[0]


@pytest.mark.parametrize(("trusted", "host"), [(True, "localhost"), (False, "localhost"), (True, "127.0.0.1")])
def test_only_a_receiver_whose_certificate_fits_is_notified(
    engine: Engine, tmp_path: Path, trusted: bool, host: str
) -> None:
    authority, other = trustme.CA(), trustme.CA()
    (authority if trusted else other).cert_pem.write_to_path(str(tmp_path / "ca.pem"))
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    authority.issue_cert("localhost").configure_cert(context)
    add(engine, "one")
    said: list[str] = []
    with webhook_server(context) as server:
        url = server.url.replace("http://127.0.0.1", f"https://{host}")
        section = WebhookSection(name="pager", url=url, ca=str(tmp_path / "ca.pem"))
        is_good = trusted and host == "localhost"
        tell(engine, section, lambda: bool(server.taken) if is_good else bool(said), said)
        assert bool(server.taken) == is_good
    assert is_good or "its certificate is refused" in said[0]


def test_the_floor_tells_and_says_on_its_pages_who_cannot_be_notified(
    file: Path, caplog: pytest.LogCaptureFixture
) -> None:
    with webhook_server() as server:
        key = file.parent / "key"
        key.write_text("whsec_" + base64.b64encode(bytes(32)).decode())
        hook = f"{{name: pager, url: '{server.url}', secret_file: {key}}}"
        file.write_text(file.read_text() + f"alerts: {{webhooks: [{hook}]}}\nscreens: {{enabled: false}}\n")
        config = load_floor(file.read_bytes(), str(file))
        server.statuses = [500] * 3

        async def run() -> list[str]:
            manager = ServiceManager()
            floor = Floor(config, LoopClock(), manager, Pages)
            task = asyncio.create_task(floor.run())
            said = []
            async with asyncio.timeout(PATIENCE_S):
                while not Path(config.store.url.removeprefix("sqlite:///")).exists() or floor._webhooks is None:
                    await asyncio.sleep(0.005)
                engine = open_engine(config.store.url)
                with engine.execution_options(**{WRITING: True}).begin() as db:
                    db.execute(alerts.insert(), [an_alert("sic-bo-1", "one")])
                engine.dispose()
                while not server.taken:
                    said.append(floor._webhooks.trouble)
                    await asyncio.sleep(0.005)
            floor.stop()
            await task
            return said

        said = asyncio.run(run())
    assert "webhook pager: it answers 500" in said
    assert server.delivered == [("raised", "one")]


def test_floor_check_names_a_webhook_whose_key_is_missing(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    hook = "{name: pager, url: 'https://pager.example/', secret_file: /nowhere}"
    file.write_text(file.read_text() + f"alerts: {{webhooks: [{hook}]}}\n")
    assert main(["floor", str(file), "--check"]) == 78
    assert "alerts.webhooks[0]: /nowhere: cannot be read" in capsys.readouterr().err


def test_two_receivers_of_one_name_are_refused(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    hook = "{name: pager, url: 'https://pager.example/'}"
    file.write_text(file.read_text() + f"alerts: {{webhooks: [{hook}, {hook}]}}\n")
    assert main(["floor", str(file), "--check"]) == 78
    assert "two receivers of the name 'pager'" in capsys.readouterr().err
