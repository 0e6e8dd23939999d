"""A connection that is read in large pieces gives every byte, once, in order, and lets others have their turn."""

import ssl
from typing import cast

import pytest

from controller.messages.read_ahead import ReadAhead


class Connection:
    """What has arrived, by record of TLS; after the last one nothing has. An empty one is its end, for good."""

    def __init__(self, *records: bytes) -> None:
        self.records = list(records)
        self.reads = 0

    def recv(self, size: int) -> bytes:
        self.reads += 1
        if not self.records:
            raise ssl.SSLWantReadError
        assert len(self.records[0]) <= size
        return self.records.pop(0) if self.records[0] else b""


def ahead(connection: Connection, most: int) -> ReadAhead:
    return ReadAhead(cast(ssl.SSLSocket, connection), most)


@pytest.mark.parametrize("most", [0, 1, 50])
def test_every_byte_comes_once_in_order_whatever_sizes_are_read(most: int) -> None:
    connection = Connection(b"abc", b"d", b"efghij")
    reading, read = ahead(connection, most), b""
    for size in (1, 1, 5, 1, 2, 9):
        read += reading.recv(size)
        reading.pending()
    assert read == b"abcdefghij"
    with pytest.raises(ssl.SSLWantReadError):
        reading.recv(1)


def test_the_end_of_a_connection_is_read_as_its_end() -> None:
    reading = ahead(Connection(b"a", b""), 5)
    assert reading.recv(1) == b"a"
    assert reading.pending() == 0
    assert reading.recv(1) == b""
