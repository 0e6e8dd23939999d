"""How :mod:`benchmarks.floor` begins publishers and the floor, and counts their messages."""

import sys
from pathlib import Path
from typing import Any

import yaml

from config.schema import BrokerSection, TableConfig
from controller.messages.link import Link
from controller.messages.models import MessagePart
from controller.publishing import publisher as publishing
from controller.publishing.cursor import Cursor
from controller.publishing.publisher import Publisher
from hal.clock import LoopClock


def publisher_of(config: TableConfig, broker: BrokerSection, journal: Path) -> tuple[Publisher, Cursor]:
    """A table's publisher, and its memory, which is to be closed after it.

    That is not synced to the disk, and neither are the journals: a thousand tables have a thousand disks, and no
    power cut is tried here.
    """
    cursor = Cursor(Path(f"{journal}.published"))
    cursor._db.execute("PRAGMA synchronous=OFF")
    return Publisher(config, broker, journal, cursor, LoopClock()), cursor


class Counted:
    """Counts what the broker takes from the publishers of this process."""

    def __init__(self) -> None:
        self.messages = 0
        publish = Link.publish

        async def counted(link: Link, topic: str, message: MessagePart, retain: bool = False) -> None:
            await publish(link, topic, message, retain)
            self.messages += 1

        Link.publish = counted  # type: ignore[method-assign, assignment]


def as_if_alone() -> None:
    """A publisher asks the kernel for all locks whether its table runs: on a computer of its own, a few lines.

    Here they would be those of a thousand tables, for each of a thousand publishers.
    """

    def plays(journal: Path) -> bool:
        return True

    publishing.running = plays  # type: ignore[attr-defined]


def slow_down(speed: float) -> None:
    """Where time passes more slowly, publishers look for new entries more seldom.

    Ten thousand of them that did so in real time would take all processors for looking.
    """
    publishing.POLL_S /= min(1.0, speed)


def floor_command(file: Path) -> list[str]:
    """What starts the floor's process."""
    return [sys.executable, "-m", "controller", "floor", str(file)]


def floor_file(
    file: Path,
    broker: BrokerSection,
    store: str,
    port: int,
    alerts: BrokerSection | None = None,
    worker: str = "",
) -> None:
    """Write a floor's configuration.

    Args:
        store: its URL.
        port: of its pages.
        alerts: the broker as the connection for alerts reaches it; None for no such connection.
        worker: its name, if it is one of several that share the store.
    """
    sections: dict[str, Any] = {
        "floor": "benchmark",
        "broker": broker.model_dump(mode="json"),
        "store": {"url": store},
        "record": {"file": str(file.with_suffix(".record"))},
        "screens": {"port": port},
    }
    if worker:
        sections["worker"] = {"name": worker}
    if alerts is not None:
        sections["alerts"] = {"connection": {"certificate": alerts.certificate, "key": alerts.key}}
    file.write_text(yaml.safe_dump(sections), encoding="utf-8")
