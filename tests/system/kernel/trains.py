"""Trains of an encoder alone, and programs in the guest that read them."""

import json
from collections.abc import Iterable, Mapping
from typing import Any

from machine import PYTHON, Machine

PINS = {"encoder_a": 17, "encoder_b": 27, "index": 22, "clapper": 23}
LISTEN = f"{PYTHON} /srv/project/tests/system/kernel/guest/listen.py"
QUIET_S = 2
"""Whoever listens is done when nothing has come for so long."""


BETWEEN_BURSTS_US = 1_000_000
"""Long enough for whoever reads a full buffer, shorter than ``QUIET_S``."""


def train(edges: int, apart_us: int) -> str:
    """A wheel that turns evenly: A and B in turn, both high at first, as lines with a pull-up are."""
    return train_at(number * apart_us for number in range(edges))


def bursts(edges: int, at_once: int) -> str:
    """The same edges, so many at once, then a pause."""
    return train_at(number // at_once * BETWEEN_BURSTS_US for number in range(edges))


def train_at(times_us: Iterable[int]) -> str:
    lines = []
    for number, at_us in enumerate(times_us):
        pin = (PINS["encoder_a"], PINS["encoder_b"])[number % 2]
        lines.append(f"{at_us} {pin} {number // 2 % 2}")
    return "\n".join(lines) + "\n"


def listen_to(guest: Machine, chip: str, edges: str, listener: str) -> dict[str, Any]:
    """What a program in the guest reads while a train is driven. It prints JSON objects, at first and at last."""
    (guest.work / "train").write_text(edges)
    command = f"""
        cd /tmp; {listener} > /tmp/heard 2>&1 &
        until grep -q '{{' /tmp/heard || ! kill -0 $!; do sleep 0.1; done
        /srv/work/drive {chip} < /srv/work/train > /tmp/drove
        wait $!; code=$?; cat /tmp/drove /tmp/heard; exit $code
    """
    out = guest.run(command, timeout_s=180).out.splitlines()
    found: dict[str, Any] = {}
    for line in out:
        found |= json.loads(line)
    return found


def listener(options: Mapping[str, object] | None = None) -> str:
    """Our sensor head as the program that reads."""
    return f"{LISTEN} '{json.dumps(options or {})}' '{json.dumps(PINS)}' {QUIET_S}"
