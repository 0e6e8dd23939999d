"""The dealer's controls on a touch screen, for a table that is configured so: keys beside those of the table.

Whoever acts must have been at the table: a code is shown on this computer's own screen, the screen at which it is
keyed in gets a token for it, and with that the code is spent. A new one comes with the next start of the table.
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
"""After so many wrong codes there is none any more until the table is started again."""
DIGITS = 8


class Touch:
    """A source of keys (:class:`hal.interfaces.KeySource`) that is pressed by requests.

    Args:
        controls: what may be pressed.
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
        """The code, for the screen of this computer alone, until it is spent."""
        if not is_here(request.peer):
            return as_json({"error": "the code stands on the table's own screen"}, HTTPStatus.FORBIDDEN)
        told: TouchCode = {"code": self._code, "controls": list(self.controls)}
        return as_json(told)

    def pair(self, request: Request, body: Mapping[str, object]) -> Response:
        """Give the token for the code.

        Raises:
            ValueError: the code is wrong or spent.
        """
        code = body.get("code")
        if not self._code:
            raise ValueError("the code is spent; start the table again for a new one")
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
            ValueError: the token is none, or there is no such control, or the table does not play.
        """
        token, control = body.get("token"), body.get("press")
        if not self._token or not isinstance(token, str) or not _same(token, self._token):
            raise ValueError("this screen may not act: key in the code that the table's own screen shows")
        if control not in self.controls:
            raise ValueError(f"there is no such control; there are: {', '.join(self.controls)}")
        if self._deliver is None:
            raise ValueError("no table plays now")
        for pressed in (True, False):
            self._deliver(KeyEvent(str(control), pressed, self._clock.now_ns()))


def _same(given: str, expected: str) -> bool:
    return hmac.compare_digest(given.encode(), expected.encode())


def is_here(peer: str) -> bool:
    """Whether an address is this computer's own."""
    try:
        return ip_address(peer.partition("%")[0]).is_loopback
    except ValueError:
        return False
