"""Another time zone for the house, as the floor's computer is set to one."""

import os
import time
from collections.abc import Iterator
from contextlib import contextmanager

VIENNA, NEW_YORK, KATHMANDU = "Europe/Vienna", "America/New_York", "Asia/Kathmandu"


@contextmanager
def house_in(zone: str) -> Iterator[None]:
    """The house is in this time zone."""
    before = os.environ.get("TZ")
    os.environ["TZ"] = zone
    time.tzset()
    try:
        yield
    finally:
        if before is None:
            del os.environ["TZ"]
        else:
            os.environ["TZ"] = before
        time.tzset()
