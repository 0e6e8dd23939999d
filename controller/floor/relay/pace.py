"""How fast a house's floor relays: a day that the line failed must not come all at once."""

import asyncio

_SAVED_S = 1.0
"""What a relay that had nothing to say has saved up."""


class RelayPace:
    """So many messages in a second, a second's worth of them at once."""

    def __init__(self, messages_per_s: int) -> None:
        self._apart_s = 1 / messages_per_s
        self._next_s = 0.0

    async def wait(self) -> None:
        """Wait until the next message may go."""
        now_s = asyncio.get_running_loop().time()
        self._next_s = max(self._next_s, now_s - _SAVED_S)
        if self._next_s > now_s:
            await asyncio.sleep(self._next_s - now_s)
        self._next_s += self._apart_s
