"""One life of a table that is killed, in a process of its own. For :mod:`benchmarks.kill_campaign`."""

import math
import os
import random
import select
import signal
import time
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from benchmarks.reporting_table import Heard, ToldRig, dealt, forked, say
from config.schema import TableConfig

PATIENCE_S = 180.0
"""A table that has said nothing for so long does not go on."""
STARTING, START_S = 0.3, 0.03
"""Part of the kills that are to fall while a table starts, and how long that takes about."""
MOST_ENTRIES, LATEST_S = 200, 0.005
"""The others fall within so long after a number of entries; small numbers and delays are as frequent as large."""


@dataclass(frozen=True, slots=True)
class Moment:
    """When a table is killed: so long after so many entries of that life were told."""

    entries: int
    delay_s: float


def moment(rng: random.Random) -> Moment:
    """Draw one."""
    if rng.random() < STARTING:
        return Moment(0, rng.uniform(0, START_S))
    entries = round(math.exp(rng.uniform(0, math.log(MOST_ENTRIES))))
    return Moment(entries, LATEST_S * math.exp(-rng.uniform(0, 6)))


def _plays(config: TableConfig, file: Path, seed: int, began_ns: int, reads: int, pipe: int) -> None:
    os.close(reads)  # Whoever tells a parent that is no more is to fail.
    rig = ToldRig(config, file, partial(say, pipe), seed, began_ns)
    dealer = dealt(rig, seed)
    while True:
        dealer.act()


def live_and_die(config: TableConfig, file: Path, seed: int, began_ns: int, when: Moment) -> tuple[Heard, str]:
    """Let a table play in a process of its own, and kill it.

    Returns:
        what it told, and what was wrong with it before it was killed; empty for nothing.
    """
    reads, writes = os.pipe()
    try:
        pid = forked(partial(_plays, config, file, seed, began_ns, reads, writes))
        os.close(writes)
        told = bytearray()
        try:
            problem = _listen(reads, told, when)
        finally:
            os.kill(pid, signal.SIGKILL)
            os.waitpid(pid, 0)
        while more := os.read(reads, 1 << 16):
            told += more
    finally:
        os.close(reads)
    heard = Heard()
    for message in told.decode().splitlines():
        heard.hear(message)
    return heard, problem


def _listen(pipe: int, told: bytearray, when: Moment) -> str:
    """Take in what a table tells until it is to be killed; returns what is wrong with it, or nothing."""
    until: float | None = None
    while True:
        if until is None and told.count(b"entry") >= when.entries:
            until = time.monotonic() + when.delay_s
        rest_s = PATIENCE_S if until is None else until - time.monotonic()
        if rest_s <= 0:
            return ""
        if not select.select([pipe], [], [], rest_s)[0]:
            return "" if until is not None else f"the table said nothing for {PATIENCE_S:.0f} s"
        more = os.read(pipe, 1 << 16)
        if not more:
            return "the table ended by itself"
        told += more
