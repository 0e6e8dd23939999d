"""Log-on at a provider: sends the browser there, and takes it back with what the provider says of the person.

Nothing is kept here meanwhile, so that nobody can fill it: state, nonce and verifier are derived from a random
value in a cookie of this browser, and a secret of this process.
"""

import asyncio
import base64
import hashlib
import hmac
import logging
import secrets
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from html import escape
from http import HTTPStatus
from typing import TypeVar

from config.door import OidcSection
from controller.access.throttle import Throttle, seconds
from controller.door import access_log
from controller.door.access_log import NotOnRecordError
from controller.door.cookies import LOGGING_ON, cookie_of, set_cookie
from controller.door.door import Door
from controller.door.provider import OidcProvider, ProvidedPerson, ProviderError
from controller.web.exchange import Request, Response
from controller.web.peers import group_of
from controller.web.routes import FRESH, GUARDS, KINDS

BACK = "/logon/back"
WITHIN_S = 600
"""How long a person may take at the provider."""
WAITING = 8
"""How many requests to the provider may be under way or wait."""
FREE, FIRST_S, MOST_S = 10, 1.0, 60.0
_PAGE = """<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
{refresh}<title>Log on</title>
<link rel="icon" href="/assets/wheel.svg" type="image/svg+xml">
<link rel="stylesheet" href="/assets/base.css">
<link rel="stylesheet" href="/assets/logon.css">
</head>
<body class="logon"><main><h1>{title}</h1><p>{text}</p><p><a href="{link}">{words}</a></p></main></body>
</html>
"""
T = TypeVar("T")


class ProviderLogOn:
    """Answers ``/logon/oidc`` and ``/logon/back``.

    Args:
        utc_s: the wall time, in seconds.

    Raises:
        ProviderError: the file of the client's secret cannot be used.
    """

    def __init__(self, section: OidcSection, utc_s: Callable[[], float], log: logging.Logger) -> None:
        self._provider, self._utc_s, self._log = OidcProvider(section, utc_s), utc_s, log
        self._key = secrets.token_bytes(32)
        self._by_peer = Throttle(FREE, FIRST_S, MOST_S)
        self._threads = ThreadPoolExecutor(2, "provider")
        self._waiting = 0
        self._door: Door | None = None

    def bind(self, door: Door) -> None:
        """The door that this opens."""
        self._door = door

    def close(self) -> None:
        self._threads.shutdown(wait=False, cancel_futures=True)

    async def answer(self, request: Request) -> Response:
        """Send the browser to the provider, or take it back from there."""
        door = self._door
        if request.method != "GET" or request.path not in ("/logon/oidc", BACK) or door is None:
            return _page(HTTPStatus.NOT_FOUND, "there is nothing here")
        if door.in_the_clear(request):
            return _page(HTTPStatus.FORBIDDEN, "open this page with https://, so that nobody can read along")
        peer, now_ns = group_of(request.peer), int(self._utc_s() * 1e9)
        if wait_ns := self._by_peer.wait_ns(peer, now_ns):
            return _page(HTTPStatus.TOO_MANY_REQUESTS, f"too many attempts; try again in {seconds(wait_ns)} s")
        self._by_peer.guessed(peer, now_ns)
        try:
            if request.path == BACK:
                answer = await self._taken_back(door, request)
                self._by_peer.right(peer, now_ns)
                return answer
            return await self._sent(request)
        except ProviderError as error:
            self._log.warning("log-on at the provider from %s: %s", request.peer, error)
            return await self._refused(door, request, str(error))
        except NotOnRecordError:
            return _page(HTTPStatus.SERVICE_UNAVAILABLE, "the floor's record cannot be written; see the log")

    async def _refused(self, door: Door, request: Request, why: str) -> Response:
        if request.path == BACK:
            try:
                await door.access.write(access_log.REFUSED_LOG_ON, "", request, by="provider", why=why[:200])
            except NotOnRecordError as error:
                self._log.error("a refused log-on is not on record: %s", error)
        return _page(HTTPStatus.FORBIDDEN, why)

    async def _sent(self, request: Request) -> Response:
        value = f"{int(self._utc_s())}.{secrets.token_urlsafe(32)}"
        verifier = self._derived("verifier", value)
        challenge = _base64(hashlib.sha256(verifier.encode()).digest())
        state, nonce = self._derived("state", value), self._derived("nonce", value)
        address = await self._ask(lambda: self._provider.address(_back(request), state, nonce, challenge))
        # Lax: the provider's page sends the browser back, and a stricter cookie would not come along.
        cookie = set_cookie(request, LOGGING_ON, value, "Lax", WITHIN_S)
        return Response(HTTPStatus.SEE_OTHER, headers=(*GUARDS, FRESH, ("Location", address), cookie))

    async def _taken_back(self, door: Door, request: Request) -> Response:
        value = cookie_of(request, LOGGING_ON)
        began, _, _ = value.partition(".")
        state, code = request.query.get("state", ""), request.query.get("code", "")
        if not value or not hmac.compare_digest(self._derived("state", value).encode(), state.encode()):
            raise ProviderError("this log-on was not begun here; begin anew")
        if not began.isdigit() or not 0 <= self._utc_s() - int(began) <= WITHIN_S:
            raise ProviderError("this took too long; begin anew")
        if not code:
            raise ProviderError("the provider did not log this person on")
        verifier, nonce = self._derived("verifier", value), self._derived("nonce", value)
        person = await self._ask(lambda: self._provider.person(code, _back(request), verifier, nonce))
        cookie = await self._opened(door, request, person)
        used = set_cookie(request, LOGGING_ON, "", "Lax")
        # A redirect would still count as the provider's, and the session's strict cookie would not be sent.
        page = _page(HTTPStatus.OK, f"You are logged on as {person.name}.", "Logged on", "/", "go on")
        return Response(page.status, page.body, page.kind, (*page.headers, cookie, used))

    async def _opened(self, door: Door, request: Request, person: ProvidedPerson) -> tuple[str, str]:
        return await door.opened(request, person.name, person.role, f"provider, as {person.subject}")

    async def _ask(self, ask: Callable[[], T]) -> T:
        if self._waiting >= WAITING:
            raise ProviderError("too many people log on at this moment; try again")
        self._waiting += 1
        try:
            return await asyncio.get_running_loop().run_in_executor(self._threads, ask)
        finally:
            self._waiting -= 1

    def _derived(self, what: str, value: str) -> str:
        return _base64(hmac.digest(self._key, f"{what}:{value}".encode("utf-8", "replace"), "sha256"))


def _back(request: Request) -> str:
    """Where the provider sends the browser back to: the site has checked that the host is its own."""
    return f"{'https' if request.secure else 'http'}://{request.headers['host']}{BACK}"


def _base64(data: bytes) -> str:
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


def _page(
    status: HTTPStatus, text: str, title: str = "Not logged on", link: str = "/logon", words: str = "try again"
) -> Response:
    refresh = f'<meta http-equiv="refresh" content="0; url={link}">\n' if status is HTTPStatus.OK else ""
    page = _PAGE.format(refresh=refresh, title=title, text=escape(text), link=link, words=words)
    return Response(status, page.encode(), KINDS["html"], (*GUARDS, FRESH))
