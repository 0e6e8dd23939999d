"""The door before a site: who has logged on may pass, as far as their role goes; all others are shown the log-on.

A session is a random token in a cookie. An action also needs the page's token, which only a page of this site can
have read: a page of others that makes a browser send the cookie cannot act (cross-site request forgery).
"""

import hmac
from collections.abc import Awaitable, Mapping
from http import HTTPStatus
from typing import Protocol
from urllib.parse import quote

from config.door import LogOnSection
from controller.access.roles import Role
from controller.door import access_log
from controller.door.access_log import AccessLog, NotOnRecordError
from controller.door.cookies import SESSION, cookie_of, set_cookie
from controller.door.local_log_on import WRONG, LocalLogOn
from controller.door.policy import Policy
from controller.door.sessions import Sessions, WebSession
from controller.web.exchange import Answer, Follow, Handler, Request, Response, Viewer
from controller.web.peers import is_this_computer
from controller.web.routes import FRESH, GUARDS, NOBODY, Act, Query, as_json
from hal.interfaces import Clock, Timer

PACKAGE = "controller.door"
"""Its pages are assets of this package."""
SWEEP_NS = 10_000_000_000
"""How often sessions are looked through for those that have ended, or whose account has changed."""
_OPEN = ("/logon", "/logon.json", "/session.json", "/assets/", "/logon/")
_LOG_ON_FIRST = "log on first"
_NOT_ON_RECORD = "the floor's record cannot be written, so nothing that belongs on it is done; see the log"
_IN_THE_CLEAR = "whoever reads the network would read the password: open this page with https://"


class Provider(Protocol):
    """Log-on at a provider, as :class:`controller.door.provider_log_on.ProviderLogOn`."""

    def bind(self, door: "Door") -> None:
        """The door that it opens."""

    async def answer(self, request: Request) -> Response:
        """Answer ``/logon/oidc`` and ``/logon/back``."""

    def close(self) -> None:
        """End what is under way."""


