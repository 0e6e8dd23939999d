"""The dealer's controls on a touch screen, if configured: keys in addition to those of the table.

A touch screen must be paired by somebody at the table: a code is shown on this computer's own screen, or printed by
``table-controller touch-code``, and the screen on which it is entered receives a token. The code is valid once; the
next start of the table makes a new one. Wrong codes are slowed by peer, and replaced after some: never for good.
"""

import hmac
import logging
import secrets
from collections.abc import Callable, Collection, Mapping
from http import HTTPStatus

from controller.access.throttle import Throttle, seconds
from controller.viewmodel.documents import Paired, TouchCode
from controller.web.exchange import Request, Response
from controller.web.peers import group_of
from controller.web.proxies import Proxies, is_own
from controller.web.routes import as_json
from hal.events import FaultEvent, KeyEvent
from hal.interfaces import Clock

log = logging.getLogger("table")

ATTEMPTS = 5
"""After this many wrong codes of a peer it waits for a minute, then twice as long each time, an hour at most."""
FIRST_S, MOST_S = 60.0, 3600.0
CODE_ATTEMPTS = 100
"""After this many wrong codes of all peers together there is another code."""
DIGITS = 8


class Touch:
    """A source of keys (:class:`hal.interfaces.KeySource`) that is pressed by requests.

    Args:
        controls: those that may be pressed.
        proxies: those through which requests may come.
    """

    def __init__(self, controls: Collection[str], clock: Clock, proxies: Proxies | None = None) -> None:
        self.controls = tuple(sorted(controls))
        self._clock = clock
        self._deliver: Callable[[KeyEvent | FaultEvent], None] | None = None
        self._proxies = proxies or Proxies()
        self._code = _new_code()
        self._wrong = 0
        self._throttle = Throttle(ATTEMPTS, FIRST_S, MOST_S)
        self._token = ""

    # -- a source of keys ----------------------------------------------------------------------------------

    def start(self, deliver: Callable[[KeyEvent | FaultEvent], None]) -> None:
        self._deliver = deliver

    def close(self) -> None:
        self._deliver = None

    # -- requests ------------------------------------------------------------------------------------------

    def code(self, request: Request) -> Response:
        """The code, for this computer's own screen only, until it has been used."""
        if not request.local and not is_own(request, self._proxies):
            return as_json({"error": "the code is shown on the table's own screen"}, HTTPStatus.FORBIDDEN)
        document: TouchCode = {"code": self._code, "controls": list(self.controls)}
        return as_json(document)

    def pair(self, request: Request, body: Mapping[str, object]) -> Response:
        """Return the token for the code.

        Raises:
            ValueError: the code is wrong, or has been used, or the peer has to wait.
        """
        code = body.get("code")
        if not self._code:
            raise ValueError("the code is no longer valid; start the table again for a new one")
        peer, now_ns = group_of(request.peer), self._clock.now_ns()
        wait_ns = self._throttle.wait_ns(peer, now_ns)
        if wait_ns:
            raise ValueError(f"too many wrong codes came from this screen; try again in {seconds(wait_ns)} s")
        if not isinstance(code, str) or not _same(code, self._code):
            self._throttle.guessed(peer, now_ns)
            self._count_wrong()
            raise ValueError("this is not the code that the table's own screen shows")
        self._code, self._token = "", secrets.token_urlsafe(32)
        paired: Paired = {"token": self._token, "controls": list(self.controls)}
        return as_json(paired)

    def _count_wrong(self) -> None:
        self._wrong += 1
        if self._wrong % CODE_ATTEMPTS == 0:
            log.warning("%d wrong codes for the touch screen so far; there is another code now", self._wrong)
            self._code = _new_code()

    def press(self, request: Request, body: Mapping[str, object]) -> None:
        """Press a control.

        Raises:
            ValueError: the token is invalid, there is no such control, or no table is running.
        """
        token, control = body.get("token"), body.get("press")
        if not self._token or not isinstance(token, str) or not _same(token, self._token):
            raise ValueError("this screen may not act: enter the code that the table's own screen shows")
        if control not in self.controls:
            raise ValueError(f"there is no such control; there are: {', '.join(self.controls)}")
        if self._deliver is None:
            raise ValueError("no table plays now")
        for pressed in (True, False):
            self._deliver(KeyEvent(str(control), pressed, self._clock.now_ns()))


def _same(actual: str, expected: str) -> bool:
    return hmac.compare_digest(actual.encode(), expected.encode())


def _new_code() -> str:
    return f"{secrets.randbelow(10**DIGITS):0{DIGITS}}"
