"""What the floor sends to a table: resend requests, handed to whoever answers them."""

import logging
from collections.abc import Callable

from controller.messages.link import Link
from controller.messages.models import ResendRequest
from controller.messages.topics import wanted_of

log = logging.getLogger("floor")


class FloorRequests:
    """The floor's messages to one table.

    Args:
        on_resend: is called with each resend request.
    """

    def __init__(self, table: str, on_resend: Callable[[ResendRequest], None]) -> None:
        self._topic = wanted_of(table)
        self._on_resend = on_resend

    async def subscribe(self, link: Link) -> None:
        """Subscribe to them.

        Raises:
            LinkError: the broker refuses, or does not answer.
        """
        await link.subscribe(self._topic)

    async def listen(self, link: Link) -> None:
        """Handle what arrives for as long as the connection lasts.

        Raises:
            LinkError: it has ended.
        """
        async for message in link.messages():
            if message.topic.value == self._topic:
                self._take_resend_request(message.payload if isinstance(message.payload, bytes) else b"")

    def _take_resend_request(self, payload: bytes) -> None:
        try:
            request = ResendRequest.model_validate_json(payload)
        except ValueError:
            log.warning("the floor's resend request cannot be read: %.200r", payload)
            return
        self._on_resend(request)
