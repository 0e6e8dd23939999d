"""What anybody sends to a floor's door: log-on, one-time codes, a provider's answers, cookies, tokens, settlements.

Some words of an input stand for what only this process knows: ``@cookie`` for the session of a person who
administers, ``@token`` for their page's token, ``@seen`` for what that page shows of a fork, ``@code`` for a
present one-time code, ``@begun`` and ``@state`` for a log-on that was begun at a provider.
"""

import asyncio
import tempfile
import time
from functools import cache
from pathlib import Path
from types import SimpleNamespace
from typing import Any
from unittest import mock

from contracts.floor_store_cases import opened
from door_floor import DoorFloor, Person
from floor_messages import arrived, record, spin
from sqlalchemy import func, select

from config.door import OidcSection
from controller.access import accounts, one_time
from controller.access.accounts import Account
from controller.access.credentials import Secret
from controller.access.roles import Role
from controller.floor.queries.settling import alert_document
from controller.floor.store import schema
from controller.web.http import Connection
from controller.web.serving import Serving

from .wire import Wire

PASSWORD = "correct horse battery"
_PATIENCE_S = 20.0
_FORK = 2
"""The number of the fork's alert."""
_HOST = b"Host: floor.example\r\n"


class _Vouching:
    """A provider that vouches for everybody, without a network."""

    def address(self, back: str, state: str, nonce: str, challenge: str) -> str:
        return f"https://login.example/?state={state}"

    def person(self, code: str, back: str, verifier: str, nonce: str) -> SimpleNamespace:
        return SimpleNamespace(name="zoe@login.example", role=Role.LOOK, subject=code)


@cache
def _loop() -> asyncio.AbstractEventLoop:
    return asyncio.new_event_loop()


def _account(role: Role) -> Account:
    """An account whose password costs as little to check as may be."""
    secret = Secret.of(PASSWORD, 1 << 14, 1)
    return Account(role=role, password=secret, one_time=one_time.new_secret(), recovery=[])


@cache
def _nobody() -> Account:
    """The account that a name without one is compared with."""
    return _account(Role.LOOK)


async def _made() -> tuple[DoorFloor, Person, str]:
    """A floor with a fork, a person who has logged on to it, and the secret of another one's codes."""
    folder = Path(tempfile.mkdtemp(prefix="table-fuzz-"))
    (folder / "client.secret").write_text("secret\n")
    roles: dict[str, Any] = {"surveillance": "look"}
    oidc = OidcSection(
        issuer="https://login.example", client_id="floor", client_secret_file=f"{folder}/client.secret", roles=roles
    )
    floor = DoorFloor(folder, oidc=oidc)
    floor.pages.settling.patience_s = 0.0  # No writer runs here.
    floor.pages._door._provider._provider = _Vouching()  # type: ignore[union-attr]
    store = opened(str(floor.engine.url), floor.record)
    ours, theirs = (record([3, 3, 3], spins=[spin(1)], changed_from=change) for change in (None, 2))
    store.take([arrived(one) for one in (*ours, *theirs[2:])])
    store.close()
    other = _account(Role.ACKNOWLEDGE)
    with accounts._changed(floor.file, missing_ok=True) as known:
        known.update(ana=other, eve=_account(Role.ADMINISTER))
        secret = known["eve"].one_time
    eve = Person("eve", secret, [])
    assert (await floor.log_on(eve)).status == 204
    return floor, eve, other.one_time


@cache
def _floor() -> tuple[DoorFloor, Person, str]:
    return _loop().run_until_complete(_made())


async def _begun(floor: DoorFloor) -> tuple[str, str]:
    """The cookie and the state of a log-on at the provider that has just begun."""
    answer = await floor.get(None, "/logon/oidc")
    sent = dict(answer.headers)
    return sent["Set-Cookie"].partition(";")[0], sent["Location"].partition("state=")[2]


