"""The dealer's controls on a touch screen, as a table's file has them."""

from config.schema import TableConfig
from controller.access.authentication import KEYS
from controller.access.dealer_login import LOG_ON
from controller.screens.touch import Touch
from controller.statechart.registry import find_game
from controller.viewmodel.health import controls
from controller.web.configured import proxies_of
from hal.interfaces import Clock


def touch_of(config: TableConfig, clock: Clock) -> Touch | None:
    """Keys to be added to those of the table; None if the file allows none."""
    if not config.screens.touch:
        return None
    has_log_on = LOG_ON in dict(controls(config))
    entry_keys = KEYS if config.credentials is not None or has_log_on else frozenset[str]()
    pressed = find_game(config.game).controls | entry_keys | ({LOG_ON} if has_log_on else set())
    return Touch(pressed, clock, proxies_of(config.screens))
