"""Asks the screens of a table on this computer: what commands need that act on a running table."""

import http.client
import json
from collections.abc import Mapping
from typing import Any

from config.schema import TableConfig

_WAIT_S = 10.0
_EVERYWHERE = {"0.0.0.0": "127.0.0.1", "::": "::1"}
_HERE = "127.0.0.1"


class UnreachableError(Exception):
    """The table does not run, cannot be asked, or refuses; the message says what to do."""


class ScreensClient:
    """The pages of a running table.

    Args:
        port: None for the configured one; of a bench, the one that it said.

    Raises:
        UnreachableError: the table has no screens.
    """

    def __init__(self, config: TableConfig, port: int | None) -> None:
        screens = config.screens
        if not screens.enabled and port is None:
            raise UnreachableError(
                "this table has no screens, and it is asked through them: set `screens: enabled: true` in its file "
                "and start it again"
            )
        configured = _EVERYWHERE.get(screens.address, screens.address)
        self._address = configured if port is None else _HERE
        self._port = screens.port if port is None else port
        self._name = config.table

    def table(self) -> None:
        """See that it is this table that answers.

        Raises:
            UnreachableError: it is not.
        """
        found = self._ask("GET", "/table.json", None).get("table")
        if found != self._name:
            raise UnreachableError(
                f"at port {self._port} there is the table '{found}', not '{self._name}'; name the port with --port"
            )

    def act(self, path: str, body: Mapping[str, object]) -> dict[str, Any]:
        """Have something done.

        Raises:
            UnreachableError: that is not possible; the table's own words.
        """
        return self._ask("POST", path, json.dumps(body))

    def _ask(self, method: str, path: str, body: str | None) -> dict[str, Any]:
        connection = http.client.HTTPConnection(self._address, self._port, timeout=_WAIT_S)
        try:
            # A table is called by its name in the floor's network, or not; this computer always knows itself.
            headers = {"Host": "localhost", "Content-Type": "application/json"}
            connection.request(method, path, body, headers)
            answer = connection.getresponse()
            told = json.loads(answer.read() or b"{}")
        except (OSError, http.client.HTTPException, ValueError) as error:
            raise UnreachableError(
                f"no table answers at {self._address}, port {self._port} ({error}): start it, or name the port "
                "of its screens with --port"
            ) from error
        finally:
            connection.close()
        if not isinstance(told, dict):
            raise UnreachableError(f"what answers at port {self._port} is no table; name another with --port")
        if answer.status >= http.client.BAD_REQUEST:
            raise UnreachableError(str(told.get("error", f"the table answers {answer.status} {answer.reason}")))
        return told
