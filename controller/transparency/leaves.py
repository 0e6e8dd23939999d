"""What a record's tree consists of, and how the record is named. Loads no cryptography: a table reads this, too."""

from controller.journal.chain import Entry
from controller.transparency.merkle import leaf_hash

PREFIX = "table-controller"


def key_name(table: str) -> str:
    """The name of a table's key, with which the origins of its records begin."""
    return f"{PREFIX}/{table}"


def origin_of(table: str, record: str) -> str:
    """The origin of a table's record.

    Args:
        record: the hash of its first entry, hexadecimal.
    """
    return f"{key_name(table)}/{record}"


def record_of(origin: str) -> str:
    """The hash of the first entry of the record that an origin names."""
    return origin.rpartition("/")[2]


def leaf_of(entry: Entry) -> bytes:
    """The leaf of an entry: its hash covers all of it, and the entry before."""
    return leaf_hash(bytes.fromhex(entry.hash))
