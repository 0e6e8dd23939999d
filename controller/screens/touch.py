"""The dealer's controls on a touch screen, if configured: keys in addition to those of the table.

A touch screen must be paired by somebody at the table: a code is shown on this computer's own screen, and the
screen on which it is entered receives a token. The code is valid once; the next start of the table makes a new one.
"""

import hmac
import secrets
from collections.abc import Callable, Collection, Mapping
from http import HTTPStatus
from ipaddress import ip_address

from controller.viewmodel.documents import Paired, TouchCode
from controller.web.http import Request, Response
from controller.web.routes import as_json
from hal.events import FaultEvent, KeyEvent
from hal.interfaces import Clock

ATTEMPTS = 5
"""After this many wrong codes the code is void until the table is started again."""
DIGITS = 8


class Touch:
    """A source of keys (:class:`hal.interfaces.KeySource`) that is pressed by requests.

    Args:
        controls: those that may be pressed.
    """

    def __init__(self, controls: Collection[str], clock: Clock) -> None:
        self.controls = tuple(sorted(controls))
        self._clock = clock
        self._deliver: Callable[[KeyEvent | FaultEvent], None] | None = None
        self._code = f"{secrets.randbelow(10**DIGITS):0{DIGITS}}"
        self._attempts = ATTEMPTS
        self._token = ""

    # -- a source of keys ----------------------------------------------------------------------------------

    def start(self, deliver: Callable[[KeyEvent | FaultEvent], None]) -> None:
        self._deliver = deliver

    def close(self) -> None:
        self._deliver = None

    # -- requests ------------------------------------------------------------------------------------------

    def code(self, request: Request) -> Response:
        """The code, for this computer's own screen only, until it has been used."""
        if not is_local(request.peer):
            return as_json({"error": "the code is shown on the table's own screen"}, HTTPStatus.FORBIDDEN)
        document: TouchCode = {"code": self._code, "controls": list(self.controls)}
        return as_json(document)

    def pair(self, request: Request, body: Mapping[str, object]) -> Response:
        """Return the token for the code.

        Raises:
            ValueError: the code is wrong, or has been used.
        """
        code = body.get("code")
        if not self._code:
            raise ValueError("the code is no longer valid; start the table again for a new one")
        if not isinstance(code, str) or not _same(code, self._code):
            self._attempts -= 1
            if not self._attempts:
                self._code = ""
            raise ValueError("this is not the code that the table's own screen shows")
        self._code, self._token = "", secrets.token_urlsafe(32)
        paired: Paired = {"token": self._token, "controls": list(self.controls)}
        return as_json(paired)

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


def is_local(peer: str) -> bool:
    """Whether an address is this computer's own."""
    try:
        return ip_address(peer.partition("%")[0]).is_loopback
    except ValueError:
        return False