class Door:
    """Middleware of a :class:`controller.web.routes.Site`, with the addresses that belong to it.

    Args:
        log_on: how long sessions last.
        local: checks accounts; None for none.
        provider: at which people log on; None for none.
    """

    def __init__(
        self,
        log_on: LogOnSection,
        policy: Policy,
        access: AccessLog,
        clock: Clock,
        local: LocalLogOn | None = None,
        provider: Provider | None = None,
    ) -> None:
        self.access = access
        self._policy, self._clock = policy, clock
        self._local, self._provider = local, provider
        self._sessions = Sessions(log_on.idle_min, log_on.longest_h)
        self._timer: Timer | None = clock.call_at(clock.now_ns() + SWEEP_NS, self._sweep)
        self.pages: dict[str, str] = {"/logon": "logon.html"}
        self.acts: dict[str, Act] = {"/logon": self._log_on, "/logoff": self._log_off}
        self.queries: dict[str, Query] = {"/logon.json": self._ways, "/session.json": self._who}
        if provider is not None:
            provider.bind(self)
            self.queries["/logon/"] = provider.answer

    def close(self) -> None:
        """End; what is to be on record is written."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        if self._local is not None:
            self._local.close()
        if self._provider is not None:
            self._provider.close()
        self.access.close()

    # -- each request --------------------------------------------------------------------------------------

    def __call__(self, request: Request, inside: Handler) -> Answer:
        """Answer a request that may not pass, or let the site answer it."""
        session = self._session(request)
        if session is None:
            passes = self._is_open(request.path) or request.local or self._policy.lets_in(request)
            return inside(request) if passes else _log_on_first(request)
        request = request._replace(person=session.person, role=session.role.value)
        if self._is_open(request.path):
            return inside(request)
        if request.method == "POST":
            return self._acted(session, request, inside)
        guarded = self._policy.reading(request.path)
        if guarded is not None and not session.role.allows(guarded[1]):
            return self._refused(session, request, *guarded)
        if self._policy.exports and request.path.startswith(self._policy.exports):
            return self._exported(request, inside)
        if "text/html" in request.headers.get("accept", ""):
            session.used_ns = self._clock.now_ns()
            self.access.page_opened(session.person)
        answer = inside(request)
        return _followed(session, answer) if isinstance(answer, Follow) else answer

    def _session(self, request: Request) -> WebSession | None:
        token = cookie_of(request, SESSION)
        return self._sessions.find(token, self._clock.now_ns()) if token else None

    def _is_open(self, path: str) -> bool:
        return any(path.startswith(one) if one.endswith("/") else path == one for one in _OPEN) or (
            self._policy.is_open(path)
        )

    def _acted(self, session: WebSession, request: Request, inside: Handler) -> Answer:
        session.used_ns = self._clock.now_ns()
        given = request.headers.get("x-page-token", "")
        if not hmac.compare_digest(given.encode(), session.page_token.encode()):
            return _error(HTTPStatus.FORBIDDEN, "only a page of this site may act; load the page again")
        needed = self._policy.acts.get(request.path)
        if needed is None or session.role.allows(needed):
            return inside(request)
        return self._refused(session, request, request.path, needed)

    async def _refused(self, session: WebSession, request: Request, path: str, needed: Role) -> Response:
        if path not in session.refused:  # Once a session: who tries again and again fills no record.
            session.refused.add(path)
            try:
                await self.access.write(access_log.REFUSED, session.person, request, path=path)
            except NotOnRecordError:
                return _error(HTTPStatus.SERVICE_UNAVAILABLE, _NOT_ON_RECORD)
        return _error(HTTPStatus.FORBIDDEN, f"your role is {session.role}; this needs the role {needed}")

    async def _exported(self, request: Request, inside: Handler) -> Response:
        what = {"path": request.path, "query": dict(request.query)}
        try:
            await self.access.write(access_log.EXPORTED, request.person, request, **what)
        except NotOnRecordError:
            return _error(HTTPStatus.SERVICE_UNAVAILABLE, _NOT_ON_RECORD)
        answer = inside(request)
        if isinstance(answer, Awaitable):
            answer = await answer
        assert isinstance(answer, Response)  # No export is a stream.
        return answer

    # -- log-on and log-off --------------------------------------------------------------------------------

    def in_the_clear(self, request: Request) -> bool:
        """Whether others could read along: neither TLS nor this computer itself."""
        return not request.secure and not is_this_computer(request.peer)

    async def opened(
        self, request: Request, person: str, role: Role, by: str, fingerprint: str = ""
    ) -> tuple[str, str]:
        """Begin a session; returns the header that sets its cookie.

        Raises:
            NotOnRecordError: it could not be put on record, and there is no session.
        """
        await self.access.write(access_log.LOGGED_ON, person, request, role=role.value, by=by)
        self._sessions.end(cookie_of(request, SESSION))
        token = self._sessions.begin(person, role, fingerprint, self._clock.now_ns())
        return set_cookie(request, SESSION, token)

    async def _log_on(self, request: Request, body: Mapping[str, object]) -> Response:
        """``POST /logon``: name, password and code of a local account."""
        if self._local is None:
            raise ValueError("there are no local accounts here; log on at the provider")
        if self.in_the_clear(request):
            return _error(HTTPStatus.FORBIDDEN, _IN_THE_CLEAR)
        attempt = await self._local.attempt(request, body.get("name"), body.get("password"), body.get("code"))
        try:
            if attempt.account is not None:
                account = attempt.account
                cookie = await self.opened(request, attempt.name, account.role, "account", account.fingerprint)
                return Response(HTTPStatus.NO_CONTENT, headers=(*GUARDS, FRESH, cookie))
            if attempt.why == WRONG:
                await self.access.write(access_log.REFUSED_LOG_ON, attempt.name, request, by="account")
        except NotOnRecordError:
            return _error(HTTPStatus.SERVICE_UNAVAILABLE, _NOT_ON_RECORD)
        if attempt.wait_s:
            retry = ("Retry-After", str(attempt.wait_s))
            return _error(HTTPStatus.TOO_MANY_REQUESTS, attempt.why, retry)
        return _error(HTTPStatus.UNAUTHORIZED, attempt.why)

    async def _log_off(self, request: Request, body: Mapping[str, object]) -> Response:
        """``POST /logoff``: the session ends, whatever the record says."""
        self._sessions.end(cookie_of(request, SESSION))
        self.access.note(access_log.LOGGED_OFF, request.person, request)
        return Response(HTTPStatus.NO_CONTENT, headers=(*GUARDS, FRESH, set_cookie(request, SESSION, "")))

    def _sweep(self) -> None:
        now_ns = self._clock.now_ns()
        self._timer = self._clock.call_at(now_ns + SWEEP_NS, self._sweep)
        if not len(self._sessions):
            return
        present = self._local.fingerprints() if self._local is not None else {}
        ended = self._sessions.sweep(
            now_ns, lambda one: not one.fingerprint or present.get(one.person) == one.fingerprint
        )
        for session in ended:
            self.access.note(access_log.SESSION_ENDED, session.person)

    # -- documents -----------------------------------------------------------------------------------------

    def _ways(self, request: Request) -> Response:
        """``/logon.json``: how to log on here."""
        insecure = _IN_THE_CLEAR if self.in_the_clear(request) else ""
        local, provider = self._local is not None, self._provider is not None
        return as_json({"title": self._policy.title, "local": local, "provider": provider, "insecure": insecure})

    def _who(self, request: Request) -> Response:
        """``/session.json``: who has logged on, and the token that an action needs."""
        session = self._session(request)
        if session is None:
            return as_json(NOBODY)
        return as_json({"person": session.person, "role": session.role.value, "token": session.page_token})


def _followed(session: WebSession, follow: Follow) -> Follow:
    """A stream that ends with its session."""

    def join(viewer: Viewer) -> None:
        session.viewers.add(viewer)
        follow.on_join(viewer)

    def leave(viewer: Viewer) -> None:
        session.viewers.discard(viewer)
        follow.on_leave(viewer)

    return Follow(join, leave, follow.headers)


def _log_on_first(request: Request) -> Response:
    if request.method == "GET" and "text/html" in request.headers.get("accept", ""):
        back = quote(request.path, safe="/")
        return Response(HTTPStatus.SEE_OTHER, headers=(*GUARDS, FRESH, ("Location", f"/logon?next={back}")))
    return _error(HTTPStatus.UNAUTHORIZED, _LOG_ON_FIRST)


def _error(status: HTTPStatus, sentence: str, *headers: tuple[str, str]) -> Response:
    answer = as_json({"error": sentence}, status)
    return answer._replace(headers=(*answer.headers, *headers))
