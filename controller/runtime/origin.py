"""What a start of the table ran, as its record says."""

from typing import NamedTuple


class Origin(NamedTuple):
    """The recorded origin of a start, in addition to the version: it identifies what ran each round."""

    configuration: str = ""
    """SHA-256 of the configuration file."""
    software: str = ""
    """Digest of the software (:func:`controller.runtime.software.digest`)."""
    replaces: str = ""
    """A text on the damaged journal that this one replaces."""
    wheel: str = ""
    """Serial number of the table's wheel; empty for none."""


UNKNOWN_ORIGIN = Origin()