async def _spoken(data: bytes) -> bytes:
    """An input in which the words are what they stand for."""
    floor, eve, secret = _floor()
    if b"@cookie" in data and (await floor.get(eve, "/floor.json")).status != 200:
        assert (await floor.log_on(eve)).status == 204, "the session was over"
    code = one_time.code(secret, floor.clock.utc_ns() // 1_000_000_000 // one_time.STEP_S)
    said = {b"@cookie": eve.cookie, b"@token": eve.token, b"@code": code}
    if b"@begun" in data or b"@state" in data:
        begun, state = await _begun(floor)
        said |= {b"@begun": begun, b"@state": state}
    if b"@seen" in data:
        with floor.engine.connect() as db:
            document = alert_document(db, _FORK, "", 0)
        said[b"@seen"] = document["seen"] if document is not None else ""
    for word, value in said.items():
        data = data.replace(word, value.replace("__Host-", "").encode())
    return data


def _settled() -> int:
    with _floor()[0].engine.connect() as db:
        return db.execute(select(func.count()).select_from(schema.settlements)).scalar() or 0


def log_on(data: bytes) -> None:
    """Requests to the door, in pieces: every answer is HTTP, none is a defect's; nobody settles without a token."""
    floor, _, _ = _floor()
    floor.wait(one_time.STEP_S)  # Another code; and who guessed wrongly need not wait for ever.
    before = _settled()
    with mock.patch.object(accounts, "_DUMMY", _nobody()):
        sent = _loop().run_until_complete(_exchange(data))
    assert not sent or sent.startswith(b"HTTP/1.1 ")
    assert b"HTTP/1.1 500" not in sent
    if b"@token" not in data or b"@cookie" not in data:
        assert _settled() == before, "somebody settled who has not logged on"


async def _exchange(data: bytes) -> bytes:
    floor, _, _ = _floor()
    spoken, at_first = await _spoken(data), asyncio.all_tasks()
    wire, connection = Wire("127.0.0.1"), Connection(Serving(floor.pages.site))
    connection.connection_made(wire)
    for start in range(0, len(spoken), 500):
        connection.data_received(spoken[start : start + 500])
    until = time.monotonic() + _PATIENCE_S
    while rest := asyncio.all_tasks() - at_first:
        assert time.monotonic() < until, "an answer never comes"
        await asyncio.wait(rest, timeout=1.0)
    connection.connection_lost(None)
    return wire.sent


def _post(path: bytes, body: bytes, *headers: bytes) -> bytes:
    head = b"POST " + path + b" HTTP/1.1\r\n" + _HOST + b"Content-Type: application/json\r\n"
    spoken = body.replace(b"@code", b"0" * one_time.DIGITS).replace(b"@seen", b"0" * 16)
    return head + b"".join(headers) + b"Content-Length: %d\r\n\r\n" % len(spoken) + body


def _get(path: bytes, *headers: bytes) -> bytes:
    return b"GET " + path + b" HTTP/1.1\r\n" + _HOST + b"".join(headers) + b"\r\n"


def requests() -> list[bytes]:
    """Requests that are in order."""
    password = PASSWORD.encode()
    person = (b"Cookie: @cookie\r\n", b"X-Page-Token: @token\r\n")
    settle = b'{"id": 2, "choice": "stored", "seen": "@seen", "reason": "the disk"}'
    return [
        _post(b"/logon", b'{"name": "ana", "password": "' + password + b'", "code": "@code"}'),
        _post(b"/logon", b'{"name": "nobody", "password": "' + password + b'", "code": "abcd-efgh-ijkl-mnop"}'),
        _get(b"/logon.json"),
        _get(b"/session.json", person[0]),
        _get(b"/floor.json", b"Cookie: session=x; __Host-session=y\r\n"),
        _get(b"/logon/oidc"),
        _get(b"/logon/back?state=@state&code=1", b"Cookie: @begun\r\n"),
        _get(b"/logon/back?state=x&code=%F0%9F&error=y", b"Cookie: logging-on=1.x\r\n"),
        _get(b"/alerts/2.json", person[0]),
        _get(b"/access.json?before=3&person=eve&kind=logged-on", person[0]),
        _post(b"/alerts/settle", settle, *person),
        _post(b"/alerts/settle", settle, b"Cookie: @cookie\r\n", b"X-Page-Token: x\r\n"),
        _post(b"/alerts/acknowledge", b'{"id": 1, "reason": "the lamp"}', *person),
        _post(b"/logoff", b"{}", b"Cookie: @cookie\r\n"),
    ]
