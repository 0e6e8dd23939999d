"""The events of an update of the card's image: it is offered, confirmed by the floorperson's key, and ended.

No game reacts to them: the table's own state follows from them (:mod:`controller.limits.table_state`).
"""

from dataclasses import dataclass
from typing import Literal

from controller.events.frozen import Frozen


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class UpdateOffered(Frozen):
    """An update is offered, is offered otherwise, or with an empty source is offered no more."""

    at_ns: int
    utc_ns: int
    version: str
    """Empty if that cannot be read."""
    digest: str
    """SHA-256 of its bundle, hexadecimal; empty if there is no bundle."""
    source: str
    """Where it lies, in words."""
    problem: str = ""
    """Why it cannot be taken, and what to do; empty if it can."""
    kind: Literal["update-offered"] = "update-offered"


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class UpdateConfirmed(Frozen):
    """The floorperson confirmed that an update is installed; the table closes for it."""

    at_ns: int
    utc_ns: int
    version: str
    digest: str
    by: str = ""
    """Credential number of the floorperson, where the table asks for it."""
    kind: Literal["update-confirmed"] = "update-confirmed"


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class UpdateEnded(Frozen):
    """What became of the update that was confirmed last."""

    at_ns: int
    utc_ns: int
    version: str
    installed: bool
    """It runs now."""
    detail: str
    """What runs where, or why it was not installed."""
    kind: Literal["update-ended"] = "update-ended"
