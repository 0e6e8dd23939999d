"""The transport of a server that is fuzzed: nothing leaves this process."""

import asyncio


class Wire(asyncio.Transport):
    """A connection whose other end reads everything.

    Args:
        peer: the other end's address; empty for none that is known.
    """

    def __init__(self, peer: str = "") -> None:
        super().__init__({"peername": (peer, 40_000)} if peer else None)
        self.sent = b""
        self.closed = False

    def write(self, data: object) -> None:
        assert isinstance(data, bytes | bytearray)
        assert not self.closed
        self.sent += data

    def get_write_buffer_size(self) -> int:
        return 0

    def is_closing(self) -> bool:
        return self.closed

    def close(self) -> None:
        self.closed = True

    abort = close

    def pause_reading(self) -> None:
        pass

    def resume_reading(self) -> None:
        pass
