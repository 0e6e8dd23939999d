"""Numbered records, each byte of which follows from run and number, so that what is missing shows. Pure."""

import hashlib
import struct
from collections.abc import Iterator
from enum import Enum

RECORD_BYTES = 4096
SECTOR_BYTES = 512
"""What a disk writes at once."""
RUN_BYTES = 16
_MAGIC = b"TCDISK01"
_HEAD = struct.Struct(f">8s{RUN_BYTES}sQ32s")
_DIGEST_BYTES = 32
_FILL_BYTES = RECORD_BYTES - _HEAD.size - _DIGEST_BYTES
FIRST = bytes(_DIGEST_BYTES)
"""The hash before the first record."""


class RecordState(Enum):
    """What lies in the place of a record."""

    INTACT = "intact"
    MISSING = "missing"
    """Nothing was ever written there: the file ends before it, or there are zeros."""
    TORN = "torn"
    """Some of its sectors are there, and the others are as they were before."""
    CORRUPTED = "corrupted"
    """Something else lies there."""


def encode(run: bytes, number: int, previous: bytes) -> bytes:
    """A record.

    Args:
        number: from 1.
        previous: the hash of the record before.
    """
    head = _HEAD.pack(_MAGIC, run, number, previous)
    body = head + hashlib.shake_256(head).digest(_FILL_BYTES)
    return body + hashlib.sha256(body).digest()


def records(run: bytes) -> Iterator[bytes]:
    """The records of a run, without end."""
    number, previous = 1, FIRST
    while True:
        record = encode(run, number, previous)
        yield record
        number, previous = number + 1, record[-_DIGEST_BYTES:]


def run_of(record: bytes) -> bytes | None:
    """The run of a record whose checksum is right; else None."""
    whole = len(record) == RECORD_BYTES and record.startswith(_MAGIC)
    if not whole or hashlib.sha256(record[:-_DIGEST_BYTES]).digest() != record[-_DIGEST_BYTES:]:
        return None
    run: bytes = _HEAD.unpack_from(record)[1]
    return run


def state_of(found: bytes, expected: bytes) -> RecordState:
    """What became of a record, by what lies in its place; shorter where the file ends."""
    if found == expected:
        return RecordState.INTACT
    if not found.strip(b"\0"):
        return RecordState.MISSING
    for at in range(0, RECORD_BYTES, SECTOR_BYTES):
        sector = found[at : at + SECTOR_BYTES]
        if sector.strip(b"\0") and sector != expected[at : at + len(sector)]:
            return RecordState.CORRUPTED
    return RecordState.TORN
