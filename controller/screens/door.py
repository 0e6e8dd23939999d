"""The door of a table's pages, as its file configures it; loaded only where it does."""

import logging
from functools import partial
from pathlib import Path

from config.schema import ScreensSection, TableConfig
from controller.access.accounts import AccountsFile
from controller.access.roles import Role
from controller.door.access_log import AccessLog
from controller.door.door import PACKAGE as PACKAGE
from controller.door.door import Door
from controller.door.local_log_on import LocalLogOn
from controller.door.policy import Policy
from controller.web.configured import proxies_of
from controller.web.metrics_token import PLACE as METRICS
from controller.web.proxies import is_own
from hal.interfaces import Clock

log = logging.getLogger("table")

_OF_BOARD = ("/", "/board.events", "/table.json")
_NS_PER_S = 1_000_000_000


def table_door(config: TableConfig, clock: Clock) -> Door:
    """The door of a table whose file asks for a log-on. This computer's own screen is let in without one.

    Who logs on is in the log of the table: its record is that of its rounds.
    """
    section = config.screens.log_on
    assert section is not None
    assert section.accounts is not None, "a rule of the file"
    accounts = AccountsFile(Path(section.accounts), lambda: clock.utc_ns() / _NS_PER_S)
    proxies = proxies_of(config.screens)
    policy = Policy(
        config.table,
        {"/logoff": Role.LOOK},
        is_open=partial(_is_open, config.screens),
        lets_in=lambda request: is_own(request, proxies),
    )
    access = AccessLog(None, log, clock)
    return Door(section, policy, access, clock, LocalLogOn(accounts, clock, log))


def _is_open(screens: ScreensSection, path: str) -> bool:
    if path == METRICS:
        return screens.metrics_token is not None  # Which the page itself asks for.
    return "board" in screens.open and _is_of_board(path)


def _is_of_board(path: str) -> bool:
    return path in _OF_BOARD or path.startswith("/game/")
