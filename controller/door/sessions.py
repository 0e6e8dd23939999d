"""Who has logged on: sessions in memory, each found by a random token that only the browser has."""

import hashlib
import secrets
from collections.abc import Callable
from dataclasses import dataclass, field

from controller.access.roles import Role
from controller.web.exchange import Viewer

MOST, MOST_OF_ONE = 2000, 16
"""Sessions at once, and of one person: the oldest one ends for a further one."""
_MIN_NS, _HOUR_NS = 60_000_000_000, 3_600_000_000_000


@dataclass(slots=True, eq=False)
class WebSession:
    """One person at one browser.

    Attributes:
        fingerprint: of the local account when it was opened; empty for a person of a provider.
        refused: the actions that were refused for the role.
        page_token: what the pages' scripts send along with each action, and no page of others can read.
    """

    person: str
    role: Role
    fingerprint: str
    begun_ns: int
    used_ns: int
    page_token: str = field(default_factory=lambda: secrets.token_urlsafe(32))
    viewers: set[Viewer] = field(default_factory=set)
    refused: set[str] = field(default_factory=set)


class Sessions:
    """All sessions.

    Args:
        idle_min: without a page opened or an action, after which one ends.
        longest_h: after which it ends in any case.
    """

    def __init__(self, idle_min: int, longest_h: int) -> None:
        self._idle_ns, self._longest_ns = idle_min * _MIN_NS, longest_h * _HOUR_NS
        self._by_digest: dict[str, WebSession] = {}

    def __len__(self) -> int:
        return len(self._by_digest)

    def begin(self, person: str, role: Role, fingerprint: str, now_ns: int) -> str:
        """A new session; returns its token of 256 random bits."""
        own = [digest for digest, one in self._by_digest.items() if one.person == person]
        for digest in own[: max(0, len(own) - MOST_OF_ONE + 1)]:
            self._end(digest)
        for digest in list(self._by_digest)[: max(0, len(self._by_digest) - MOST + 1)]:
            self._end(digest)
        token = secrets.token_urlsafe(32)
        self._by_digest[_digest(token)] = WebSession(person, role, fingerprint, now_ns, now_ns)
        return token

    def find(self, token: str, now_ns: int) -> WebSession | None:
        """The session of a token; None if there is none, or it has ended."""
        digest = _digest(token)
        session = self._by_digest.get(digest)
        if session is not None and self._is_over(session, now_ns):
            self._end(digest)
            return None
        return session

    def end(self, token: str) -> None:
        """End a session, and every stream that it follows."""
        self._end(_digest(token))

    def sweep(self, now_ns: int, still: Callable[[WebSession], bool]) -> list[WebSession]:
        """End those whose time is over, or that are no longer good; returns them.

        Args:
            still: whether the person may still have this session.
        """
        over = [(at, one) for at, one in self._by_digest.items() if self._is_over(one, now_ns) or not still(one)]
        for digest, _ in over:
            self._end(digest)
        return [session for _, session in over]

    def _is_over(self, session: WebSession, now_ns: int) -> bool:
        return now_ns - session.used_ns >= self._idle_ns or now_ns - session.begun_ns >= self._longest_ns

    def _end(self, digest: str) -> None:
        session = self._by_digest.pop(digest, None)
        if session is not None:
            for viewer in tuple(session.viewers):
                viewer.drop()


def _digest(token: str) -> str:
    """Found by a hash, so that no comparison takes longer the more of a token is right."""
    return hashlib.sha256(token.encode("utf-8", "replace")).hexdigest()
