"""The door of a floor's pages, as its file configures it."""

import logging
from pathlib import Path

from config.floor import FloorConfig
from controller.access.accounts import AccountError, AccountsFile, load
from controller.access.roles import Role
from controller.door.access_log import AccessLog, PersonalRecord
from controller.door.door import Door
from controller.door.local_log_on import LocalLogOn
from controller.door.policy import Policy
from controller.web.metrics_token import PLACE as METRICS
from controller.web.metrics_token import MetricsTokenError, token_of
from controller.web.tls import TlsError, server_context
from hal.interfaces import Clock

log = logging.getLogger("floor")

ACKNOWLEDGE, SETTLE = "/alerts/acknowledge", "/alerts/settle"
ACCESS = "/access"
"""Below it is who logged on, and who did what."""
_NS_PER_S = 1_000_000_000


def floor_door(config: FloorConfig, record: PersonalRecord | None, clock: Clock) -> Door | None:
    """The door; None if the file asks for no log-on.

    Args:
        record: the floor's own; it has who logged on, and what they did.

    Raises:
        ProviderError: the file of the provider's secret cannot be used.
    """
    section = config.screens.log_on
    if section is None:
        return None

    def utc_s() -> float:
        return clock.utc_ns() / _NS_PER_S

    local = provider = None
    if section.accounts is not None:
        local = LocalLogOn(AccountsFile(Path(section.accounts), utc_s), clock, log)
    if section.oidc is not None:
        from controller.door.provider_log_on import ProviderLogOn  # Its library is loaded only where it is needed.

        provider = ProviderLogOn(section.oidc, utc_s, log)
    acts = {ACKNOWLEDGE: Role.ACKNOWLEDGE, SETTLE: Role.ADMINISTER, "/logoff": Role.LOOK}
    # The page of the metrics itself asks for their token.
    open_paths = (METRICS,) if config.screens.metrics_token is not None else ()
    policy = Policy(
        config.floor, acts, open_paths.__contains__, exports="/export/", reads={ACCESS: Role.ADMINISTER}
    )
    return Door(section, policy, AccessLog(record, log, clock), clock, local, provider)


def door_problems(config: FloorConfig) -> list[tuple[str, str]]:
    """What is wrong with the files that the door needs: the key of each, and a sentence. Nothing is connected."""
    screens, problems = config.screens, []
    if screens.tls is not None:
        try:
            server_context(Path(screens.tls.certificate), Path(screens.tls.key))
        except TlsError as error:
            problems.append(("screens.tls", str(error)))
    try:
        token_of(screens.metrics_token)
    except MetricsTokenError as error:
        problems.append(("screens.metrics_token", str(error)))
    section = screens.log_on
    if section is None:
        return problems
    if section.accounts is not None:
        try:
            load(Path(section.accounts))
        except AccountError as error:
            problems.append(("screens.log_on.accounts", str(error)))
    if section.oidc is not None:
        from controller.door.provider import ProviderError, secret_of

        try:
            secret_of(section.oidc)
        except ProviderError as error:
            problems.append(("screens.log_on.oidc", str(error)))
    return problems
