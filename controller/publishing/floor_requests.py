"""What the floor sends to a table, handed to whoever answers it: resend requests and challenges."""

import logging
from collections.abc import Callable

from controller.messages.link import Link
from controller.messages.models import ResendRequest
from controller.messages.topics import challenge_of, wanted_of
from controller.publishing.answering import Answering

log = logging.getLogger("floor")


class FloorRequests:
    """The floor's messages to one table.

    Args:
        on_resend: is called with each resend request.
    """

    def __init__(self, table: str, on_resend: Callable[[ResendRequest], None], answering: Answering) -> None:
        self._resend_topic, self._challenge_topic = wanted_of(table), challenge_of(table)
        self._on_resend = on_resend
        self._answering = answering

    async def subscribe(self, link: Link) -> None:
        """Subscribe to them.

        Raises:
            LinkError: the broker refuses, or does not answer.
        """
        for topic in (self._resend_topic, self._challenge_topic):
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

    def _take_resend_request(self, payload: bytes) -> None:
        try:
            request = ResendRequest.model_validate_json(payload)
        except ValueError:
            log.warning("the floor's resend request cannot be read: %.200r", payload)
            return
        self._on_resend(request)
