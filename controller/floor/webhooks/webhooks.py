"""All webhooks of a floor: each receiver is told on its own, and none of them makes another or the floor wait."""

import asyncio
from collections.abc import Callable, Iterator

from sqlalchemy import Engine

from config.floor import FloorConfig
from controller.floor.webhooks.receiver import Receiver, key_and_tls
from controller.floor.webhooks.signature import SecretError
from hal.interfaces import Clock


class Webhooks:
    """The receivers that a floor's file names.

    Args:
        changed: called when :attr:`trouble` changes.
    """

    def __init__(self, config: FloorConfig, engine: Engine, clock: Clock, changed: Callable[[], None]) -> None:
        self._receivers = [
            Receiver(section, config.floor, engine, clock, changed) for section in config.alerts.webhooks
        ]

    @property
    def trouble(self) -> str:
        """Which receivers are not told now, and why, as text; empty if all are."""
        return "; ".join(one.trouble for one in self._receivers if one.trouble)

    async def run(self) -> None:
        """Tell them, until cancelled."""
        async with asyncio.TaskGroup() as group:
            for one in self._receivers:
                group.create_task(one.run())
            await asyncio.Event().wait()


def webhook_problems(config: FloorConfig) -> Iterator[tuple[str, str]]:
    """What is wrong with the files that the webhooks name: the key in the floor's file, and the sentence."""
    for number, section in enumerate(config.alerts.webhooks):
        try:
            key_and_tls(section)
        except SecretError as error:
            yield f"alerts.webhooks[{number}]", str(error)
