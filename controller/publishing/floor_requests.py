"""What the floor sends to a table, handed to whoever answers it: resend requests, challenges, updates."""

import logging
from collections.abc import Callable

from controller.messages.link import Link
from controller.messages.models import ResendRequest
from controller.messages.topics import challenge_of, wanted_of
from controller.publishing.answering import Answering
from controller.publishing.update_fetching import UpdateFetching

log = logging.getLogger("floor")


class FloorRequests:
    """The floor's messages to one table.

    Args:
        on_resend: is called with each resend request.
        updates: fetches the floor's update; None for a publisher that has no folder for one.
    """

    def __init__(
        self,
        table: str,
        on_resend: Callable[[ResendRequest], None],
        answering: Answering,
        updates: UpdateFetching | None,
    ) -> None:
        self._resend_topic, self._challenge_topic = wanted_of(table), challenge_of(table)
        self._on_resend = on_resend
        self._answering = answering
        self._updates = updates

    async def subscribe(self, link: Link) -> None:
        """Subscribe to them.

        Raises:
            LinkError: the broker refuses, or does not answer.
        """
        further = self._updates.topics() if self._updates is not None else ()
        for topic in (self._resend_topic, self._challenge_topic, *further):
            await link.subscribe(topic)

    async def listen(self, link: Link) -> None:
        """Handle what arrives for as long as the connection lasts.

        Raises:
            LinkError: it has ended.
        """
        async for message in link.messages():
            topic, payload = message.topic.value, message.payload if isinstance(message.payload, bytes) else b""
            if topic == self._challenge_topic:
                await self._answering.take(payload, link)
            elif topic == self._resend_topic:
                self._take_resend_request(payload)
            elif self._updates is not None:
                self._updates.take(topic, payload)

    def _take_resend_request(self, payload: bytes) -> None:
        try:
            request = ResendRequest.model_validate_json(payload)
        except ValueError:
            log.warning("the floor's resend request cannot be read: %.200r", payload)
            return
        self._on_resend(request)
