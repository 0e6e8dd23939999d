"""A client of a running table on this computer, for commands that act on it.

It asks at the table's own socket (:func:`controller.web.server.local_address`), which no proxy can lend to others.
"""

import http.client
import json
import socket
from collections.abc import Mapping
from typing import Any

from config.schema import TableConfig
from controller.errors import UserError
from controller.web.server import local_address

_TIMEOUT_S = 10.0


class UnreachableError(UserError):
    """The table is not running, cannot be reached, or refuses; the message says what to do."""


class ScreensClient:
    """The pages of a running table.

    Args:
        port: None for the configured one; for a bench, the one that it printed.

    Raises:
        UnreachableError: the table has no screens.
    """

    def __init__(self, config: TableConfig, port: int | None) -> None:
        screens = config.screens
        if not screens.enabled and port is None:
            raise UnreachableError(
                "this table has no screens, and commands reach it through them: set `screens: enabled: true` "
                "in its file and start it again"
            )
        self._port = screens.port if port is None else port
        self._name = config.table

    def table(self) -> None:
        """Check that this table is the one that answers.

        Raises:
            UnreachableError: another table or no table answers.
        """
        name = self._request("GET", "/table.json", None).get("table")
        if name != self._name:
            raise UnreachableError(
                f"at port {self._port} there is the table '{name}', not '{self._name}'; name the port with --port"
            )

    def act(self, path: str, body: Mapping[str, object]) -> dict[str, Any]:
        """Request an action.

        Raises:
            UnreachableError: the request failed; the message is the table's.
        """
        return self._request("POST", path, json.dumps(body))

    def _request(self, method: str, path: str, body: str | None) -> dict[str, Any]:
        connection = _LocalConnection(self._port)
        try:
            # The table may not know its name in the floor's network; it always accepts localhost.
            headers = {"Host": "localhost", "Content-Type": "application/json"}
            connection.request(method, path, body, headers)
            answer = connection.getresponse()
            document = json.loads(answer.read() or b"{}")
        except (OSError, http.client.HTTPException, ValueError) as error:
            raise UnreachableError(
                f"no table on this computer has its pages at port {self._port} ({error}): start it, or name the "
                "port of its screens with --port"
            ) from error
        finally:
            connection.close()
        if not isinstance(document, dict):
            raise UnreachableError(f"the server at port {self._port} is no table; name another with --port")
        if answer.status >= http.client.BAD_REQUEST:
            raise UnreachableError(str(document.get("error", f"the table answers {answer.status} {answer.reason}")))
        return document


class _LocalConnection(http.client.HTTPConnection):
    """A connection to the socket of the table whose pages have a port."""

    def __init__(self, port: int) -> None:
        super().__init__("localhost", timeout=_TIMEOUT_S)
        self._name = local_address(port)

    def connect(self) -> None:
        self.sock = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        self.sock.settimeout(_TIMEOUT_S)
        self.sock.connect(self._name)
