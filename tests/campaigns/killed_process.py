"""One run of a table that is killed, in a process of its own. For :mod:`campaigns.kill_campaign`."""

import math
import os
import random
import select
import signal
import time
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from campaigns.reporting_table import ReportingRig, Reports, dealer_at, forked, write_message

from config.schema import TableConfig

PATIENCE_S = 180.0
"""A table that has reported nothing for so long is stuck."""
STARTING, START_S = 0.3, 0.03
"""Part of the kills that are to fall while a table starts, and how long that takes about."""
MOST_ENTRIES, LATEST_S = 200, 0.005
"""The others fall within so long after a number of entries; small numbers and delays are as frequent as large."""


@dataclass(frozen=True, slots=True)
class Moment:
    """When a table is killed: so long after so many entries of that run were reported."""

    entries: int
    delay_s: float


def moment(rng: random.Random) -> Moment:
    """Draw one."""
    if rng.random() < STARTING:
        return Moment(0, rng.uniform(0, START_S))
    entries = round(math.exp(rng.uniform(0, math.log(MOST_ENTRIES))))
    return Moment(entries, LATEST_S * math.exp(-rng.uniform(0, 6)))


def _plays(
    config: TableConfig, file: Path, mirror: Path | None, seed: int, began_ns: int, reads: int, pipe: int
) -> None:
    os.close(reads)  # Reporting to a parent that has ended is to fail.
    rig = ReportingRig(config, file, partial(write_message, pipe), seed, began_ns, mirror)
    dealer = dealer_at(rig, seed)
    while True:
        dealer.act()


def run_until_killed(
    config: TableConfig, file: Path, seed: int, began_ns: int, when: Moment, mirror: Path | None = None
) -> tuple[Reports, str]:
    """Let a table play in a process of its own, and kill it.

    Returns:
        its reports, and what was wrong with it before it was killed; empty for nothing.
    """
    reads, writes = os.pipe()
    try:
        pid = forked(partial(_plays, config, file, mirror, seed, began_ns, reads, writes))
        os.close(writes)
        data = bytearray()
        try:
            problem = _receive(reads, data, when)
        finally:
            os.kill(pid, signal.SIGKILL)
            os.waitpid(pid, 0)
        while more := os.read(reads, 1 << 16):
            data += more
    finally:
        os.close(reads)
    reports = Reports()
    for message in data.decode().splitlines():
        reports.add(message)
    return reports, problem


def _receive(pipe: int, data: bytearray, when: Moment) -> str:
    """Receive a table's reports until it is to be killed; returns what is wrong with it, or nothing."""
    until: float | None = None
    while True:
        if until is None and data.count(b"entry") >= when.entries:
            until = time.monotonic() + when.delay_s
        rest_s = PATIENCE_S if until is None else until - time.monotonic()
        if rest_s <= 0:
            return ""
        if not select.select([pipe], [], [], rest_s)[0]:
            return "" if until is not None else f"the table reported nothing for {PATIENCE_S:.0f} s"
        more = os.read(pipe, 1 << 16)
        if not more:
            return "the table ended by itself"
        data += more
