"""A connection that is read in large pieces, several messages at a time.

paho-mqtt reads a message byte by byte up to its length, and then the rest. Each read of a TLS connection lets
another thread run, and waits until that is interrupted: beside a thread that computes, some milliseconds a message.
So what has arrived is read whole, and given to paho from memory.
"""

import ssl

_PIECE = 1 << 16
"""More than a record of TLS, the most that one read gives (RFC 8446, 5.1: 16 KiB)."""


class ReadAhead:
    """What paho-mqtt uses of a connection that does not block.

    Args:
        most: how many further pieces are read before other connections have their turn; 0 for none.
    """

    def __init__(self, connection: ssl.SSLSocket, most: int) -> None:
        self._connection = connection
        self._most = self._left = most
        self._data = b""
        self._at = 0

    def recv(self, size: int) -> bytes:
        """At most so many bytes; none if the connection has ended.

        Raises:
            BlockingIOError: nothing has arrived.
            OSError: the connection is broken.
        """
        if self._at == len(self._data):
            self._read()
        piece = self._data[self._at : self._at + size]
        self._at += len(piece)
        return piece

    def pending(self) -> int:
        """How many bytes may be read before the loop looks at other connections."""
        if self._at == len(self._data) and self._left:
            self._left -= 1
            try:
                self._read()
            except OSError:  # Nothing has arrived; what else it may be, the next read raises again.
                self._left = 0
        if self._at == len(self._data):
            self._left = self._most
        return len(self._data) - self._at

    def _read(self) -> None:
        self._data, self._at = b"", 0
        self._data = self._connection.recv(_PIECE)

    def send(self, data: bytes) -> int:
        """Send what fits now; returns how many bytes that is."""
        return self._connection.send(data)

    def fileno(self) -> int:
        """The connection's descriptor; -1 once it is closed."""
        return self._connection.fileno()

    def setblocking(self, flag: bool) -> None:
        """As of a socket."""
        self._connection.setblocking(flag)

    def close(self) -> None:
        """As of a socket."""
        self._connection.close()
