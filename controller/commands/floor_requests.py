"""What the commands ``settle`` and ``acknowledge`` share: they ask in the floor's store, and wait for the floor."""

import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from config.loader import load_floor, read
from controller.commands.local_time import in_local_time
from controller.commands.progress import busy
from controller.journal.chain import utc_text
from controller.runtime import exit_codes as exits
from controller.runtime.log_format import complain

if TYPE_CHECKING:
    from sqlalchemy import Engine

PATIENCE_S, ASK_S = 5.0, 0.2
"""How long a running floor is waited for, and how often it is looked whether it has taken the request up."""

_LATER = "the floor does not run: it takes this up when it starts, and writes it on its record first"


def ask_floor(command: str, file: str, ask: "Callable[[Engine, str], int]") -> int:
    """Ask for something in the store of a floor, and print what it led to; returns the exit code.

    Args:
        file: the floor's YAML file.
        ask: asks, with the time; returns the request's number.
    """
    config = load_floor(read(Path(file)), file)
    from controller.floor.settlement import SettlementError, outcome
    from controller.floor.store.engine import StoreError, open_engine

    try:
        engine = open_engine(config.store.url)
    except StoreError as error:
        complain(f"{command}: {error}")
        return exits.CONFIGURATION
    try:
        number = ask(engine, utc_text(time.time_ns()))
        led_to = outcome(engine, number)
        until = time.monotonic() + PATIENCE_S
        with busy("waiting for the floor to take it up"):
            while led_to is None and time.monotonic() < until:
                time.sleep(ASK_S)
                led_to = outcome(engine, number)
    except (SettlementError, StoreError) as error:
        complain(f"{command}: {error}")
        return exits.FAILED
    finally:
        engine.dispose()
    sys.stdout.write(f"{_LATER if led_to is None else in_local_time(led_to)}\n")
    return exits.OK
